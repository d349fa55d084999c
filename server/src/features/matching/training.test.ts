import { describe, expect, it } from 'vitest'
import { drawBelow, drawNormal, seededRandom } from '../../platform/random.ts'
import { unlearnedBeliefs } from './beliefs.ts'
import { sigmoid } from './ridge.ts'
import { type Batch, train } from './training.ts'

const beliefs = unlearnedBeliefs
const truth = { intercept: -0.4, weights: Float64Array.of(1, -0.8, 0), beliefs }
const byHand = { intercept: 0, weights: Float64Array.of(0.2, 0.2, 0.3), beliefs }

/** Decisions of many people under `truth`; the third feature is always zero. */
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
  const plain = {
    interests: new Int32Array(people * 2),
    stages: new Uint8Array(count),
    exploring: new Float64Array(count),
  }
  return { people, actors, targets, labels, rows, columns: 3, recent, ...plain }
}

it('training finds what people go by and predicts better than the hand-set model', () => {
  const { learned, quality, before, isBetter, typical } = train(drawn(1), byHand, [byHand])
  expect(Math.abs((learned.weights[0] ?? 9) - 1)).toBeLessThan(0.15)
  expect(Math.abs((learned.weights[1] ?? 9) + 0.8)).toBeLessThan(0.15)
  expect(isBetter).toBe(true)
  expect(quality.logLoss).toBeLessThan(before.logLoss)
  expect(quality.viewerAuc).toBeGreaterThan(before.viewerAuc)
  expect(Math.abs(typical - 0.2)).toBeLessThan(0.15)
})

it('a feature that nobody shows keeps its weight', { tags: 'long' }, () => {
  expect(train(drawn(2), byHand, [byHand]).learned.weights[2]).toBeCloseTo(0.3, 6)
})

it("a model isn't better than one that predicts better", () => {
  const few = drawn(3, 700)
  expect(train(few, byHand, [byHand, truth, byHand]).isBetter).toBe(false)
})

function answered(seed: number, answer: (place: number, batch: Batch) => number): Batch {
  const batch = drawn(seed, 1_000)
  batch.labels.set(batch.labels.map((_, place) => answer(place, batch)))
  return batch
}

it.each<[string, (place: number, batch: Batch) => number]>([
  ['everyone likes everyone', () => 1],
  ['everyone passes on everyone', () => 0],
  ['only likes are from before the last days', (place, { recent }) => (recent[place] ? place % 2 : 1)],
  ['only passes are from the last days', (place, { recent }) => (recent[place] ? 0 : place % 2)],
  ['one pass is from the last days', (place) => (place === 900 ? 0 : 1)],
  ['one pass is from before', (place) => (place === 100 ? 0 : 1)],
  ['each viewer gives one answer only', (place, { actors }) => actors[place]! % 2],
])('a model is not better if %s', (_what, answer) => {
  const batch = answered(9, answer)
  expect(train(batch, byHand, [byHand]).isBetter).toBe(false)
  // The same on exploration cards only, which have their own interval.
  expect(train({ ...batch, exploring: batch.exploring.fill(10) }, byHand, [byHand]).isBetter).toBe(false)
})

it.each([0.02, 0.5, 0.98])(
  'training ranks by features, not by a runaway intercept, if a share of %d are likes',
  (share) => {
    const random = seededRandom(11)
    const { learned } = train(
      answered(10, () => Number(random() < share)),
      byHand,
      [byHand],
    )
    expect(Math.abs(learned.intercept)).toBeLessThan(6)
  },
)

it('a model is compared with the best of all kept models, not only with the last', { tags: 'long' }, () => {
  const batch = drawn(5)
  const { learned, quality } = train(batch, byHand, [byHand])
  const again = train(batch, byHand, [learned, byHand])
  expect(again.before).toEqual(quality)
  expect(again.isBetter).toBe(false)
})

