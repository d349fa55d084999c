import { expect, it } from 'vitest'
import { untilAnswers } from './until-answers.ts'

// Not a multiple of `again`: timers may fire slightly early, so a multiple could allow one more attempt.
const patience = { nobody: 65, busy: 2_000, again: 10 }
const failure = (code: string, message = code) => Object.assign(new Error(message), { code })

function recorder() {
  const lines: string[] = []
  return { lines, log: { warn: (line: unknown) => void lines.push(String(line)) } as never }
}

function failing(...errors: Error[]) {
  let tries = 0
  const act = async () => {
    const error = errors[tries++]
    if (error) throw error
    return tries
  }
  return act
}

it('A database that recovers, has no free connection or drops ours is retried until it answers', async () => {
  const { log, lines } = recorder()
  const recovering = failure('57P03', 'the database system is in recovery mode')
  const act = failing(
    ...[recovering, recovering, failure('53300', 'sorry, too many clients already'), failure('ECONNRESET')],
    new Error('Connection terminated unexpectedly'),
  )
  expect(await untilAnswers(log, act, patience)).toBe(6)
  expect(lines.map((line) => /\((.*)\)/.exec(line)?.[1])).toEqual([
    ...['the database system is in recovery mode', 'sorry, too many clients already'],
    ...['ECONNRESET', 'Connection terminated unexpectedly'],
  ])
})

it('A missing database is given up sooner than a busy one', async () => {
  const { log } = recorder()
  const nowhere = Array.from({ length: 1_000 }, () => failure('ECONNREFUSED'))
  const act = failing(...nowhere)
  let tries = 0
  const counted = () => {
    tries += 1
    return act()
  }
  const since = performance.now()
  await expect(untilAnswers(log, counted, patience)).rejects.toThrow('ECONNREFUSED')
  expect(performance.now() - since).toBeGreaterThanOrEqual(patience.nobody)
  expect(tries).toBeLessThanOrEqual(Math.ceil(patience.nobody / patience.again) + 1)
})

it('An action that is interrupted after a long time is still retried', { tags: 'long' }, async () => {
  const { log } = recorder()
  const gone = failing(failure('ECONNREFUSED'), failure('ECONNREFUSED'))
  let isFirst = true
  const act = async () => {
    if (isFirst) await new Promise((resolve) => setTimeout(resolve, 2_000))
    isFirst = false
    return gone()
  }
  // If time counted from the start, it would run out before the second attempt.
  expect(await untilAnswers(log, act, { ...patience, nobody: 1_900 })).toBe(3)
})

it('A permanent error is thrown immediately', async () => {
  const { log, lines } = recorder()
  for (const code of ['28P01', '3D000', '42P01', 'EACCES'])
    await expect(untilAnswers(log, failing(failure(code)), patience)).rejects.toThrow(code)
  expect(lines).toEqual([])
})
