import { z } from 'zod'
import { Gender, InterestedIn } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Timestamp, UserId } from './ids.ts'
import { distanceFilters, limits } from './limits.ts'
import { Preferences, Profile, ProfileCard } from './profiles.ts'
import { rateLimits } from './rate-limits.ts'

export const NearbyPage = z.object({ users: z.array(ProfileCard), nextCursor: Cursor.nullable() })
export type NearbyPage = z.infer<typeof NearbyPage>

export const listNearby = endpoint({
  method: 'GET',
  path: '/api/user/nearBy',
  summary: "People around me, nearest area first; both people's filters are respected.",
  access: 'member',
  limit: rateLimits.nearbyPages,
  query: z.object({ cursor: Cursor.optional(), limit: z.coerce.number<number>().int().min(1).max(50).default(20) }),
  response: NearbyPage,
  errors: ['rate_limited'],
})

/**
 * The likes given so far in the person's current day, which ends at `resetsAt`. `limit` is null if the operator set no
 * limit.
 */
export const Today = z.object({ likes: z.int(), limit: z.int().nullable(), resetsAt: Timestamp })
export type Today = z.infer<typeof Today>

export const DeckCounts = z.object({
  today: Today,
  /** How many of the latest decisions can be undone. */
  undoable: z.int(),
  /** The person whose decision would be undone next; null if there is nothing to undo. */
  undoNext: UserId.nullable(),
})
export type DeckCounts = z.infer<typeof DeckCounts>

/**
 * `state` explains why there are no cards: the viewer has set no place or paused their profile, nobody fits the
 * filters, or the viewer has decided on everyone who does. With `limit_reached`, passing and saving for later still
 * work, and likes are possible again at `today.resetsAt`.
 */
export const Deck = z.object({
  cards: z.array(Profile),
  state: z.enum(['ready', 'no_place', 'paused', 'nobody_fits', 'seen_all', 'limit_reached']),
  ...DeckCounts.shape,
})
export type Deck = z.infer<typeof Deck>

export const getDeck = endpoint({
  method: 'GET',
  path: '/api/deck',
  summary: 'The next people of my deck, best first. The same until I decide on them.',
  access: 'member',
  limit: rateLimits.deckPages,
  query: z.object({
    limit: z.coerce.number<number>().int().min(1).max(limits.deckPage).default(limits.deckPage),
  }),
  response: Deck,
  errors: ['rate_limited'],
})

export const Filters = z.object({
  interestedIn: InterestedIn,
  ageMin: z.int().min(limits.adultAge).max(limits.ageFilterMax),
  ageMax: z.int().min(limits.adultAge).max(limits.ageFilterMax),
  maxDistanceKm: z.literal(distanceFilters).nullable(),
  preferences: Preferences,
})

/** A number of people, rounded down to 0, 5, 10, 20, 50, 100, 200, 500 or 1000; 1 means fewer than 5. */
export const Step = z.int()

export const Widener = z.object({
  item: z.enum([
    'distance',
    'ages',
    'gender',
    'intents',
    'children',
    'smoking',
    'drinking',
    'diet',
    'languages',
    'height',
  ]),
  adds: Step,
  changes: z.object({
    interestedIn: z.array(Gender).optional(),
    ageMin: z.int().optional(),
    ageMax: z.int().optional(),
    maxDistanceKm: z.literal(distanceFilters).nullable().optional(),
    preferences: Preferences.optional(),
  }),
})
export type Widener = z.infer<typeof Widener>

/** `iSee` counts the people who fit my filters, `seeMe` those whose filters I fit, and `both` those who can appear. */
export const Pool = z.object({ iSee: Step, seeMe: Step, both: Step, wideners: z.array(Widener) })
export type Pool = z.infer<typeof Pool>

export const measurePool = endpoint({
  method: 'POST',
  path: '/api/pool',
  summary: 'About how many people fit, with these changes to my filters. Nothing is kept.',
  access: 'member',
  limit: rateLimits.poolMeasures,
  body: z.strictObject(Filters.partial().shape),
  response: Pool,
  errors: ['rate_limited'],
})

export const discoveryEndpoints = [listNearby, getDeck, measurePool] as const
