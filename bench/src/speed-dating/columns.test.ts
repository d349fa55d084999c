import { expect, it } from 'vitest'
import { requireFeatures } from '../../../server/src/features/matching/features.ts'
import { type Known, known, meeting, scorecard } from './columns.ts'
import type { Dater, Pair } from './evenings.ts'
import { featuresOf, pairFeatures } from './pair-features.ts'

// Decisions, ratings and texts recorded during or after the evening. Features must never use them.
const outcomes =
  /^(dec|match|like|prob|met|match_es|attr|sinc|intel|fun|amb|shar|numdat|you_call|them_cal)(_o)?$|_[23s]$|_o$/
const sensitive = /race|relig|zip|income|field$|undergra|from|tuition|mn_sat/

it('features known beforehand contain no outcome and nothing sensitive', () => {
  for (const column of known) {
    expect(column).not.toMatch(outcomes)
    expect(column).not.toMatch(sensitive)
  }
  const outcomesRead: readonly string[] = [...meeting, ...scorecard]
  expect(known.filter((column) => outcomesRead.includes(column))).toEqual([])
  for (const column of scorecard) expect(column).not.toMatch(sensitive)
})

it("an outcome used as a column that is known beforehand doesn't compile", () => {
  // @ts-expect-error: what was decided
  const decision: Known = 'dec'
  // @ts-expect-error: a rating of the evening
  const rating: Known = 'attr_o'
  // @ts-expect-error: a follow-up weeks later
  const later: Known = 'attr1_2'
  expect([decision, rating, later].every((column) => !known.includes(column))).toBe(true)
})

const dater = (place: number): Dater => ({
  ...{ place, age: 24 + place, field: '1', career: '2', goal: '3', dates: 4, goesOut: 2, expects: 5 },
  ...{ interests: new Array(17).fill(place + 1), self: new Array(5).fill(6 + place), wishes: new Array(6).fill(1 / 6) },
})

it('every feature has a value, and none depends on the decisions', () => {
  expect(requireFeatures(pairFeatures)).toHaveLength(pairFeatures.length)
  const [man, woman] = [dater(0), dater(1)]
  const pair = { people: [man, woman], wave: 1, order: 1, interestCorrelation: 0.2 } as const
  const values = (said: Pair['said'], match: number, rating: number) => {
    const card = scorecard.map(() => rating)
    return featuresOf(man, woman, { ...pair, said, match, cards: [card, card] })
  }
  expect(values([1, 1], 1, 10)).toHaveLength(pairFeatures.length)
  expect(values([1, 1], 1, 10)).toEqual(values([0, 0], 0, 1))
})
