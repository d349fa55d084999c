import { expect, test } from 'vitest'
import { decisionOfSwipe, speedOf, swipeProgress, tiltOf } from './swipe.ts'

const width = 400
const still = { x: 0, y: 0 }

test('A long swipe to the right likes, and one to the left passes', () => {
  expect(decisionOfSwipe({ x: 150, y: 20 }, still, width)).toBe('like')
  expect(decisionOfSwipe({ x: -150, y: -40 }, still, width)).toBe('pass')
})

test('A vertical swipe decides nothing, however long and fast', () => {
  for (const y of [-400, 400]) {
    expect(decisionOfSwipe({ x: 30, y }, still, width)).toBeNull()
    expect(decisionOfSwipe({ x: 140, y }, { x: 1, y: y / 100 }, width)).toBeNull()
  }
})

test('A short swipe springs back', () => {
  expect(decisionOfSwipe({ x: 60, y: 0 }, still, width)).toBeNull()
})

test('A quick flick decides although it is short', () => {
  expect(decisionOfSwipe({ x: 50, y: 0 }, { x: 0.9, y: 0 }, width)).toBe('like')
})

test('Flicking the card back cancels the decision', () => {
  expect(decisionOfSwipe({ x: 150, y: 0 }, { x: -1.5, y: 0 }, width)).toBeNull()
})

test('The label becomes more visible along the way', () => {
  expect(swipeProgress({ x: 10, y: 0 }, width)?.share ?? 0).toBeLessThan(
    swipeProgress({ x: 90, y: 0 }, width)?.share ?? 0,
  )
  expect(swipeProgress({ x: 1, y: 1 }, width)).toBeNull()
})

test('The card tilts with the finger, at most 8 degrees', () => {
  expect(tiltOf({ x: 40, y: 0 }, width)).toBeCloseTo(1.2)
  expect(tiltOf({ x: 900, y: 0 }, width)).toBe(8)
  expect(tiltOf({ x: -900, y: 0 }, width)).toBe(-8)
})

test('A finger that rested before it lifted has no speed', () => {
  const samples = [
    { x: 0, y: 0, at: 0 },
    { x: 100, y: 0, at: 50 },
  ]
  expect(speedOf(samples, 60).x).toBeCloseTo(2)
  expect(speedOf(samples, 400)).toEqual({ x: 0, y: 0 })
})
