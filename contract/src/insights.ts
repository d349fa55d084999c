import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Timestamp, UserId } from './ids.ts'

const Share = z.number().min(0).max(1)
const Day = z.iso.date()

const GenderCounts = z.object({ woman: z.int(), man: z.int(), nonbinary: z.int(), unsaid: z.int() })

/** People who can currently be found, and their activity in the last seven days. */
const Crowd = z.object({
  people: z.int(),
  genders: GenderCounts,
  activeWeek: z.int(),
  likesWeek: z.int(),
  matchesWeek: z.int(),
})

const ExposureGroup = z.discriminatedUnion('by', [
  z.object({ by: z.literal('gender'), group: z.enum(['woman', 'man', 'nonbinary', 'unsaid']) }),
  z.object({ by: z.literal('age'), group: z.enum(['18', '30', '40', '50', '60']) }),
  z.object({ by: z.literal('tenure'), group: z.enum(['7', '30', '365', 'longer']) }),
])
const ExposureOfGroup = z.intersection(
  ExposureGroup,
  z.object({
    people: z.int(),
    /** Impressions per person in the group, divided by impressions per person overall: 1 is the average. */
    ratio: z.number(),
  }),
)
export type ExposureOfGroup = z.infer<typeof ExposureOfGroup>

/**
 * The Gini coefficient of impressions: 0 if everyone gets the same number, close to 1 if one person gets them all. Null
 * if there are no impressions.
 */
const Evenness = z.number().nullable()
export const Exposure = z.object({
  cards: z.int(),
  gini: Evenness,
  genders: z.array(
    z.object({ gender: z.enum(['woman', 'man', 'nonbinary', 'unsaid']), people: z.int(), gini: Evenness }),
  ),
  /** Only groups of at least five people. Empty if there are no impressions. */
  groups: z.array(ExposureOfGroup),
  neverShown: Share.nullable(),
  matchesPer100: z.number().nullable(),
})
export type Exposure = z.infer<typeof Exposure>

export const DayCounts = z.object({ day: Day, likes: z.int(), passes: z.int(), laters: z.int(), matches: z.int() })
export type DayCounts = z.infer<typeof DayCounts>

/** People whose first `hours` ended within the last seven days, by how often their card was shown in that time. */
export const Newcomers = z.object({
  people: z.int(),
  guarantee: z.int(),
  hours: z.int(),
  median: z.number().nullable(),
  reached: Share.nullable(),
  /** A histogram of impressions: each bin runs from its `from` to just below the `from` of the next. */
  steps: z.array(z.object({ from: z.int(), people: z.int() })),
})
export type Newcomers = z.infer<typeof Newcomers>

export const Insights = z.object({
  measuredAt: Timestamp,
  /**
   * The size of the sample used for the most expensive figures, which are then estimates; null if they cover everyone.
   * Accounts are always counted in full, and so are people who can be found, up to 10,000 of them, in total and by
   * area.
   */
  sample: z.int().nullable(),
  accounts: z.int(),
  totals: Crowd,
  /** The fifty most populated areas, out of `places` in total. */
  places: z.int(),
  areas: z.array(Crowd.extend({ area: z.string() })),
  week: Exposure,
  month: Exposure,
  /** The last thirty days in UTC, oldest first. */
  days: z.array(DayCounts),
  newcomers: Newcomers,
})
export type Insights = z.infer<typeof Insights>

export const getInsights = endpoint({
  method: 'GET',
  path: '/api/admin/insights',
  summary: 'The pool by place, and how evenly attention is shared. At most a minute old.',
  access: 'admin',
  response: Insights,
})

export const FoundPerson = z.object({
  id: UserId,
  name: z.string(),
  /**
   * The address that was searched for, if this is its owner's account; otherwise empty, because administrators must not
   * learn addresses.
   */
  email: z.string(),
  area: z.string().nullable(),
  createdAt: Timestamp,
  activeAt: Timestamp,
})
export type FoundPerson = z.infer<typeof FoundPerson>

export const findPeople = endpoint({
  method: 'GET',
  path: '/api/admin/people',
  summary: 'The person with this e-mail address, and people whose name begins like this; at most twenty.',
  access: 'admin',
  query: z.object({ query: z.string().trim().min(1).max(254) }),
  response: z.object({ people: z.array(FoundPerson) }),
})

export const FunnelFilter = z.enum([
  'distance',
  'gender',
  'ages',
  'own_dealbreakers',
  'their_dealbreakers',
  'apart',
  'decided',
])
export type FunnelFilter = z.infer<typeof FunnelFilter>

export const Funnel = z.object({
  person: FoundPerson,
  state: z.enum(['visible', 'hidden', 'paused', 'no_place']),
  everybody: z.int(),
  /**
   * `remaining` is the number of people left after each filter, in the order the filters apply. `alone` is the number
   * of people within about 100 km whom this filter alone excludes.
   */
  steps: z.array(z.object({ filter: FunnelFilter, remaining: z.int(), alone: z.int() })),
  remaining: z.int(),
  /** The filter with the highest `alone`; null if every `alone` is 0. */
  costliest: FunnelFilter.nullable(),
})
export type Funnel = z.infer<typeof Funnel>

export const getFunnel = endpoint({
  method: 'GET',
  path: '/api/admin/people/:userId/funnel',
  summary: 'How many people remain for a person after each filter.',
  access: 'admin',
  params: z.object({ userId: UserId }),
  response: Funnel,
  errors: ['not_found'],
})

export const Model = z.object({
  version: z.int(),
  trainedAt: Timestamp.nullable(),
  active: z.boolean(),
  metrics: z.record(z.string(), z.number()),
})
export type Model = z.infer<typeof Model>

export const listModels = endpoint({
  method: 'GET',
  path: '/api/admin/models',
  summary: 'The newest fifty models of ranking and the one in use, newest first; the defaults of the code last.',
  access: 'admin',
  response: z.object({ models: z.array(Model) }),
})

export const useModel = endpoint({
  method: 'PUT',
  path: '/api/admin/models/:version/active',
  summary: 'Rank with this model from now on; 0 goes back to the defaults of the code.',
  access: 'admin',
  params: z.object({ version: z.coerce.number<string>().int().min(0).max(2_147_483_647) }),
  response: z.object({ models: z.array(Model) }),
  errors: ['not_found'],
})

export const insightsEndpoints = [getInsights, findPeople, getFunnel, listModels, useModel] as const
