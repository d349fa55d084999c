import { limits } from '@duet/contract/limits.ts'
import type pg from 'pg'
import type { Reads } from '../../platform/database/read-replicas.ts'

/*
 * The rules by which two people fit, as SQL conditions on `me` (a row of the function searcher) and `c` (a row of the
 * table candidates). All lists, counts and checks of discovery use them, so they can't contradict each other.
 */

export const searcherFrom = (
  json: string,
) => `json_to_record(${json}::json) as searcher (user_id uuid, latitude float8, longitude float8,
  gender smallint, seeks smallint, years integer, born_after date, born_until date, reach smallint, traits integer, refuses integer,
  avoids integer, languages integer, needs_languages integer, height smallint, height_min smallint, height_max smallint,
  interests_1 integer, interests_2 integer)`

const km = 'centre_distance_km(me.latitude, me.longitude, c.latitude, c.longitude)'

/**
 * The distance bucket in km; 32766 beyond the last one. The same as the database function distance_bucket, but inline.
 */
export const bucketOf = `('{2,5,10,25,50,100,32766}'::smallint[])[1 + width_bucket(${km}, '{2,5,10,25,50,100}'::float8[])]`

export const isBeyond = (least: number) => `${km} >= ${least}`

/** Stored as the distance limit of people who accept any distance. */
export const anywhere = 32767

export const fits = {
  /**
   * Whether both accept the distance. Limits are bucket edges, so comparing the exact distance reveals nothing more.
   * The difference in latitude (a degree is 111.2 km) excludes most people without trigonometry.
   */
  reach: `(least(me.reach, c.reach) = ${anywhere} or (abs(c.latitude - me.latitude) * 111 < least(me.reach, c.reach)
    and ${km} < least(me.reach, c.reach)))`,
  theirGender: '(c.gender & me.seeks) <> 0',
  myGender: '(c.seeks & me.gender) <> 0',
  theirAge: '(c.birth_date > me.born_after and c.birth_date <= me.born_until)',
  myAge: `(me.years >= c.age_min and (me.years <= c.age_max or c.age_max >= ${limits.ageFilterMax}))`,
  /** The other person hits none of my dealbreakers. People who haven't answered pass. */
  myDealbreakers: `((c.traits & me.refuses) = 0
    and (me.needs_languages = 0 or c.languages = 0 or (c.languages & me.needs_languages) <> 0)
    and (c.height = 0 or c.height between me.height_min and me.height_max))`,
  theirDealbreakers: `((c.refuses & me.traits) = 0
    and (c.needs_languages = 0 or me.languages = 0 or (c.needs_languages & me.languages) <> 0)
    and (me.height = 0 or me.height between c.height_min and c.height_max))`,
} as const

export const fitsMe = [fits.theirGender, fits.theirAge, fits.myDealbreakers].join(' and ')
export const fitsThem = [fits.myGender, fits.myAge, fits.theirDealbreakers].join(' and ')
/** All conditions; the most expensive one comes last. */
export const fitsBothWays = `c.user_id <> me.user_id and ${fitsMe} and ${fitsThem} and ${fits.reach}`

/** Excludes incognito people (bit 16 of their gender) unless they have liked, written to or matched the searcher. */
export const showsItself = '(c.gender < 16 or shows_to(c.user_id, me.user_id))'

/** People separated from the searcher ($1) by a block in either direction or an ended match. */
export const apart = `select blocked_id from blocks where blocker_id = $1
  union all select blocker_id from blocks where blocked_id = $1
  union all select user_hi from matches where user_lo = $1 and ended_at is not null
  union all select user_lo from matches where user_hi = $1 and ended_at is not null`
export const apartOrDecided = `${apart} union all select target_id from decisions where actor_id = $1`

/** Whether the person hides their presence. Few people do, so this is looked up only for people who were found. */
export const isQuiet = 'exists (select from profiles q where q.user_id = c.user_id and q.hide_presence)'

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
  pendingAt: number,
  impressions: number,
]

// The database returns all candidates as one JSON text, because returning 600 rows of columns took a third of the
// search time.

/** The facts that are computed from `c` alone. `$3` is the day of the search. */
export const facts = `concat_ws(',', ${bucketOf}, c.birth_date - date '1970-01-01', c.traits, c.avoids, c.languages,
  c.interests_1, c.interests_2, $3::date - c.active_on, $3::date - c.since)`

/**
 * Aggregates candidates to one JSON text with an array for each: the facts, the other columns of `c` and its tally `s`
 * (which may be missing), then `more`.
 */
export const candidatesOf = (factsOf: string, more: readonly string[] = [], order = 'c.user_id') =>
  `string_agg(concat('["', c.user_id, '",', concat_ws(',', ${[factsOf, `(${isQuiet})::integer`, ...tallies, ...more].join()}), ']'), ',' order by ${order})`
const tallies = [
  'coalesce(s.says_yes, 0)',
  'coalesce(s.is_liked, 0)',
  'coalesce(s.pending, 0)',
  "coalesce(date_part('epoch', s.pending_at)::bigint, 0)",
  'coalesce(s.impressions, 0)',
]

export async function readCandidates<Row = CandidateRow>(reads: Reads, statement: pg.QueryConfig): Promise<Row[]> {
  const { rows } = await reads.query<[string | null]>({ ...statement, rowMode: 'array' })
  return JSON.parse(`[${rows[0]?.[0] ?? ''}]`)
}
