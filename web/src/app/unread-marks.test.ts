import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useUnreadMarks } from './unread-marks.ts'

const setAppBadge = vi.fn(() => Promise.resolve())
const clearAppBadge = vi.fn(() => Promise.resolve())
const tabIcon = () => document.querySelector('link[rel="icon"]')?.getAttribute('href')

beforeEach(() => {
  Object.assign(navigator, { setAppBadge, clearAppBadge })
  document.head.innerHTML = '<link rel="icon" href="/icon.svg">'
})

afterEach(() => {
  for (const name of ['setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name)
  vi.clearAllMocks()
})

it('the app carries the count on its icon and the tab a dot, until all is read', () => {
  const { rerender } = renderHook(({ count }) => useUnreadMarks(count), { initialProps: { count: 2 } })
  expect(setAppBadge).toHaveBeenLastCalledWith(2)
  expect(tabIcon()).toBe('/icon-unread.svg')
  rerender({ count: 0 })
  expect(setAppBadge).toHaveBeenLastCalledWith(0)
  expect(tabIcon()).toBe('/icon.svg')
})

it('both icons say nothing after signing out', () => {
  const { unmount } = renderHook(() => useUnreadMarks(3))
  unmount()
  expect(clearAppBadge).toHaveBeenCalledOnce()
  expect(tabIcon()).toBe('/icon.svg')
})

it('a browser without badges shows the dot alone', () => {
  for (const name of ['setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name)
  renderHook(() => useUnreadMarks(1))
  expect(tabIcon()).toBe('/icon-unread.svg')
})
