import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const emit = vi.fn()
vi.mock('../../platform/socket.ts', () => ({ getSocket: () => ({ connected: true, emit }) }))
const { typingTo } = await import('./presence.ts')

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
