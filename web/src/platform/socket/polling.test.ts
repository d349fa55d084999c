import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { Polling } from './polling.ts'

const cutOff = () =>
  new Response(new ReadableStream({ start: (answer) => answer.error(new TypeError('the network was lost')) }))

test.each([
  ['breaks off', cutOff],
  ['has an error status', () => new Response('', { status: 502 })],
  ['is a captive portal’s page', () => new Response('<!doctype html>')],
])('long polling fails immediately when a response %s', async (_, answer) => {
  vi.stubGlobal('fetch', async () => answer())
  onTestFinished(() => void vi.unstubAllGlobals())
  const polling = new Polling({ path: '/socket.io', query: {} })
  const fail = vi.fn()
  polling.on('error', fail)
  polling.on('packet', ({ type }) => type === 'error' && fail())
  polling.open()
  await eventually(() => expect(fail).toHaveBeenCalled())
})
