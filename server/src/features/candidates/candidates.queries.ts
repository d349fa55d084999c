import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import {
  anywhere,
  apart,
  apartOrDecided,
  bucketOf,
  fits,
  fitsBothWays,
  fitsMe,
  fitsThem,
  isQuiet,
  showsItself,
} from './fits.queries.ts'
import { type Chance, hiddenPresenceDays, kept, newDays } from './search-bounds.ts'

/** From where and when a person searches. */
export interface Searching {
  viewerId: string
  /** Degrees. */
  latitude: number
  longitude: number
  /** `YYYY-MM-DD` in UTC: ages are counted by it. */
  today: string
}

/** The distance limit of a person in km, null for anywhere; undefined without a profile. */
export async function findSearcher(db: Db, viewerId: string): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('profiles')
    .select('max_distance_km')
    .where('user_id', '=', viewerId)
    .executeTakeFirst()
  return row?.max_distance_km
}

const searcher = 'searcher($1, $2, $3, $4, $5)'
const valuesOf = ({ viewerId, today, latitude, longitude }: Searching, tried: object = {}) => [
  viewerId,
  today,
  latitude,
  longitude,
  JSON.stringify(tried),
]

/** A candidate as ranking sees it, in the order of `columns`. */
export type CandidateRow = [
  id: string,
  bucketKm: number,
  years: number,
  traits: number,
  avoids: number,
  languages: number,
  interests1: number,
  interests2: number,
  daysInactive: number,
  daysHere: number,
  saysYes: number,
  isLiked: number,
  pending: number,
  impressions: number,
]

const columns = `c.user_id, ${bucketOf}, extract(year from age($2::date, c.birth_date))::integer, c.traits, c.avoids, c.languages,
  c.interests_1, c.interests_2, case when ${isQuiet} then ${hiddenPresenceDays} else greatest($2::date - c.active_on, 0) end, $2::date - c.since, coalesce(s.says_yes, 0), coalesce(s.is_liked, 0),
  coalesce(s.pending * power(2, -greatest(0, extract(epoch from $2::date - s.pending_at))::float8 / 604800), 0), coalesce(s.impressions, 0)`

async function rows(pool: pg.Pool, name: string, text: string, values: unknown[]): Promise<CandidateRow[]> {
  const result = await pool.query<CandidateRow>({ name, text, values, rowMode: 'array' } as never)
  return result.rows as unknown as CandidateRow[]
}

// Bits of genders; 8 has not said. Incognito people have none of them: they are found by their id alone.
const genders = '(values (1::smallint), (2::smallint), (4::smallint), (8::smallint)) as g (gender)'

// From the viewer's point ($6) on around the circle, on which the last part of an id, which is random, is a point.
const turn = "((('x' || right(c.user_id::text, 8))::bit(32)::bigint - $6::bigint) & 4294967295)"
const newFrom = `($2::date - ${newDays})`

/**
 * Up to `most` people of one kind: those who were here last; where more fit, first some newcomers and some of the day, or
 * before, of a person of the kind who is drawn ($7, a share of all of them). `kind` is said of `k`, `among` of `c`.
 */
function chosen(kind: string, among: string, most: string): string {
  const some = (nth: number, condition: string, order: string, count: number | string) => `
    (select part.*, ${nth} as choice, row_number() over () as nth from (
      select c.* from candidates c where ${among} and ${condition} order by ${order}, ${turn} limit ${count}) part)`
  const isNew = `c.active_on >= ${newFrom} and c.since >= ${newFrom}`
  const drawnDay = `(select k.active_on from candidates k where ${kind} order by k.active_on desc
    offset (select floor($7::float8 * count(*)) from candidates k where ${kind}) limit 1)`
  const isEarlier = `c.active_on <= ${drawnDay} and c.since < ${newFrom}`
  return `select once.* from (
      select distinct on (parts.user_id) parts.* from (
        select all_parts.*, count(*) filter (where choice = 3) over () < ${most} as are_all
        from (${some(1, isNew, 'c.since desc', kept.newcomers)}
          union all ${some(2, isEarlier, 'c.active_on desc', kept.earlier)}
          union all ${some(3, 'true', 'c.active_on desc', most)}) all_parts) parts
      order by parts.user_id, case when parts.are_all then -parts.choice else parts.choice end) once
    order by once.choice, once.nth limit ${most}`
}

