import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useLastingAddress } from './use-lasting-address.ts'

it('a picture that keeps failing requests a new URL only once, and again after a picture has loaded', () => {
  const onExpired = vi.fn()
  const { result, rerender } = renderHook(({ url }) => useLastingAddress(url, onExpired), {
    initialProps: { url: '/photo?sign=1' },
  })
  for (const url of ['/photo?sign=2', '/photo?sign=3', '/photo?sign=4']) {
    act(() => result.current.onError())
    rerender({ url })
    expect(result.current.url).toBe(url)
  }
  expect(onExpired).toHaveBeenCalledTimes(1)
  act(() => result.current.onLoad())
  act(() => result.current.onError())
  expect(onExpired).toHaveBeenCalledTimes(2)
  rerender({ url: '/another?sign=1' })
  act(() => result.current.onError())
  expect(onExpired).toHaveBeenCalledTimes(3)
})
