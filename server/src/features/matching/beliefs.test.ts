import { interestIds } from '@duet/contract/catalogue.ts'
import { describe, expect, it } from 'vitest'
import { drawBelow, drawNormal, seededRandom } from '../../platform/random.ts'
import { expectedOf, interestRows, namedBeliefs, priorOf, readBeliefs, unlearnedBeliefs } from './beliefs.ts'
import { matchingConstants } from './constants.ts'
import { fitDecisions } from './fit.ts'
import { emptyTally, learnFrom } from './learning.ts'
import { defaultModel, type RankingModel } from './model.ts'
import { candidate, someone } from './people.test-data.ts'
import { sigmoid } from './ridge.ts'
import { scoreAll } from './score.ts'

const noRarity = { rarity: new Float64Array(interestIds.length), meanPending: 0 }

/**
 * Random decisions by people of whom a random half has the first interest, and a random half the 31st, which is in the
 * second mask.
 */
function drawn(seed: number, { people = 600, count = 24_000, says = 0, receives = 0 } = {}) {
  const random = seededRandom(seed)
  const interests = Int32Array.from({ length: people * 2 }, () => Number(random() < 0.5))
  const [a, b] = [1, 0.6].map((deviation) =>
    Float64Array.from({ length: people }, () => deviation * drawNormal(random)),
  ) as [Float64Array, Float64Array]
  const actors = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const targets = Int32Array.from({ length: count }, () => drawBelow(random, people))
  const labels = Array.from(actors, (actor, place) => {
    const target = targets[place]!
    const expected = says * interests[actor * 2]! + receives * interests[target * 2 + 1]!
    return Number(random() < sigmoid(-0.5 + expected + a[actor]! + b[target]!))
  })
  const rows = new Float64Array(count).fill(1)
  /** The average effect of people with an interest, minus that of people without it. */
  const apart = (effects: Float64Array, half: 0 | 1) => {
    const mean = (has: number) => {
      const own = effects.filter((_, person) => interests[person * 2 + half] === has)
      return own.reduce((sum, one) => sum + one, 0) / own.length
    }
    return mean(1) - mean(0)
  }
  const truth = { says: says + apart(a, 0), receives: receives + apart(b, 1) }
  return { truth, people, actors, targets, labels, rows, columns: 1, interests: interestRows(interests) }
}

describe('expectations by interest', () => {
  it('expectations are learned by interest, separately for each effect, along with the variances', {
    tags: 'long',
  }, () => {
    const { truth, ...decisions } = drawn(1, { says: 0.8, receives: -0.5 })
    const { beliefs } = fitDecisions(decisions, [0], priorOf(unlearnedBeliefs), 8)
    expect(beliefs.says.interests[0]! / truth.says).toBeGreaterThan(0.7)
    expect(beliefs.says.interests[0]! / truth.says).toBeLessThan(1)
    expect(beliefs.receives.interests[30]! / truth.receives).toBeGreaterThan(0.7)
    expect(beliefs.receives.interests[30]! / truth.receives).toBeLessThan(1)
    expect(Math.abs(beliefs.says.interests[30]!)).toBeLessThan(0.2)
    expect(Math.abs(beliefs.receives.interests[0]!)).toBeLessThan(0.15)
    expect(Math.abs(beliefs.says.variance - 1)).toBeLessThan(0.2)
    expect(Math.abs(beliefs.receives.variance - 0.36)).toBeLessThan(0.12)
  })

  it('uninformative interests get weights near zero, and interests that nobody has get exactly zero', {
    tags: 'long',
  }, () => {
    const { beliefs } = fitDecisions(drawn(2), [0], priorOf(unlearnedBeliefs), 8)
    for (const belief of [beliefs.says, beliefs.receives]) {
      expect(Math.max(...belief.interests.map(Math.abs))).toBeLessThan(0.15)
      expect(belief.interests[1]).toBe(0)
    }
  })

  it('expectations add up over the interests in both masks, within a bound', () => {
    const interests = new Float64Array(interestIds.length)
    interests.set([0.1], 2)
    interests.set([0.15], 30)
    const belief = { interests, variance: 1 }
    expect(expectedOf(belief, [0, 0])).toBe(0)
    expect(expectedOf(belief, [4, 1])).toBeCloseTo(0.25, 12)
    expect(expectedOf({ ...belief, interests: interests.map((one) => 9 * one) }, [4, 1])).toBe(
      matchingConstants.expectedMost,
    )
  })

  it('expectations are stored by interest name', { tags: 'long' }, () => {
    const { beliefs } = fitDecisions(drawn(3, { says: 0.5 }), [0], priorOf(unlearnedBeliefs))
    expect(readBeliefs(namedBeliefs(beliefs))).toEqual(beliefs)
    expect(readBeliefs(undefined)).toEqual(unlearnedBeliefs)
  })
})

describe('people without decisions', () => {
  const interests = new Float64Array(interestIds.length)
  interests[0] = 0.25
  const belief = { interests, variance: 1 }
  const matchWith = (beliefs: RankingModel['beliefs'], masks: [number, number], b = 0) =>
    scoreAll({ ...defaultModel, beliefs }, someone(), [candidate({ interests: masks, b })], noRarity).match[0] ?? 0

  it('people without decisions are scored by the same formula: an expectation counts like a learned effect', () => {
    const beliefs = { ...unlearnedBeliefs, receives: belief }
    expect(matchWith(beliefs, [1, 0])).toBe(matchWith(unlearnedBeliefs, [1, 0], 0.25))
    expect(matchWith(beliefs, [1, 0])).toBeGreaterThan(matchWith(beliefs, [2, 0]))
    const choosy = { ...unlearnedBeliefs, says: { ...belief, interests: interests.map((one) => -one) } }
    expect(matchWith(choosy, [1, 0])).toBeLessThan(matchWith(choosy, [2, 0]))
  })

  it('a decision teaches less if it was expected', () => {
    const learned = (masks: [number, number]) => {
      const tallies = new Map(['ana', 'ben'].map((id) => [id, emptyTally(id)]))
      const model = { ...defaultModel, beliefs: { ...unlearnedBeliefs, says: belief } }
      const yes = { actorId: 'ana', targetId: 'ben', yes: true, at: new Date() }
      learnFrom([{ ...yes, countsForActor: true, countsForTarget: true }], tallies, model, new Map([['ana', masks]]))
      return tallies.get('ana')?.says_yes ?? 0
    }
    expect(learned([1, 0])).toBeGreaterThan(0)
    expect(learned([1, 0])).toBeLessThan(learned([2, 0]))
  })
})