interface Choosing {
  most: number
  chance: Chance
  /** Who is found already. */
  without: readonly string[]
}

/**
 * People who fit both ways and are not decided on, cell by cell in the order of `cells`; of a cell and gender at most
 * `perCell`; at most `most` in all, genders in turn.
 */
export function findInCells(
  pool: pg.Pool,
  searching: Searching,
  { cells, perCell, most, chance, without }: Choosing & { cells: readonly string[]; perCell: number },
): Promise<CandidateRow[]> {
  const kind = 'k.cell = near.cell and k.gender = g.gender'
  const among = `c.cell = near.cell and c.gender = g.gender and ${fitsBothWays} and c.user_id not in (select * from apart)`
  const text = `with me as materialized (select * from ${searcher}),
    apart as materialized (${apartOrDecided} union all select unnest($11::uuid[])),
    found as materialized (
      select c.* from me cross join ${genders} cross join lateral (
        select c.*, row_number() over () as place from unnest($8::bigint[]) as near (cell) cross join lateral (${chosen(kind, among, '$9')}) c
        limit $10) c
      where (g.gender & me.seeks) <> 0
      order by c.place, g.gender limit $10)
    select ${columns} from me cross join found c left join standings s on s.user_id = c.user_id order by c.place, c.gender`
  const values = [...valuesOf(searching), chance.point, chance.start, cells, perCell, most, without]
  return rows(pool, 'candidates-in-cells', text, values)
}

/** Those anywhere on the globe who, like the searcher, accept any distance; genders in turn. */
export function findAnywhere(
  pool: pg.Pool,
  searching: Searching,
  { most, chance, without }: Choosing,
): Promise<CandidateRow[]> {
  const kind = `k.reach = ${anywhere} and k.gender = g.gender`
  const among = `c.reach = ${anywhere} and me.reach = ${anywhere} and c.gender = g.gender and c.user_id <> me.user_id
    and ${fitsMe} and ${fitsThem} and c.user_id not in (select * from apart)`
  const text = `with me as materialized (select * from ${searcher}),
    apart as materialized (${apartOrDecided} union all select unnest($9::uuid[])),
    found as materialized (
      select c.* from me cross join ${genders} cross join lateral (
        select c.*, row_number() over () as place from (${chosen(kind, among, '$8')}) c) c
      where (g.gender & me.seeks) <> 0
      order by c.place, g.gender limit $8)
    select ${columns} from me cross join found c left join standings s on s.user_id = c.user_id order by c.place, c.gender`
  return rows(pool, 'candidates-anywhere', text, [...valuesOf(searching), chance.point, chance.start, most, without])
}

/** The people of `ids` who still fit both ways and are not decided on. */
export async function findAmong(pool: pg.Pool, searching: Searching, ids: readonly string[]): Promise<CandidateRow[]> {
  if (ids.length === 0) return []
  const text = `with me as materialized (select * from ${searcher})
    select ${columns} from me cross join candidates c left join standings s on s.user_id = c.user_id
    where c.user_id = any($6::uuid[]) and ${fitsBothWays} and ${showsItself} and c.user_id not in (${apart})
      and not exists (select from decisions d where d.actor_id = $1 and d.target_id = c.user_id)`
  return rows(pool, 'candidates-among', text, [...valuesOf(searching), ids])
}

/** The visible people of `ids`, whether or not they fit. */
export function findDescribed(pool: pg.Pool, searching: Searching, ids: readonly string[]): Promise<CandidateRow[]> {
  const text = `with me as materialized (select * from ${searcher})
    select ${columns} from me cross join candidates c left join standings s on s.user_id = c.user_id
    where c.user_id = any($6::uuid[])`
  return rows(pool, 'candidates-described', text, [...valuesOf(searching), ids])
}

