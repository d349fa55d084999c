import type { Pool, Widener } from '@duet/contract/discovery.ts'
import { distanceFilters, limits } from '@duet/contract/limits.ts'
import { by } from '@duet/contract/order.ts'
import type { Preferences } from '@duet/contract/profiles.ts'
import type { Platform } from '../../platform/platform.ts'
import { searcherOf, triedPoolOf } from '../candidates/candidates.ts'
import { getMyDetails } from '../profiles/profiles.ts'

const steps = [1000, 500, 200, 100, 50, 20, 10, 5] as const
/** How many suggestions for wider filters are returned, and by how many years they widen an age limit. */
const offered = { wideners: 3, years: 5 }

/** Rounds a count down to a step, or to 1 if it is below five, so that nobody can be identified by counting. */
export function stepOf(count: number): number {
  return steps.find((step) => count >= step) ?? (count > 0 ? 1 : 0)
}

/**
 * A count of people who fit in one direction only, so some of them don't want to be seen by the viewer. Below five, the
 * rounded number of mutual fits is returned instead: otherwise someone with known traits could be identified by trying
 * out filters.
 */
const oneSided = (count: number, both: number) => stepOf(count < 5 ? both : count)

export interface Tried {
  interestedIn?: ('woman' | 'man' | 'nonbinary')[] | undefined
  ageMin?: number | undefined
  ageMax?: number | undefined
  maxDistanceKm?: (typeof distanceFilters)[number] | null | undefined
  preferences?: Preferences | undefined
}
type Filters = Required<{ [K in keyof Tried]: Exclude<Tried[K], undefined> }>

function widenings({ ageMin, ageMax, maxDistanceKm, preferences }: Filters): Omit<Widener, 'adds'>[] {
  const further = maxDistanceKm === null ? undefined : (distanceFilters.find((km) => km > maxDistanceKm) ?? null)
  const isNarrow = ageMin > limits.adultAge || ageMax < limits.ageFilterMax
  const ages = {
    ageMin: Math.max(limits.adultAge, ageMin - offered.years),
    ageMax: Math.min(limits.ageFilterMax, ageMax + offered.years),
  }
  const items = Object.entries(preferences).filter(([, wish]) => wish?.dealbreaker) as [Widener['item'], object][]
  return [
    ...(further === undefined ? [] : [{ item: 'distance' as const, changes: { maxDistanceKm: further } }]),
    ...(isNarrow ? [{ item: 'ages' as const, changes: ages }] : []),
    ...items.map(([item, wish]) => ({
      item,
      changes: { preferences: { ...preferences, [item]: { ...wish, dealbreaker: false } } },
    })),
  ]
}

function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

/**
 * Roughly how many people would fit the viewer with some filters changed, and which single changes would add the most.
 * Stores nothing.
 */
export async function measurePool(platform: Platform, viewerId: string, tried: Tried): Promise<Pool> {
  const { interestedIn, ageMin, ageMax, maxDistanceKm, preferences } = await getMyDetails(platform, viewerId)
  const filters: Filters = { interestedIn, ageMin, ageMax, maxDistanceKm, preferences, ...defined(tried) }
  const { i_see, see_me, both } = await triedPoolOf(platform, await searcherOf(platform, viewerId, filters))
  const wideners: Widener[] = []
  for (const widening of widenings(filters)) {
    const wider = await triedPoolOf(platform, await searcherOf(platform, viewerId, { ...filters, ...widening.changes }))
    wideners.push({ ...widening, adds: stepOf(wider.both - both) })
  }
  const best = wideners.filter(({ adds }) => adds > 0).sort(by(({ adds }) => -adds))
  const iSee = oneSided(i_see, both)
  const seeMe = oneSided(see_me, both)
  return { iSee, seeMe, both: stepOf(both), wideners: best.slice(0, offered.wideners) }
}
