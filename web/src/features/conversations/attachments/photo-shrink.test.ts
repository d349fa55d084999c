import { expect, it, vi } from 'vitest'
import { shrinkPhoto, shrunkSize } from './photo-shrink.ts'

it.each([
  [4000, 3000, 2160, 1620],
  [3000, 4000, 1620, 2160],
  [800, 600, 800, 600],
  [20_000, 1, 2160, 1],
])('a picture of %i x %i is sent as %i x %i', (width, height, toWidth, toHeight) => {
  expect(shrunkSize(width, height)).toEqual({ width: toWidth, height: toHeight })
})

it('a small file, and one that cannot be drawn, goes as it is', async () => {
  const small = new File(['x'], 'small.jpg')
  expect(await shrinkPhoto(small)).toBe(small)
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('no picture', 'InvalidStateError')))
  const broken = new File([new Uint8Array(2 * 1024 * 1024)], 'broken.jpg')
  expect(await shrinkPhoto(broken)).toBe(broken)
  vi.unstubAllGlobals()
})
