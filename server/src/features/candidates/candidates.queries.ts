import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Reads } from '../../platform/database/read-replicas.ts'
import {
  anywhere,
  apart,
  bucketOf,
  type CandidateRow,
  candidatesOf,
  facts,
  fits,
  fitsBothWays,
  fitsMe,
  fitsThem,
  readCandidates,
  searcherFrom,
  showsItself,
} from './fits.queries.ts'
import { searchBounds } from './search-bounds.ts'

/** A row of the database function `searcher`: a person's filters and facts as numbers and bit masks. */
export interface SearcherRow {
  user_id: string
  /** The location that distances are measured from, in degrees. */
  latitude: number
  longitude: number
  gender: number
  seeks: number
  years: number
  /** The accepted range of birth dates (`YYYY-MM-DD`): after `born_after`, up to and including `born_until`. */
  born_after: string
  born_until: string
  reach: number
  traits: number
  refuses: number
  avoids: number
  languages: number
  needs_languages: number
  height: number
  height_min: number
  height_max: number
  interests_1: number
  interests_2: number
}

export interface Searching {
  viewerId: string
  /** `YYYY-MM-DD` in UTC. Ages are computed for this day. */
  today: string
  me: SearcherRow
}

export interface ViewerRow {
  /** The viewer's wide cell; null without a location. */
  cell: string | null
  is_shown: boolean
  has_moved: boolean
  /** Like `Searching.me`, but at the published location. */
  me: SearcherRow
  /**
   * False if the viewer has paused, asked for erasure, or was hidden and told so. People who are hidden without being
   * told may like others.
   */
  may_like: boolean
  is_paused: boolean
  hide_presence: boolean
  hide_distance: boolean
  days_here: number
  says_yes: number
  is_liked: number
  impressions: number
  sheet: Buffer | null
}

/** Reads a searcher with their filters replaced by those in `tried`. Undefined without a profile. */
export async function findViewerRow(
  db: Db,
  viewerId: string,
  today: string,
  tried: object = {},
): Promise<ViewerRow | undefined> {
  const text = `/* searcher */ select l.cell, l.published_at is not null as is_shown, l.cell <> l.published_cell as has_moved,
        row_to_json(me) as me, not p.paused and (not p.hidden or a.unseen) and a.erase_at is null as may_like,
        p.paused or a.erase_at is not null as is_paused, p.hide_presence, p.hide_distance,
        $2::date - ((p.created_at + coalesce(p.found_after, 0) * interval '1 second') at time zone 'UTC')::date as days_here, coalesce(s.says_yes, 0) as says_yes,
        coalesce(s.is_liked, 0) as is_liked, coalesce(s.impressions, 0) as impressions, h.sheet
      from searcher($1, $2::date, null, null, $3::jsonb) me
      join profiles p on p.user_id = $1 join accounts a on a.id = $1
      left join locations l on l.user_id = $1 left join standings s on s.user_id = $1
      left join answer_sheets h on h.user_id = $1`
  const values = [viewerId, today, JSON.stringify(tried)]
  const { rows: found } = await db.executeQuery<ViewerRow>(CompiledQuery.raw(text, values))
  return found[0]
}

/** Sets when people could first be found. They count as newcomers from then on. */
export async function putFound(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await sql`update profiles p
    set found_after = greatest(0, extract(epoch from ${now}::timestamptz - p.created_at))::integer
    where p.user_id = any(${ids}::uuid[]) and p.found_after is null
      and exists (select from candidates c where c.user_id = p.user_id and c.gender < 16)
      and not exists (select from standings s where s.user_id = p.user_id and s.impressions > 0)`.execute(db)
}

/** Passes the searcher's row, which was read before, as a value, so that statements needn't read it again. */
const me = `me as materialized (select * from ${searcherFrom('$2')})`
const valuesOf = ({ viewerId, me }: Searching) => [viewerId, JSON.stringify(me)]
export async function findAmong(reads: Reads, searching: Searching, ids: readonly string[]): Promise<CandidateRow[]> {
  if (ids.length === 0) return []
  const text = `with ${me}
    select ${candidatesOf(facts)} from me cross join candidates c left join standings s on s.user_id = c.user_id
    where c.user_id = any((select $4)::uuid[]) and ${fitsBothWays} and ${showsItself} and c.user_id not in (${apart})
      and not exists (select from decisions d where d.actor_id = $1 and d.target_id = c.user_id)`
  const values = [...valuesOf(searching), searching.today, ids]
  return readCandidates(reads, { name: 'candidates-among', text, values })
}

/**
 * Returns the people among `ids` who are visible, fit both ways, and aren't separated by a block or an ended match.
 * Includes people the searcher has decided on. Maps each to their distance bucket.
 */
