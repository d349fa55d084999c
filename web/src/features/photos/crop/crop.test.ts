import { expect, test } from 'vitest'
import { fitsCard, isTooSmall, sentSize } from './crop.ts'

test.each([
  [3024, 4032, true],
  [600, 805, true],
  [4032, 3024, false],
  [1080, 1920, false],
  [800, 800, false],
])('A picture of %i x %i fits a card without cropping: %s', (width, height, fits) => {
  expect(fitsCard({ width, height })).toBe(fits)
})

test.each([
  [200, 267, false],
  [199.6, 266, false],
  [199.4, 266, true],
  [900, 150, true],
])('A part of %f x %f is too small: %s', (width, height, small) => {
  expect(isTooSmall({ width, height })).toBe(small)
})

test('A large part is scaled down in its shape, and a small one keeps its size', () => {
  expect(sentSize({ width: 3000, height: 4000 })).toEqual({ width: 1440, height: 1920 })
  expect(sentSize({ width: 300, height: 400 })).toEqual({ width: 300, height: 400 })
})
