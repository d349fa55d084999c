import { expect, test } from 'vitest'
import { leaning, outcomeOf, speedOf, tiltOf } from './swipe.ts'

const size = { width: 400, height: 560 }
const still = { x: 0, y: 0 }

test('far to the right is a like, to the left a pass, and up is later', () => {
  expect(outcomeOf({ x: 150, y: 20 }, still, size)).toBe('like')
  expect(outcomeOf({ x: -150, y: -40 }, still, size)).toBe('pass')
  expect(outcomeOf({ x: 30, y: -160 }, still, size)).toBe('later')
})

test('a short way springs back, and so does down', () => {
  expect(outcomeOf({ x: 60, y: 0 }, still, size)).toBeNull()
  expect(outcomeOf({ x: 0, y: 300 }, still, size)).toBeNull()
})

test('a quick flick decides although the way was short', () => {
  expect(outcomeOf({ x: 50, y: 0 }, { x: 0.9, y: 0 }, size)).toBe('like')
  expect(outcomeOf({ x: 0, y: -50 }, { x: 0, y: -0.9 }, size)).toBe('later')
})

test('throwing the card back takes the decision back', () => {
  expect(outcomeOf({ x: 150, y: 0 }, { x: -1.5, y: 0 }, size)).toBeNull()
})

test('the hint grows with the way', () => {
  expect(leaning({ x: 10, y: 0 }, size)?.share ?? 0).toBeLessThan(leaning({ x: 90, y: 0 }, size)?.share ?? 0)
  expect(leaning({ x: 1, y: 1 }, size)).toBeNull()
})

test('the card tilts with the finger, at most 8 degrees', () => {
  expect(tiltOf({ x: 40, y: 0 }, size)).toBeCloseTo(1.2)
  expect(tiltOf({ x: 900, y: 0 }, size)).toBe(8)
  expect(tiltOf({ x: -900, y: 0 }, size)).toBe(-8)
})

test('a finger that rested before it left has no speed', () => {
  const samples = [
    { x: 0, y: 0, at: 0 },
    { x: 100, y: 0, at: 50 },
  ]
  expect(speedOf(samples, 60).x).toBeCloseTo(2)
  expect(speedOf(samples, 400)).toEqual({ x: 0, y: 0 })
})
