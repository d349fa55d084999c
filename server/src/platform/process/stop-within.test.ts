import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { stopWithin } from './stop-within.ts'

test('A shutdown runs all its steps even if one hangs and another fails', { tags: 'long' }, async () => {
  const lines: string[] = []
  const log = { warn: (line: unknown) => void lines.push(String(line)) }
  const order: string[] = []
  const left: number[] = []
  const note = async (name: string, leftMs: number) => {
    left.push(leftMs)
    await sleep(1)
    order.push(name)
  }
  await stopWithin(2_000, log, [
    ['the first', (leftMs) => note('first', leftMs)],
    ['what fails', () => Promise.reject(new Error('no line'))],
    ['what fails at once', () => JSON.parse('{')],
    ['what never ends', () => new Promise(() => {})],
    ['the last', (leftMs) => note('last', leftMs)],
  ])
  expect(order).toEqual(['first', 'last'])
  expect(lines).toEqual([
    'stopping: what fails failed (no line)',
    expect.stringMatching(/^stopping: what fails at once failed \(.*JSON/),
    'stopping: what never ends took too long',
  ])
  expect(left[0]).toBeLessThanOrEqual(2_000)
  expect(left[1]).toBe(200)
})