/**
 * Those of `ids` that the searcher can like: they can be seen, they fit both ways, and nothing keeps the
 * two apart. The searcher can be seen, or does not know that they cannot: who keeps themselves from others does.
 */
export async function findLikable(pool: pg.Pool, searching: Searching, ids: readonly string[]): Promise<Set<string>> {
  const text = `with me as materialized (select * from ${searcher})
    select c.user_id as id from me cross join candidates c
    where c.user_id = any($6::uuid[]) and ${fitsBothWays} and ${showsItself} and c.user_id not in (${apart})
      and exists (select from profiles p join accounts a on a.id = p.user_id where p.user_id = $1 and not p.paused
        and (not p.hidden or a.unseen) and a.erase_at is null)`
  const { rows: found } = await pool.query<{ id: string }>({
    name: 'candidates-likable',
    text,
    values: [...valuesOf(searching), ids],
  })
  return new Set(found.map(({ id }) => id))
}

/** The searcher as ranking sees them: the same columns as a candidate. Undefined without a profile. */
export async function findSelf(pool: pg.Pool, searching: Searching): Promise<CandidateRow | undefined> {
  const text = `select me.user_id, 0, me.years, me.traits, me.avoids, me.languages, me.interests_1, me.interests_2, 0,
      $2::date - (p.created_at at time zone 'UTC')::date, coalesce(s.says_yes, 0), coalesce(s.is_liked, 0), 0, coalesce(s.impressions, 0)
    from ${searcher} me join profiles p on p.user_id = me.user_id left join standings s on s.user_id = me.user_id`
  return (await rows(pool, 'candidate-self', text, valuesOf(searching)))[0]
}

/** A page of people around the searcher who fit both ways, nearest bucket first, inside a bucket by a keyed hash. */
export async function findNearest(
  pool: pg.Pool,
  searching: Searching,
  { cells, seed, after, limit }: NearestPage,
): Promise<{ id: string; bucket: number; key: string }[]> {
  const text = `with me as materialized (select * from ${searcher}),
    fitting as (
      select c.user_id as id, ${bucketOf} as bucket, uuid_hash_extended(c.user_id, $7::bigint) as key
      from me cross join candidates c
      where ($6::bigint[] is null or c.cell = any($6::bigint[])) and ${fitsBothWays} and ${showsItself} and c.user_id not in (${apart}))
    select id, bucket, key::text from fitting
    where ($8::int is null or (bucket, key) > ($8::int, $9::bigint))
    order by bucket, fitting.key limit $10`
  const values = [...valuesOf(searching), cells, String(seed), after?.bucket ?? null, after?.key ?? null, limit]
  const result = await pool.query<{ id: string; bucket: number; key: string }>({ text, values })
  return result.rows
}

export interface NearestPage {
  /** Cells that hold everything in reach; null looks everywhere. */
  cells: readonly string[] | null
  seed: bigint
  /** Where the last page ended. */
  after: { bucket: number; key: string } | undefined
  limit: number
}

export interface PoolCounts {
  i_see: number
  see_me: number
  both: number
}

/**
 * How many people fit in reach of the searcher, with filters that are only tried: mine, theirs, and both. Each count
 * stops at `most`.
 */
export async function countPool(
  pool: pg.Pool,
  searching: Searching,
  tried: object,
  { cells, most }: { cells: readonly string[] | null; most: number },
): Promise<PoolCounts> {
  const count = (condition: string) => `(select count(*)::int from (select 1 from me cross join candidates c
      where ($6::bigint[] is null or c.cell = any($6::bigint[])) and c.user_id <> me.user_id and ${condition} and ${fits.reach} and ${showsItself}
        and c.user_id not in (select * from apart) limit $7) as counted)`
  const text = `with me as materialized (select * from ${searcher}), apart as materialized (${apart})
    select ${count(fitsMe)} as i_see, ${count(fitsThem)} as see_me, ${count(`${fitsMe} and ${fitsThem}`)} as both`
  const { rows: found } = await pool.query<PoolCounts>({ text, values: [...valuesOf(searching, tried), cells, most] })
  return found[0] as PoolCounts
}