export async function findFitting(db: Db, searching: Searching, ids: readonly string[]): Promise<Map<string, number>> {
  const text = `/* candidates-fitting */ with ${me}
    select c.user_id as id, ${bucketOf} as bucket from me cross join candidates c
    where c.user_id = any((select $3)::uuid[]) and ${fitsBothWays} and ${showsItself} and c.user_id not in (${apart})`
  const values = [...valuesOf(searching), ids]
  const { rows: found } = await db.executeQuery<Pick<Near, 'id' | 'bucket'>>(CompiledQuery.raw(text, values))
  return new Map(found.map(({ id, bucket }) => [id, bucket]))
}

export async function isFitting(db: Db, { me }: Pick<Searching, 'me'>, id: string): Promise<boolean> {
  const text = `/* candidate-fitting */ with me as (select * from ${searcherFrom('$1')})
    select from me cross join candidates c where c.user_id = $2 and ${fitsBothWays} and ${showsItself}`
  const { rows: found } = await db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(me), id]))
  return found.length > 0
}

/** A person in the nearby list: their distance bucket in km, and their sort key within it. */
export interface Near {
  id: string
  bucket: number
  key: string
}

export interface NearestPage {
  seed: bigint
  after: Pick<Near, 'bucket' | 'key'> | undefined
  limit: number
}

/**
 * A page of the people in these cells who fit both ways, nearest bucket first. Within a bucket, people are ordered by a
 * keyed hash.
 */
export async function findNearest(
  reads: Reads,
  searching: Searching,
  { cells, seed, after, limit }: NearestPage & { cells: readonly string[] },
): Promise<Near[]> {
  const text = `with ${me},
    fitting as (
      select c.user_id as id, ${bucketOf} as bucket, uuid_hash_extended(c.user_id, $4::bigint) as key
      from me cross join candidates c
      where c.cell = any($3::bigint[]) and ${fitsBothWays} and ${showsItself} and c.user_id not in (${apart}))
    select id, bucket, key::text from fitting
    where ($5::int is null or (bucket, key) > ($5::int, $6::bigint))
    order by bucket, fitting.key limit $7`
  const values = [...valuesOf(searching), cells, String(seed), after?.bucket ?? null, after?.key ?? null, limit]
  return (await reads.query<Near>({ name: 'candidates-near', text, values })).rows
}

/** A range of hashes, which are arranged in a circle: above `above`, up to and including `to`. */
type Lap = [above: bigint, to: bigint]

/** The ranges that cover the circle of hashes, starting where the previous page ended or at the seed. */
export function lapsOf({ seed, after }: Pick<NearestPage, 'seed' | 'after'>): Lap[] {
  const from = after && after.bucket > searchBounds.farthestKm ? BigInt(after.key) : seed
  const beforeSeed: Lap = [-(2n ** 63n), seed]
  return from < seed ? [[from, seed]] : [[from, 2n ** 63n - 1n], beforeSeed]
}

/**
 * Finds up to `most` people beyond the farthest bucket who fit both ways, in one range of hashes. Uses an index in this
 * order, so the cost doesn't grow with the population.
 */
export async function findFar(reads: Reads, searching: Searching, [above, to]: Lap, most: number): Promise<Near[]> {
  const text = `with ${me}
    select far.* from me cross join lateral (
      select c.user_id as id, ${bucketOf} as bucket, uuid_hash_extended(c.user_id, 0)::text as key from candidates c
      where c.reach = ${anywhere} and uuid_hash_extended(c.user_id, 0) > $3::bigint
        and uuid_hash_extended(c.user_id, 0) <= $4::bigint and ${fitsBothWays} and ${bucketOf} > ${searchBounds.farthestKm}
        and ${showsItself} and c.user_id not in (${apart})
      order by uuid_hash_extended(c.user_id, 0) limit $5) far`
  const values = [...valuesOf(searching), String(above), String(to), most]
  return (await reads.query<Near>({ name: 'candidates-far', text, values })).rows
}

export interface PoolCounts {
  i_see: number
  see_me: number
  both: number
}

/** Counts the people within reach who fit my filters, whose filters I fit, and both. Each count stops at `most`. */
export async function countPool(
  reads: Reads,
  searching: Searching,
  { cells, most }: { cells: readonly string[] | null; most: number },
): Promise<PoolCounts> {
  const inCells = cells ? 'c.cell = any($3::bigint[])' : '($3::bigint[] is null or c.cell = any($3::bigint[]))'
  const count = (condition: string) => `(select count(*)::int from (select 1 from me cross join candidates c
      where ${inCells} and c.user_id <> me.user_id and ${condition} and ${fits.reach} and ${showsItself}
        and c.user_id not in (select * from apart) limit $4) as counted)`
  const text = `with ${me}, apart as materialized (${apart})
    select ${count(fitsMe)} as i_see, ${count(fitsThem)} as see_me, ${count(`${fitsMe} and ${fitsThem}`)} as both`
  const { rows: found } = await reads.query<PoolCounts>({ text, values: [...valuesOf(searching), cells, most] })
  return found[0] as PoolCounts
}