it('training uses features as ranking does, even far from their mean', { tags: 'long' }, () => {
  const batch = drawn(6, 40_000)
  const random = seededRandom(60)
  // One value in a hundred is ten deviations from the mean, and these people decide as the weight predicts.
  for (let place = 0; place < batch.labels.length; place++) {
    const value = random() < 0.01 ? 2 : 0.05 * drawNormal(random)
    batch.rows[place * 3] = value
    batch.labels[place] = random() < sigmoid(truth.intercept + value) ? 1 : 0
  }
  const [weight = 0] = train(batch, byHand, [byHand]).learned.weights
  expect(Math.abs(weight - 1)).toBeLessThan(0.15)
})

describe('exploring cards', () => {
  /**
   * One decision in ten is on an exploration card, drawn among few or many people; the labels of these decisions follow
   * `weights`.
   */
  function explored(seed: number, weights: Float64Array): Batch {
    const batch = drawn(seed)
    const random = seededRandom(seed + 100)
    for (let place = 0; place < batch.labels.length; place++) {
      if (random() > 0.1) continue
      batch.exploring[place] = random() < 0.8 ? 5 : 20
      const z = weights.reduce((sum, weight, column) => sum + weight * (batch.rows[place * 3 + column] ?? 0), 0)
      if (batch.recent[place]) batch.labels[place] = random() < sigmoid(byHand.intercept + z) ? 1 : 0
    }
    return batch
  }

  it('on exploring cards, a model is better if the lower end of its gain is above zero', { tags: 'long' }, () => {
    const { gain, isBetter } = train(explored(7, truth.weights), byHand, [byHand])
    expect(gain?.decisions).toBeGreaterThan(200)
    expect(gain?.viewers).toBeGreaterThan(100)
    expect(gain?.low).toBeGreaterThan(0)
    expect(gain?.mean).toBeGreaterThan(gain?.low ?? 9)
    expect(gain?.high).toBeGreaterThan(gain?.mean ?? 9)
    expect(isBetter).toBe(true)
  })

  it('a model that only predicts better on people the old ranking chose does not replace it', { tags: 'long' }, () => {
    const { gain, quality, before, isBetter } = train(explored(8, byHand.weights), byHand, [byHand])
    expect(quality.logLoss).toBeLessThan(before.logLoss)
    expect(gain?.low).toBeLessThan(0)
    expect(isBetter).toBe(false)
  })

  it('too few exploring cards give no result', { tags: 'long' }, () => {
    const batch = explored(9, truth.weights)
    batch.exploring.fill(0, 0, 11_900)
    const { gain, isBetter } = train(batch, byHand, [byHand])
    expect(gain).toBeUndefined()
    expect(isBetter).toBe(true)
  })
})

it('training is deterministic', { tags: 'long' }, () => {
  expect(train(drawn(4, 2_000), byHand, [byHand])).toEqual(train(drawn(4, 2_000), byHand, [byHand]))
})

describe('likes with a comment', () => {
  const batch = drawn(9)
  const people = batch.people
  /** Everyone likes and passes on two people equally often. Likes of the second have a comment. */
  const two = (stages: number[]): Batch => ({
    ...batch,
    ...{ actors: Int32Array.from({ length: 400 }, (_, place) => Math.floor(place / 4)) },
    ...{ targets: Int32Array.from({ length: 400 }, (_, place) => people + (place % 2)), people: people + 2 },
    ...{ labels: Uint8Array.from({ length: 400 }, (_, place) => Math.floor(place / 2) % 2) },
    ...{ stages: Uint8Array.from({ length: 400 }, (_, place) => stages[place % 2]!), rows: new Float64Array(1_200) },
    ...{ interests: new Int32Array((people + 2) * 2), exploring: new Float64Array(400) },
    recent: Uint8Array.from({ length: 400 }, (_, place) => Number(place >= 200)),
  })
  const likedOf = (stages: number[]) => {
    const { receives } = train(two(stages), byHand, [byHand]).effects
    return [receives[people]!, receives[people + 1]!] as const
  }

  it('a like with a comment shows more about how much someone is liked', () => {
    const [plain, worded] = likedOf([0, 1])
    expect(worded).toBeGreaterThan(plain)
  })

  it('comments make no difference if all likes have one', () => {
    expect(likedOf([1, 1])).toEqual(likedOf([0, 0]))
  })
})
