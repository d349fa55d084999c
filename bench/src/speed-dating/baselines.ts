import type { Pair } from './evenings.ts'
import { cosine, same, satisfied } from './pair-features.ts'

const orZero = (value: number) => (Number.isNaN(value) ? 0 : value)

/** The correlation of the two people's interest ratings, as given in the data file. */
export const interestCorrelation = ({ interestCorrelation }: Pair) => orZero(interestCorrelation)

export function similarity({ people: [man, woman] }: Pair): number {
  const parts = [
    1 - Math.min(orZero(Math.abs(man.age - woman.age)), 15) / 15,
    orZero(cosine(man.interests, woman.interests)),
    orZero(same(man.field, woman.field)),
    orZero(same(man.career, woman.career)),
    orZero(same(man.goal, woman.goal)),
    1 - orZero(Math.abs(man.goesOut - woman.goesOut)) / 6,
  ]
  return parts.reduce((sum, part) => sum + part, 0) / parts.length
}

/**
 * The geometric mean of how well each person meets the other's stated preferences. With these data, this is the closest
 * to OkCupid's score.
 */
export function statedPreferences({ people: [man, woman] }: Pair): number {
  const mean = Math.sqrt(satisfied(man, woman) * satisfied(woman, man))
  return Number.isNaN(mean) ? 0.6 : mean
}

const weightOfPrior = 4

/**
 * The product of both people's popularity, which is the smoothed share of yeses that each received in the visible
 * pairs.
 */
export function popularity(visible: readonly Pair[], bases: readonly [man: number, woman: number]) {
  const received = new Map<number, { yes: number; count: number }>()
  for (const { people, said } of visible)
    for (const side of [0, 1] as const) {
      const place = people[side === 0 ? 1 : 0].place
      const sums = received.get(place) ?? { yes: 0, count: 0 }
      received.set(place, { yes: sums.yes + said[side], count: sums.count + 1 })
    }
  const rate = (place: number, base: number) => {
    const { yes, count } = received.get(place) ?? { yes: 0, count: 0 }
    return (yes + weightOfPrior * base) / (count + weightOfPrior)
  }
  return ({ people: [man, woman] }: Pair) => rate(man.place, bases[1]) * rate(woman.place, bases[0])
}
