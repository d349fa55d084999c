import { gini } from '../../../server/src/features/matching/metrics.ts'
import type { Lived } from './days.ts'
import type { World } from './world.ts'

export interface Outcome {
  matches: number
  answered: number
  giniMen: number
  giniWomen: number
  menAnswered: number
  womenAnswered: number
  /** The 10th percentile of answered matches per person, among people who stayed at least a week. */
  tenthAnswered: number
  /**
   * Newcomers' share of impressions divided by their share of people, from the second week on. Newcomers are people in
   * their first week.
   */
  newcomerShare: number
}

const sides = [0, 1] as const
const week = 7

function stayOf([from, until]: readonly [number, number], days: number): number {
  return Math.max(0, Math.min(until, days) - from)
}

function newcomerShare({ sides: people }: World, { shown }: Lived, days: number): number {
  let [shownNew, shownAll, hereNew, hereAll] = [0, 0, 0, 0]
  for (const side of sides)
    for (const [place, { here }] of people[side].entries())
      for (let day = Math.max(week, here[0]); day < Math.min(days, here[1]); day++) {
        const times = shown[side][day * people[side].length + place]!
        const isNew = here[0] > 0 && day - here[0] < week
        shownAll += times
        hereAll++
        if (!isNew) continue
        shownNew += times
        hereNew++
      }
  return hereNew === 0 ? Number.NaN : shownNew / shownAll / (hereNew / hereAll)
}

function timesShown({ sides: people }: World, { shown }: Lived, side: 0 | 1, days: number): Float64Array {
  const count = people[side].length
  return Float64Array.from({ length: count }, (_, place) => {
    let sum = 0
    for (let day = 0; day < days; day++) sum += shown[side][day * count + place]!
    return sum
  })
}

export function outcomeOf(world: World, lived: Lived, days: number): Outcome {
  const { answered, answeredByDay, matches } = lived
  const some = (list: Float64Array) => list.filter((one) => one > 0).length / list.length
  const settled = sides.flatMap((side) =>
    [...answered[side]].filter((_, place) => stayOf(world.sides[side][place]!.here, days) >= week),
  )
  settled.sort((one, other) => one - other)
  return {
    matches,
    answered: answeredByDay.reduce((sum, one) => sum + one, 0),
    giniMen: gini(timesShown(world, lived, 0, days)),
    giniWomen: gini(timesShown(world, lived, 1, days)),
    menAnswered: some(answered[0]),
    womenAnswered: some(answered[1]),
    tenthAnswered: settled[Math.floor(settled.length / 10)] ?? 0,
    newcomerShare: newcomerShare(world, lived, days),
  }
}

/** How often the people liked in a burst were shown in the week from that day on. */
export function reachOf(world: World, { shown }: Lived, liked: readonly number[], from: number, days: number): number {
  let sum = 0
  for (const place of liked)
    for (let day = from; day < Math.min(days, from + week); day++) sum += shown[1][day * world.sides[1].length + place]!
  return sum
}
