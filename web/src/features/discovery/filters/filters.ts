import type { Widener } from '@duet/contract/discovery.ts'
import { childrenWishes, diets, frequencies, intents, languages, limits } from '@duet/contract/limits.ts'
import type { MyDetails, Preferences } from '@duet/contract/profiles.ts'

export type Filters = Pick<MyDetails, 'interestedIn' | 'ageMin' | 'ageMax' | 'maxDistanceKm' | 'preferences'>

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

export interface Wish {
  accepts: string[]
  dealbreaker: boolean
}

/** Filters that exclude nobody. `interestedIn` isn't among them. */
export const openFilters = {
  ageMin: limits.adultAge,
  ageMax: limits.ageFilterMax,
  maxDistanceKm: null,
  preferences: {},
} satisfies Partial<Filters>

/** The server's default for new accounts (`profiles.max_distance_km`), which doesn't count as an active filter. */
const usualDistance = 100

/** The i18n context for an age range; the highest selectable age means "and above". */
export const ageContext = (max: number) => (max >= limits.ageFilterMax ? 'open' : 'to')

export const filtersOf = ({ interestedIn, ageMin, ageMax, maxDistanceKm, preferences }: Filters): Filters => ({
  interestedIn,
  ageMin,
  ageMax,
  maxDistanceKm,
  preferences: preferences ?? {},
})

/** Undefined if the list of accepted values is empty. */
export function wishOf(preferences: Preferences, item: WishItem): Wish | undefined {
  const wish = preferences[item]
  return wish && wish.accepts.length > 0 ? wish : undefined
}

export function withoutWish(preferences: Preferences, item: Item): Preferences {
  const { [item]: _, ...rest } = preferences
  return rest
}

/** An empty list of values removes the preference. */
export function withWish(preferences: Preferences, item: WishItem, wish: Wish): Preferences {
  if (wish.accepts.length === 0) return withoutWish(preferences, item)
  // The cast is safe, because the values come from `wishes[item]`.
  return { ...preferences, [item]: wish } as Preferences
}

export interface ActiveFilter {
  key: 'ages' | 'distance' | Item
  without: Partial<Filters>
}

/** The filters that exclude anyone, in the order of the filters sheet. */
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

export const widened = (changes: Widener['changes']): Partial<Filters> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
