import type { Widener } from '@duet/contract/discovery.ts'
import { childrenWishes, diets, frequencies, intents, languages, limits } from '@duet/contract/limits.ts'
import type { MyDetails, Preferences } from '@duet/contract/profiles.ts'

/** Who I see: the part of the own profile that filters. */
export type Filters = Pick<MyDetails, 'interestedIn' | 'ageMin' | 'ageMax' | 'maxDistanceKm' | 'preferences'>

/** The wishes that are a choice of words, with what may be chosen. */
export const wishes = {
  intents,
  children: childrenWishes,
  smoking: frequencies,
  drinking: frequencies,
  diet: diets,
  languages,
} as const
export type WishItem = keyof typeof wishes
export type Item = WishItem | 'height'
export const wishItems = Object.keys(wishes) as WishItem[]

/** A wish of words, whatever its words are. */
export interface Wish {
  accepts: string[]
  dealbreaker: boolean
}

/** Filters that let everyone in; who to meet is not one of them. */
export const openFilters = {
  ageMin: limits.adultAge,
  ageMax: limits.ageFilterMax,
  maxDistanceKm: null,
  preferences: {},
} satisfies Partial<Filters>

/** How far a new account looks, in km, as `profiles.max_distance_km` has it: no filter of the person's own. */
const usualDistance = 100

/** How the ages up to `max` are said: the highest that can be set means that age and above. */
export const ageContext = (max: number) => (max >= limits.ageFilterMax ? 'open' : 'to')

export const filtersOf = ({ interestedIn, ageMin, ageMax, maxDistanceKm, preferences }: Filters): Filters => ({
  interestedIn,
  ageMin,
  ageMax,
  maxDistanceKm,
  preferences: preferences ?? {},
})

/** What is wished for one item, or undefined. An empty list of words is no wish. */
export function wishOf(preferences: Preferences, item: WishItem): Wish | undefined {
  const wish = preferences[item]
  return wish && wish.accepts.length > 0 ? wish : undefined
}

/** The wishes without one item. */
export function withoutWish(preferences: Preferences, item: Item): Preferences {
  const { [item]: _, ...rest } = preferences
  return rest
}

/** The wishes with other words for one item; no words take the wish away. */
export function withWish(preferences: Preferences, item: WishItem, wish: Wish): Preferences {
  if (wish.accepts.length === 0) return withoutWish(preferences, item)
  // The words come from `wishes[item]`, which is what the contract allows for this item.
  return { ...preferences, [item]: wish } as Preferences
}

export interface ActiveFilter {
  key: 'ages' | 'distance' | Item
  /** The filters without it. */
  without: Partial<Filters>
}

/** The filters a person has set that keep someone out, in the order of the sheet. */
export function activeFilters({ ageMin, ageMax, maxDistanceKm, preferences }: Filters): ActiveFilter[] {
  const { ageMin: youngest, ageMax: oldest } = openFilters
  const found: ActiveFilter[] = []
  if (ageMin > youngest || ageMax < oldest) found.push({ key: 'ages', without: { ageMin: youngest, ageMax: oldest } })
  if (maxDistanceKm !== null && maxDistanceKm !== usualDistance)
    found.push({ key: 'distance', without: { maxDistanceKm: null } })
  for (const item of [...wishItems, 'height'] as const)
    if (item === 'height' ? preferences.height : wishOf(preferences, item))
      found.push({ key: item, without: { preferences: withoutWish(preferences, item) } })
  return found
}

/** What a widener changes, and nothing that it leaves alone. */
export const widened = (changes: Widener['changes']): Partial<Filters> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
