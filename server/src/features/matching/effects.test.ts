import { expect, it } from 'vitest'
import { drawBelow, drawNormal, seededRandom } from '../../platform/random.ts'
import { type EffectsPrior, fitEffects } from './effects.ts'
import { sigmoid } from './ridge.ts'

const prior: EffectsPrior = { says: 2, receives: 1, covariance: 0, interceptVariance: 1, intercept: 0 }

function drawn(people: number, count: number, seed: number) {
  const random = seededRandom(seed)
  const says = Float64Array.from({ length: people }, () => Math.SQRT2 * drawNormal(random))
  const receives = Float64Array.from({ length: people }, () => drawNormal(random))
  const actors = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const targets = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const labels = Array.from(actors, (actor, place) =>
    random() < sigmoid(-0.7 + (says[actor] ?? 0) + (receives[targets[place] ?? 0] ?? 0)) ? 1 : 0,
  )
  return { people, actors, targets, labels, says, receives }
}

function correlation(one: Float64Array, other: Float64Array): number {
  const mean = (list: Float64Array) => list.reduce((sum, value) => sum + value, 0) / list.length
  const [first, second] = [mean(one), mean(other)]
  let [product, left, right] = [0, 0, 0]
  for (const [place, value] of one.entries()) {
    const [x, y] = [value - first, (other[place] ?? 0) - second]
    product += x * y
    left += x * x
    right += y * y
  }
  return product / Math.sqrt(left * right)
}

it('fitting finds who says yes often and who is liked often', () => {
  const decisions = drawn(200, 20_000, 1)
  const found = fitEffects(decisions, prior)
  expect(correlation(found.says, decisions.says)).toBeGreaterThan(0.95)
  expect(correlation(found.receives, decisions.receives)).toBeGreaterThan(0.95)
})

it('people with few decisions get small effects', () => {
  const yes = (count: number) => {
    const actors = new Int32Array(count)
    const targets = Int32Array.from({ length: count }, (_, place) => place + 1)
    return fitEffects({ people: 41, actors, targets, labels: new Array(count).fill(1) }, prior).says[0] ?? 0
  }
  expect(yes(0)).toBe(0)
  expect(yes(1)).toBeGreaterThan(0)
  expect(yes(3)).toBeGreaterThan(yes(1))
  expect(yes(40)).toBeGreaterThan(yes(3))
  expect(yes(40)).toBeLessThan(6)
})

it('fitting stops where changing any single effect improves nothing', () => {
  const decisions = drawn(60, 900, 2)
  const { intercept, says, receives } = fitEffects(decisions, prior, 500)
  const gradient = Float64Array.from(says, (effect) => -effect / prior.says)
  for (const [place, actor] of decisions.actors.entries()) {
    const z = intercept + (says[actor] ?? 0) + (receives[decisions.targets[place] ?? 0] ?? 0)
    gradient[actor]! += (decisions.labels[place] ?? 0) - sigmoid(z)
  }
  for (const left of gradient) expect(Math.abs(left)).toBeLessThan(0.02)
})

it('with a covariance, one effect informs the other', () => {
  const decisions = { people: 2, actors: Int32Array.of(0), targets: Int32Array.of(1), labels: [0] }
  const apart = fitEffects(decisions, prior)
  const together = fitEffects(decisions, { ...prior, covariance: -0.5 })
  expect(apart.receives[0]).toBeCloseTo(0, 6)
  expect(together.receives[0]).toBeGreaterThan(0.01)
})
