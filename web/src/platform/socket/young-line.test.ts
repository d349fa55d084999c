import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetWay } from './kept-way.ts'
import { connect, disconnect } from './socket.ts'
import { wayNow } from './way.ts'
import { watchLine } from './young-line.ts'

type Watched = Parameters<typeof watchLine>[0]

function lineOf(answer: () => Promise<unknown>, name = 'websocket') {
  const heard = new Map<string, (reason?: string) => void>()
  const engine = {
    readyState: 'open',
    transport: { name },
    once: (event: string, listener: () => void) => heard.set(event, listener),
    off: (event: string) => heard.delete(event),
    close: (reason = 'forced close') => {
      engine.readyState = 'closed'
      heard.get('close')?.(reason)
    },
  }
  const upgrade = () => {
    engine.transport.name = 'websocket'
    heard.get('upgrade')?.()
  }
  const line = { io: { engine }, timeout: () => ({ emitWithAck: answer }) } as unknown as Watched
  watchLine(line)
  return { engine, upgrade }
}

const unanswered = () => Promise.reject(new Error('no answer'))
const answered = () => Promise.resolve()
const ways = () => wayNow().map(({ prototype }) => prototype.name)
const rest = () => vi.advanceTimersByTimeAsync(30_000)

beforeEach(() => {
  vi.useFakeTimers()
  forgetWay()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('after one silent WebSocket, long polling is tried first; after a second, WebSocket is avoided', async () => {
  const first = lineOf(unanswered)
  await rest()
  expect(first.engine.readyState).toBe('closed')
  expect(ways()).toEqual(['polling', 'websocket'])
  const second = lineOf(unanswered, 'polling')
  await rest()
  expect(second.engine.readyState).toBe('open')
  second.upgrade()
  await rest()
  expect(ways()).toEqual(['polling'])
  // The next page in this tab still avoids WebSocket. Going online clears that, because a different network may allow
  // WebSocket.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  connect('a token')
  expect(ways()).toEqual(['polling'])
  window.dispatchEvent(new Event('online'))
  disconnect()
  expect(ways()).toEqual(['websocket', 'polling'])
})

test('a WebSocket whose heartbeat times out counts as silent', () => {
  lineOf(answered).engine.close('ping timeout')
  expect(ways()).toEqual(['polling', 'websocket'])
})

test.each(['forced close', 'transport close'])(
  'a WebSocket that ends with "%s" does not count as silent',
  async (reason) => {
    const { engine } = lineOf(answered)
    await rest()
    engine.close(reason)
    expect(ways()).toEqual(['websocket', 'polling'])
  },
)

test('a WebSocket that lives for a minute clears the memory of a silent one', async () => {
  lineOf(unanswered)
  await rest()
  lineOf(answered)
  await vi.advanceTimersByTimeAsync(90_000)
  expect(ways()).toEqual(['websocket', 'polling'])
})

test('a page that was suspended checks again before it closes the WebSocket', async () => {
  const answer = vi.fn(answered).mockImplementationOnce(() => {
    vi.setSystemTime(Date.now() + 600_000)
    return unanswered()
  })
  const { engine } = lineOf(answer)
  await rest()
  expect(engine.readyState).toBe('open')
  expect(answer.mock.calls.length).toBeGreaterThan(1)
})
