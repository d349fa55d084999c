import { limits } from '@duet/contract/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface Windows {
  week: Date
  month: Date
}

/** The number of people who can be found, by gender, and how many of them were active. */
export interface CrowdRow {
  people: number
  woman: number
  man: number
  nonbinary: number
  unsaid: number
  active: number
}

const crowd = ({ week }: Windows) => sql`count(*)::int as people,
  count(*) filter (where c.gender & 15 = 1)::int as woman, count(*) filter (where c.gender & 15 = 2)::int as man,
  count(*) filter (where c.gender & 15 = 4)::int as nonbinary, count(*) filter (where c.gender & 15 = 8)::int as unsaid,
  count(*) filter (where c.active_on >= ${week})::int as active`

export async function countCrowd(db: Db, windows: Windows, cut: string): Promise<CrowdRow> {
  const { rows } = await sql<CrowdRow>`
    select ${crowd(windows)} from candidates c where c.user_id <= ${cut}::uuid`.execute(db)
  return rows[0] as CrowdRow
}

export async function countPeople(db: Db): Promise<number> {
  const { rows } = await sql<{ people: number }>`select count(*)::int as people from profiles`.execute(db)
  return rows[0]?.people ?? 0
}

export async function countUpTo(db: Db, cuts: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ people: number }>`
    select (select count(*) from profiles where user_id <= cut)::int as people
    from unnest(${cuts}::uuid[]) with ordinality cuts (cut, place) order by place`.execute(db)
  return rows.map(({ people }) => people)
}

/** Disables parallel workers for this transaction: with a small sample, starting them takes longer than the query. */
export const stayAlone = (db: Db) => sql`set local max_parallel_workers_per_gather = 0`.execute(db)

export interface AreaRow extends CrowdRow {
  area: string
  /** The number of areas, and of areas with only one person in the sample; the same in every row. */
  places: number
  lone: number
}

/** The `most` areas with the most people who can be found, counted among people with ids up to `cut`. */
export async function findAreas(db: Db, windows: Windows, cut: string, most: number): Promise<AreaRow[]> {
  const { rows } = await sql<AreaRow>`
    select *, count(*) over ()::int as places, count(*) filter (where people = 1) over ()::int as lone from (
      select l.area, ${crowd(windows)} from candidates c join locations l on l.user_id = c.user_id
      where c.user_id <= ${cut}::uuid group by l.area) areas
    order by people desc, area limit ${most}`.execute(db)
  return rows
}

export interface HappenedRow {
  /** Null for the total of all areas. */
  area: string | null
  likes: number
  matches: number
}

const matchesOf = (person: string) => sql`(
  select matched_at from matches where user_lo = ${sql.ref(person)}
  union all select matched_at from matches where user_hi = ${sql.ref(person)})`

/**
 * The likes that people with ids up to `cut` received, and their matches, each counted for both people. One row per
 * area and one for the total.
 */
export async function findHappened(
  db: Db,
  { week }: Windows,
  cut: string,
  areas: readonly string[],
): Promise<HappenedRow[]> {
  const { rows } = await sql<HappenedRow>`
    select l.area, coalesce(sum(received.likes), 0)::int as likes, coalesce(sum(made.matches), 0)::int as matches
    from candidates c join locations l on l.user_id = c.user_id
    cross join lateral (select count(*) as likes from decisions d
      where d.target_id = c.user_id and d.decision = 'like' and d.decided_at >= ${week}) received
    cross join lateral (select count(*) as matches from ${matchesOf('c.user_id')} m where m.matched_at >= ${week}) made
    where c.user_id <= ${cut}::uuid group by grouping sets ((), (l.area))
    having grouping(l.area) = 1 or l.area = any(${areas})`.execute(db)
  return rows
}

export interface ShownRow {
  /** Null, like the next two fields, if the person can't be found now. */
  gender: number | null
  years: number | null
  here: number | null
  week: number
  month: number
}

export async function findShown(db: Db, { week, month }: Windows, now: Date, cut: string): Promise<ShownRow[]> {
  const today = sql`(${now}::timestamptz at time zone 'UTC')::date`
  const { rows } = await sql<ShownRow>`
    select c.gender & 15 as gender, greatest(${limits.adultAge}, extract(year from age(${today}, c.birth_date)))::int as years, ${today} - c.since as here,
      shown.week, shown.month
    from profiles p left join candidates c on c.user_id = p.user_id cross join lateral (
      select count(*) filter (where i.shown_at >= ${week})::int as week, count(*)::int as month
      from impressions i where i.target_id = p.user_id and i.shown_at >= ${month}
        and i.deck_at >= ${month}::timestamptz - interval '1 day') shown
    where p.user_id <= ${cut}::uuid`.execute(db)
  return rows
}

export interface DayRow {
  /** `YYYY-MM-DD` in UTC. */
  day: string
  what: 'like' | 'pass' | 'later' | 'match'
  count: number
}

/** What people with ids up to `cut` decided each day, and their matches, each counted for both people. */
export async function findDays(db: Db, { month }: Windows, cut: string): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select day::text as day, what, sum(count)::int as count from profiles p cross join lateral (
      select (d.decided_at at time zone 'UTC')::date as day, d.decision as what, count(*) as count
      from decisions d where d.actor_id = p.user_id and d.decided_at >= ${month} group by 1, 2
      union all
      select (m.matched_at at time zone 'UTC')::date, 'match', count(*)
      from ${matchesOf('p.user_id')} m where m.matched_at >= ${month} group by 1) happened
    where p.user_id <= ${cut}::uuid group by 1, 2`.execute(db)
  return rows
}

/**
 * How often people were shown in their first `hours` of visibility. Only includes people for whom these hours ended
 * between `from` and `until`.
 */
export async function findFirstHours(
  db: Db,
  { from, until, hours, most }: { from: Date; until: Date; hours: number; most: number },
  cut: string,
): Promise<number[]> {
  const { rows } = await sql<{ shown: number }>`
    with newcomers as materialized (
      select p.user_id, found.at from candidates c join profiles p on p.user_id = c.user_id
        cross join lateral (select p.created_at + coalesce(p.found_after, 0) * interval '1 second' as at) found
      where c.user_id <= ${cut}::uuid and c.since >= (${from}::timestamptz - make_interval(hours => ${hours}))::date
        and found.at + make_interval(hours => ${hours}) between ${from} and ${until} limit ${most})
    select shown.shown from newcomers n cross join lateral (
      select count(*)::int as shown from impressions i
      where i.target_id = n.user_id and i.shown_at < n.at + make_interval(hours => ${hours})) shown`.execute(db)
  return rows.map(({ shown }) => shown)
}
