import { limits } from '@duet/contract/limits.ts'
import type pg from 'pg'
import type { Reads } from '../../platform/database/read-replicas.ts'

/*
 * The two-way rules of fit, as conditions over `me` (a row of the function searcher) and `c` (a row of the table candidates). Every
 * list, count and check of discovery is made of these, so that none of them can disagree with another.
 */

/** A row of the function searcher from the JSON that was made of one. */
export const searcherFrom = (
  json: string,
) => `json_to_record(${json}::json) as searcher (user_id uuid, latitude float8, longitude float8,
  gender smallint, seeks smallint, years integer, born_after date, born_until date, reach smallint, traits integer, refuses integer,
  avoids integer, languages integer, needs_languages integer, height smallint, height_min smallint, height_max smallint,
  interests_1 integer, interests_2 integer)`

const km = 'centre_distance_km(me.latitude, me.longitude, c.latitude, c.longitude)'

/** The bucket between the two in km, 32766 beyond the last one; as the function distance_bucket says, in line. */
export const bucketOf = `('{2,5,10,25,50,100,32766}'::smallint[])[1 + width_bucket(${km}, '{2,5,10,25,50,100}'::float8[])]`

/** Whether the other person is at least this many km away. */
export const isBeyond = (least: number) => `${km} >= ${least}`

/** The limit of people who accept any distance. */
export const anywhere = 32767

export const fits = {
  /**
   * Both accept the distance. Limits are edges of buckets, so it may be compared itself; who is further north or south
   * than the limit (a degree is 111.2 km) needs no more trigonometry.
   */
  reach: `(least(me.reach, c.reach) = ${anywhere} or (abs(c.latitude - me.latitude) * 111 < least(me.reach, c.reach)
    and ${km} < least(me.reach, c.reach)))`,
  /** I would meet them. */
  theirGender: '(c.gender & me.seeks) <> 0',
  /** They would meet me. */
  myGender: '(c.seeks & me.gender) <> 0',
  theirAge: '(c.birth_date > me.born_after and c.birth_date <= me.born_until)',
  myAge: `(me.years >= c.age_min and (me.years <= c.age_max or c.age_max >= ${limits.ageFilterMax}))`,
  /** None of my dealbreakers; who has not said passes. */
  myDealbreakers: `((c.traits & me.refuses) = 0
    and (me.needs_languages = 0 or c.languages = 0 or (c.languages & me.needs_languages) <> 0)
    and (c.height = 0 or c.height between me.height_min and me.height_max))`,
  /** None of theirs. */
  theirDealbreakers: `((c.refuses & me.traits) = 0
    and (c.needs_languages = 0 or me.languages = 0 or (c.needs_languages & me.languages) <> 0)
    and (me.height = 0 or me.height between c.height_min and c.height_max))`,
} as const

/** The filters of the searcher. */
export const fitsMe = [fits.theirGender, fits.theirAge, fits.myDealbreakers].join(' and ')
/** The filters of the candidate. */
export const fitsThem = [fits.myGender, fits.myAge, fits.theirDealbreakers].join(' and ')
/** All of them, the costly one last. */
export const fitsBothWays = `c.user_id <> me.user_id and ${fitsMe} and ${fitsThem} and ${fits.reach}`

/** Incognito people (bit 16 of their gender) only if they liked, wrote to or match the searcher. */
export const showsItself = '(c.gender < 16 or shows_to(c.user_id, me.user_id))'

/** No blocks in either direction, and no ended match. `$1` is the searcher. */
export const apart = `select blocked_id from blocks where blocker_id = $1
  union all select blocker_id from blocks where blocked_id = $1
  union all select user_hi from matches where user_lo = $1 and ended_at is not null
  union all select user_lo from matches where user_hi = $1 and ended_at is not null`
/** The same, without people the searcher has decided on. */
export const apartOrDecided = `${apart} union all select target_id from decisions where actor_id = $1`

/** Keeps it to themselves when they are here. Few do: looked up only where they are. */
export const isQuiet = 'exists (select from profiles q where q.user_id = c.user_id and q.hide_presence)'

/** A candidate as ranking sees it. */
export type CandidateRow = [
  id: string,
  bucketKm: number,
  /** In days since 1970. */
  bornOn: number,
  traits: number,
  avoids: number,
  languages: number,
  interests1: number,
  interests2: number,
  daysInactive: number,
  daysHere: number,
  isQuiet: number,
  saysYes: number,
  isLiked: number,
  pending: number,
  /** When `pending` was counted, in seconds since 1970. */
  pendingAt: number,
  impressions: number,
]

// The database sends all candidates as one JSON text: as columns of 600 rows, they took a third of a search.

/** What a search finds out of `c` alone; `$3` is the day of the search. */
export const facts = `concat_ws(',', ${bucketOf}, c.birth_date - date '1970-01-01', c.traits, c.avoids, c.languages,
  c.interests_1, c.interests_2, $3::date - c.active_on, $3::date - c.since)`

/** A row of JSON for each, with `more` at its end: the facts, and the rest from `c` and its row `s` of standings, if there is one. */
export const candidatesOf = (factsOf: string, more: readonly string[] = [], order = 'c.user_id') =>
  `string_agg(concat('["', c.user_id, '",', concat_ws(',', ${[factsOf, `(${isQuiet})::integer`, ...tallies, ...more].join()}), ']'), ',' order by ${order})`
const tallies = [
  'coalesce(s.says_yes, 0)',
  'coalesce(s.is_liked, 0)',
  'coalesce(s.pending, 0)',
  "coalesce(date_part('epoch', s.pending_at)::bigint, 0)",
  'coalesce(s.impressions, 0)',
]

/** The rows of a statement that selects `candidatesOf`. */
export async function readCandidates<Row = CandidateRow>(reads: Reads, statement: pg.QueryConfig): Promise<Row[]> {
  const { rows } = await reads.query<[string | null]>({ ...statement, rowMode: 'array' })
  return JSON.parse(`[${rows[0]?.[0] ?? ''}]`)
}
