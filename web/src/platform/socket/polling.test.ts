import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { Polling } from './polling.ts'

const cutOff = () =>
  new Response(new ReadableStream({ start: (answer) => answer.error(new TypeError('the network was lost')) }))

test.each([
  ['breaks off', cutOff],
  ['is a refusal', () => new Response('', { status: 502 })],
  ['is a page of a captive portal', () => new Response('<!doctype html>')],
])('long polling fails at once when an answer %s', async (_, answer) => {
  vi.stubGlobal('fetch', async () => answer())
  onTestFinished(() => void vi.unstubAllGlobals())
  const polling = new Polling({ path: '/socket.io', query: {} })
  const fail = vi.fn()
  polling.on('error', fail)
  polling.on('packet', ({ type }) => type === 'error' && fail())
  polling.open()
  await eventually(() => expect(fail).toHaveBeenCalled())
})
