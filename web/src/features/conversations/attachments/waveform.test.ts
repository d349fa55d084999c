import { expect, it } from 'vitest'
import { clockOf, levelOf, waveformOf } from './waveform.ts'

it('levelOf maps silence to 0, full loudness to 1, and speech to a value in between', () => {
  expect(levelOf(0)).toBe(0)
  expect(levelOf(1)).toBe(1)
  expect(levelOf(0.05)).toBeGreaterThan(0.4)
  expect(levelOf(0.05)).toBeLessThan(0.8)
})

it('waveformOf keeps the peaks of a long recording and stretches a short one', () => {
  expect(waveformOf([0, 0.2, 1, 0.1], 2)).toEqual([20, 100])
  expect(waveformOf([0.5, 1], 4)).toEqual([50, 50, 100, 100])
  expect(waveformOf([], 3)).toEqual([0, 0, 0])
  expect(waveformOf(Array.from({ length: 1500 }, (_, n) => n / 1500))).toHaveLength(48)
})

it('clockOf formats milliseconds as minutes and seconds', () => {
  expect([0, 999, 7_400, 61_000, 120_000].map((ms) => clockOf(ms, 'en'))).toEqual([
    '0:00',
    '0:00',
    '0:07',
    '1:01',
    '2:00',
  ])
})
