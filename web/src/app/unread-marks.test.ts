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

it('the app icon shows the unread count and the tab icon a dot, until everything is read', () => {
  const { rerender } = renderHook(({ count }) => useUnreadMarks(count), { initialProps: { count: 2 } })
  expect(setAppBadge).toHaveBeenLastCalledWith(2)
  expect(tabIcon()).toBe('/icon-unread.svg')
  rerender({ count: 0 })
  expect(setAppBadge).toHaveBeenLastCalledWith(0)
  expect(tabIcon()).toBe('/icon.svg')
})

it('signing out clears the app icon and the tab icon', () => {
  const { unmount } = renderHook(() => useUnreadMarks(3))
  unmount()
  expect(clearAppBadge).toHaveBeenCalledOnce()
  expect(tabIcon()).toBe('/icon.svg')
})

it('a browser without app badges shows only the dot on the tab icon', () => {
  for (const name of ['setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name)
  renderHook(() => useUnreadMarks(1))
  expect(tabIcon()).toBe('/icon-unread.svg')
})
