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

it('tells of typing at most every three seconds', () => {
  const typing = typingTo('maya')
  for (let key = 0; key < 35; key += 1) {
    typing.typed()
    vi.advanceTimersByTime(100)
  }
  expect(told()).toEqual(['typing', 'typing'])
  expect(emit).toHaveBeenCalledWith('typing', { to: 'maya' })
})

it('tells that typing stopped after five idle seconds', () => {
  typingTo('maya').typed()
  vi.advanceTimersByTime(5_000)
  expect(told()).toEqual(['typing', 'stop_typing'])
})

it('tells that typing stopped once, and only when it had begun', () => {
  const typing = typingTo('maya')
  typing.stop()
  typing.typed()
  typing.stop()
  typing.stop()
  expect(told()).toEqual(['typing', 'stop_typing'])
})

it('changes of visibility are still reported when a connection succeeds after a refused handshake', () => {
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
  line.dispatchEvent(new Event('close'))
  line.dispatchEvent(new Event('connect'))
  document.dispatchEvent(new Event('visibilitychange'))
  expect(told).toEqual([['looking', { looking: true }]])
})
