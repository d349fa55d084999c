import { expect, it } from 'vitest'
import { drawBelow, drawNormal, seededRandom } from '../../platform/random.ts'
import { fitStack, matchProbability } from './combine.ts'
import { fitDecisions } from './fit.ts'
import { sigmoid } from './ridge.ts'

const prior = { says: 2, receives: 1, covariance: 0 }

/**
 * Decisions where the feature correlates with who decides, so that a plain regression misjudges the feature's weight.
 */
function drawn(seed: number, people = 150, count = 15_000) {
  const random = seededRandom(seed)
  const says = Array.from({ length: people }, () => Math.SQRT2 * drawNormal(random))
  const receives = Array.from({ length: people }, () => drawNormal(random))
  const actors = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const targets = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const rows = new Float64Array(count * 2)
  const labels = Array.from(actors, (actor, place) => {
    const value = drawNormal(random)
    rows.set([1, value], place * 2)
    const z = -0.5 + 0.6 * value + (says[actor] ?? 0) + (receives[targets[place] ?? 0] ?? 0)
    return random() < sigmoid(z) ? 1 : 0
  })
  return { people, actors, targets, labels, rows, columns: 2 }
}

it("fitting finds a feature's weight among people who decide very differently", { tags: 'long' }, () => {
  const { weights } = fitDecisions(drawn(1), [0, 1], prior)
  expect(Math.abs((weights[1] ?? 9) - 0.6)).toBeLessThan(0.06)
  const alone = fitDecisions(drawn(1), [0, 1], { says: 1e-6, receives: 1e-6, covariance: 0 })
  expect(alone.weights[1]).toBeLessThan(0.55)
})

it('fitting is deterministic', { tags: 'long' }, () => {
  expect(fitDecisions(drawn(2), [0, 1], prior)).toEqual(fitDecisions(drawn(2), [0, 1], prior))
})

it('the stack learns how two directions make a match', () => {
  const random = seededRandom(3)
  const pairs = Array.from({ length: 20_000 }, () => {
    const [there, back] = [sigmoid(drawNormal(random) - 0.5), sigmoid(drawNormal(random) - 0.5)]
    return { there, back, match: random() < there * back ? 1 : 0 }
  })
  const list = (key: 'there' | 'back' | 'match') => pairs.map((pair) => pair[key])
  const stack = fitStack(list('there'), list('back'), list('match'))
  for (const [there, back] of [
    [0.4, 0.4],
    [0.6, 0.3],
    [0.2, 0.5],
  ] as const)
    expect(Math.abs(matchProbability(stack, there, back) - there * back)).toBeLessThan(0.03)
})

it('the match probability is symmetric, and after a like depends only on the answer', () => {
  const kinds = [{ kind: 'product' }, { kind: 'harmonic' }, { kind: 'stack', weights: [-1, 0.4, 0.4, 0.3] }] as const
  for (const combine of kinds) {
    expect(matchProbability(combine, 0.3, 0.6)).toBe(matchProbability(combine, 0.6, 0.3))
    expect(matchProbability(combine, 0.3, 1)).toBeGreaterThanOrEqual(matchProbability(combine, 0.3, 0.9))
    expect(matchProbability(combine, 0.3, 1)).toBe(matchProbability(combine, 1, 0.3))
    expect(matchProbability(combine, 0, 0.5)).toBe(0)
  }
})

it('the harmonic mean equals the product for equal probabilities, and is less for different ones', () => {
  expect(matchProbability({ kind: 'harmonic' }, 0.4, 0.4)).toBeCloseTo(0.16, 12)
  expect(matchProbability({ kind: 'harmonic' }, 0.8, 0.2)).toBeLessThan(0.8 * 0.2)
  expect(matchProbability({ kind: 'harmonic' }, 0.3, 1)).toBe(0.3)
})
