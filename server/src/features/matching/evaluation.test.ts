import { describe, expect, it } from 'vitest'
import { drawBelow, drawNormal, seededRandom } from '../../platform/random.ts'
import { type Drawn, effectiveSize, measureDrawn } from './evaluation.ts'

/**
 * Random draws that pick one of the first 10 of 100 people, the newcomers, four times out of five. `valueFor` gives the
 * value measured for the person drawn.
 */
function drawn(seed: number, count: number, valueFor: (person: number, viewer: number) => number): Drawn {
  const random = seededRandom(seed)
  const viewers = Array.from({ length: count }, (_, place) => place % 60)
  const people = viewers.map(() => (random() < 0.8 ? drawBelow(random, 10) : 10 + drawBelow(random, 90)))
  return {
    viewers,
    values: people.map((person, place) => valueFor(person, viewers[place] ?? 0)),
    weights: people.map((person) => (person < 10 ? 10 / 0.8 : 90 / 0.2)),
  }
}

describe('a mean over those who were drawn', () => {
  it('the mean over people who were drawn equals the mean over everyone, however different their chances', () => {
    const log = drawn(1, 6_000, (person) => (person < 10 ? 1 : 0))
    const plain = Array.from(log.values).reduce((sum, one) => sum + one, 0) / log.values.length
    expect(plain).toBeGreaterThan(0.7)
    const { mean, low, high } = measureDrawn(log, seededRandom(1)) ?? {}
    expect(Math.abs((mean ?? 9) - 0.1)).toBeLessThan(0.01)
    expect(low).toBeLessThan(0.1)
    expect(high).toBeGreaterThan(0.1)
  })

  it('the interval contains the truth nine times out of ten, even if each viewer has a taste', () => {
    let hits = 0
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed)
      const tastes = Array.from({ length: 60 }, () => drawNormal(random))
      const log = drawn(seed + 500, 1_200, (_person, viewer) => (tastes[viewer] ?? 0) + 0.1 * drawNormal(random))
      const { low = 9, high = -9 } = measureDrawn(log, seededRandom(seed)) ?? {}
      if (low <= 0 && high >= 0) hits++
    }
    expect(hits).toBeGreaterThanOrEqual(80)
  })

  it('there is no result for few viewers, few decisions, or a few that weigh nearly everything', () => {
    const log = drawn(3, 2_000, () => 1)
    expect(measureDrawn(log, seededRandom(1))).toMatchObject({ mean: 1, viewers: 60, decisions: 2_000 })
    expect(
      measureDrawn({ ...log, viewers: Array.from(log.viewers, (one) => one % 29) }, seededRandom(1)),
    ).toBeUndefined()
    expect(
      measureDrawn(
        drawn(3, 90, () => 1),
        seededRandom(1),
      ),
    ).toBeUndefined()
    const weights = Array.from(log.weights, (_, place) => (place < 50 ? 1e6 : 1))
    expect(measureDrawn({ ...log, weights }, seededRandom(1))).toBeUndefined()
    expect(measureDrawn({ viewers: [], values: [], weights: [] }, seededRandom(1))).toBeUndefined()
  })

  it('the effective size of equally weighted decisions is their number', () => {
    expect(effectiveSize([3, 3, 3, 3])).toBeCloseTo(4)
    expect(effectiveSize([1e6, 1, 1])).toBeCloseTo(1, 4)
    expect(effectiveSize([])).toBe(0)
  })
})
