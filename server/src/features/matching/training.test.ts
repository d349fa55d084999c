import { expect, it } from 'vitest'
import { drawBelow, drawNormal, seededRandom } from './random.ts'
import { sigmoid } from './ridge.ts'
import { type Batch, train } from './training.ts'

const truth = { intercept: -0.4, weights: Float64Array.of(1, -0.8, 0) }
const byHand = { intercept: 0, weights: Float64Array.of(0.2, 0.2, 0.3) }

/** Decisions of many people under `truth`; the third feature is never there. */
function drawn(seed: number, count = 12_000, people = 200): Batch {
  const random = seededRandom(seed)
  const says = Array.from({ length: people }, () => Math.SQRT2 * drawNormal(random))
  const receives = Array.from({ length: people }, () => drawNormal(random))
  const actors = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const targets = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const rows = Float64Array.from({ length: count * 3 }, (_, place) => (place % 3 === 2 ? 0 : drawNormal(random) + 1))
  const labels = Uint8Array.from(actors, (actor, place) => {
    const z = truth.weights.reduce((sum, weight, column) => sum + weight * (rows[place * 3 + column] ?? 0), 0)
    const people = (says[actor] ?? 0) + (receives[targets[place] ?? 0] ?? 0)
    return random() < sigmoid(truth.intercept + z + people) ? 1 : 0
  })
  const recent = Uint8Array.from(actors, (_, place) => (place < count * 0.8 ? 0 : 1))
  return { people, actors, targets, labels, rows, columns: 3, recent }
}

it('finds what people go by, and that it foretells better than what was set by hand', () => {
  const { learned, quality, before, isBetter, typical } = train(drawn(1), byHand, byHand)
  expect(Math.abs((learned.weights[0] ?? 9) - 1)).toBeLessThan(0.15)
  expect(Math.abs((learned.weights[1] ?? 9) + 0.8)).toBeLessThan(0.15)
  expect(isBetter).toBe(true)
  expect(quality.logLoss).toBeLessThan(before.logLoss)
  expect(quality.viewerAuc).toBeGreaterThan(before.viewerAuc)
  expect(Math.abs(typical - 0.2)).toBeLessThan(0.15)
})

it('keeps the weight of a feature that nobody showed', () => {
  expect(train(drawn(2), byHand, byHand).learned.weights[2]).toBeCloseTo(0.3, 6)
})

it('does not take the place of a model that foretells better', () => {
  const few = drawn(3, 700)
  expect(train(few, byHand, truth).isBetter).toBe(false)
})

it('is the same every time', () => {
  expect(train(drawn(4, 2_000), byHand, byHand)).toEqual(train(drawn(4, 2_000), byHand, byHand))
})
