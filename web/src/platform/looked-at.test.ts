import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followLookedAt, whenLookedAt } from './looked-at.ts'

let focused: boolean
beforeEach(() => {
  vi.useFakeTimers()
  focused = false
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function focus() {
  focused = true
  window.dispatchEvent(new Event('focus'))
}

test('a chat that a tapped notification replaces is not looked at', () => {
  const read = vi.fn()
  const leave = followLookedAt(read)
  focus()
  leave()
  vi.runAllTimers()
  expect(read).not.toHaveBeenCalled()
})

test('what waits for the viewer happens once the page has kept the focus', () => {
  const read = vi.fn()
  whenLookedAt(read)
  focus()
  focused = false
  window.dispatchEvent(new Event('blur'))
  vi.runAllTimers()
  expect(read).not.toHaveBeenCalled()
  focus()
  vi.runAllTimers()
  focus()
  vi.runAllTimers()
  expect(read).toHaveBeenCalledTimes(1)
})
