import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DuetSocket } from '../../platform/socket/socket.ts'

const emit = vi.fn()
vi.mock('../../platform/socket/socket.ts', () => ({ getSocket: () => ({ connected: true, emit }) }))
const { followLooking, typingTo } = await import('./presence.ts')

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  emit.mockClear()
})
const told = () => emit.mock.calls.map(([event]) => event)

it('Typing is reported at most every three seconds', () => {
  const typing = typingTo('maya')
  for (let key = 0; key < 35; key += 1) {
    typing.typed()
    vi.advanceTimersByTime(100)
  }
  expect(told()).toEqual(['typing', 'typing'])
  expect(emit).toHaveBeenCalledWith('typing', { to: 'maya' })
})

it('stop_typing is sent after five idle seconds', () => {
  typingTo('maya').typed()
  vi.advanceTimersByTime(5_000)
  expect(told()).toEqual(['typing', 'stop_typing'])
})

it('stop_typing is sent once, and only after typing began', () => {
  const typing = typingTo('maya')
  typing.stop()
  typing.typed()
  typing.stop()
  typing.stop()
  expect(told()).toEqual(['typing', 'stop_typing'])
})

function followedLine() {
  const line = new EventTarget()
  const told: unknown[] = []
  const hears = (target: EventTarget) => (event: string, heard: () => void) => target.addEventListener(event, heard)
  const socket = {
    connected: true,
    active: false,
    on: hears(line),
    io: { on: hears(line) },
    emit: (...all: unknown[]) => told.push(all),
  }
  followLooking(socket as unknown as DuetSocket)
  return { line, socket, told }
}

it('Changes of visibility are still reported when a connection succeeds after a refused handshake', () => {
  const { line, told } = followedLine()
  line.dispatchEvent(new Event('close'))
  line.dispatchEvent(new Event('connect'))
  document.dispatchEvent(new Event('visibilitychange'))
  vi.runAllTimers()
  expect(told).toEqual([['looking', { looking: true }]])
})

it('A page that is hidden reports it before the browser can freeze its timers', () => {
  const { line, told } = followedLine()
  line.dispatchEvent(new Event('connect'))
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(told).toEqual([['looking', { looking: false }]])
})

it('A visible window reports when it loses and regains the focus', () => {
  const { line, told } = followedLine()
  line.dispatchEvent(new Event('connect'))
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  window.dispatchEvent(new Event('blur'))
  vi.runAllTimers()
  expect(told).toEqual([['looking', { looking: false }]])
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  window.dispatchEvent(new Event('focus'))
  vi.runAllTimers()
  expect(told.at(-1)).toEqual(['looking', { looking: true }])
})

it('Focus that moves into a frame of the page is not reported as lost', () => {
  const { line, told } = followedLine()
  line.dispatchEvent(new Event('connect'))
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  window.dispatchEvent(new Event('blur'))
  focus.mockReturnValue(true)
  vi.runAllTimers()
  expect(told).toEqual([['looking', { looking: true }]])
})

it('Each change is reported once after several reconnections, and not at all once the connection is closed', () => {
  const { line, told } = followedLine()
  for (const event of ['connect', 'connect', 'close', 'connect']) line.dispatchEvent(new Event(event))
  window.dispatchEvent(new Event('focus'))
  vi.runAllTimers()
  expect(told).toHaveLength(1)
  line.dispatchEvent(new Event('close'))
  window.dispatchEvent(new Event('focus'))
  vi.runAllTimers()
  expect(told).toHaveLength(1)
})
