import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchingConstants as constants } from './constants.ts'
import { defaultModel, namedWeights, readWeights } from './model.ts'
import { productFeatures } from './pair.ts'
import { candidate, someone } from './people.test-data.ts'
import { sigmoid } from './ridge.ts'
import { bestOf, rankOf, refine, scoreAll } from './score.ts'
import type { Candidate, Traits } from './traits.ts'

const surroundings = { rarity: new Float64Array(60).fill(2), meanPending: 1 }
const match = (viewer: Partial<Traits>, other: Partial<Candidate>) =>
  scoreAll(defaultModel, someone(viewer), [candidate(other)], surroundings).match[0] ?? 0
const rank = (viewer: Partial<Traits>, other: Partial<Candidate>) =>
  scoreAll(defaultModel, someone(viewer), [candidate(other)], surroundings).rank[0] ?? 0

it('every feature has a weight before training', () => {
  for (const name of productFeatures) expect(namedWeights(defaultModel)[name], name).not.toBe(0)
})

it('the match score is the squared harmonic mean of both directions', () => {
  const z = defaultModel.intercept + (defaultModel.weights[2] ?? 0) * (Math.log1p(5) / Math.log1p(200))
  const [there, back] = [sigmoid(z + 1.25), sigmoid(z - 0.5)]
  expect(match({ a: 1, b: 0.5 }, { a: -1, b: 0.25 })).toBeCloseTo(((2 * there * back) / (there + back)) ** 2, 10)
})

it('the match score is the same from both sides', () => {
  const one = { id: 'one', age: 30, a: 1, b: 0.3, avoids: 1 << 22, interests: [5, 1] as const, traits: 1 << 20 }
  const two = { id: 'two', age: 38, a: -1, b: 1, traits: (1 << 22) | (1 << 17), interests: [4, 3] as const }
  expect(match(one, two)).toBeCloseTo(match(two, one), 12)
})

it('an existing like counts as a certain yes', () => {
  expect(match({ a: 1 }, { a: -9, likesViewer: true })).toBeGreaterThan(match({ a: 1 }, { a: 9 }))
  expect(rank({}, { likesViewer: true, pending: 100 })).toBe(rank({}, { likesViewer: true }))
})

it('nearer people, closer ages, met preferences and shared rare interests score higher', () => {
  expect(match({}, { distanceKm: 2 })).toBeGreaterThan(match({}, { distanceKm: 50 }))
  expect(match({}, { distanceKm: 100 })).toBeGreaterThan(match({}, { distanceKm: null }))
  expect(match({}, { age: 31 })).toBeGreaterThan(match({}, { age: 50 }))
  expect(match({ avoids: 1 << 20 }, { traits: 1 << 20 })).toBeLessThan(match({}, { traits: 1 << 20 }))
  expect(match({ interests: [1, 0] }, { interests: [1, 0] })).toBeGreaterThan(match({}, {}))
})

it('what must not be learned from makes no difference', () => {
  for (let bit = 26; bit < 32; bit++) {
    const diet = 1 << bit
    expect(match({ traits: diet, avoids: diet }, { traits: diet, avoids: diet })).toBe(match({}, {}))
  }
})

it('being liked often has a bounded effect', () => {
  expect(match({}, { b: 9 })).toBe(match({}, { b: constants.receivesLimit }))
  expect(match({}, { b: -9 })).toBe(match({}, { b: -constants.receivesLimit }))
})

it('pending likes and days of absence cost rank', () => {
  const usual = constants.usualPendingLeast
  expect(rank({}, { pending: usual })).toBeCloseTo(rank({}, {}) - constants.congestionWeight * Math.LN2, 10)
  expect(rank({}, { daysInactive: 10 })).toBeCloseTo(rank({}, {}) - 10 * constants.inactivityPerDay, 10)
  expect(rank({}, { daysInactive: 1000 })).toBe(rank({}, { daysInactive: constants.inactivityDaysMost }))
})

it('the cost of pending likes is bounded, in total and for each one', () => {
  const amount = fc.double({ min: 0, max: 10_000, noNaN: true })
  fc.assert(
    fc.property(amount, amount, (pending, meanPending) => {
      const costOf = (likes: number) =>
        -rankOf(1, { pending: likes, daysInactive: 0, likesViewer: false }, meanPending) + Math.log1p(1e-12)
      expect(costOf(pending)).toBeLessThanOrEqual(constants.congestionMost + 1e-9)
      expect(costOf(pending + 1) - costOf(pending)).toBeGreaterThanOrEqual(0)
      expect(costOf(pending + 1) - costOf(pending)).toBeLessThanOrEqual(0.9)
    }),
  )
})

it('the second pass uses the answers of the best', () => {
  const agrees = new Uint8Array(40).fill(0x31).map((byte, place) => (place % 2 ? 1 : byte))
  const differs = agrees.map((byte, place) => (place % 2 ? 1 : (byte & 0xf0) | 2))
  const people = [candidate({ id: 'differs' }), candidate({ id: 'silent' }), candidate({ id: 'agrees' })]
  const first = scoreAll(defaultModel, someone(), people, surroundings)
  expect(bestOf(people, first, 2).map(({ id }) => id)).toEqual(['agrees', 'differs'])
  const sheets = new Map([
    ['viewer', agrees],
    ['agrees', agrees],
    ['differs', differs],
  ])
  const refined = refine(defaultModel, someone(), people, surroundings, sheets)
  expect(refined.map(({ candidate: { id } }) => id)).toEqual(['agrees', 'silent', 'differs'])
})

it("stored weights have names, and those that aren't allowed are refused", () => {
  expect(readWeights(namedWeights(defaultModel))).toEqual(defaultModel.weights)
  expect(readWeights({ 'age.gap': 2 })[0]).toBe(2)
  expect(() => readWeights({ 'facts.faith': 1 })).toThrow(TypeError)
})
