import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { foldedName } from '../../platform/folded-name.ts'
import { apart, fits } from '../candidates/fits.queries.ts'

export interface PersonRow {
  id: string
  name: string
  area: string | null
  created_at: Date
  last_active_at: Date
  hidden: boolean
  paused: boolean
  max_distance_km: number | null
}

const person = sql`select a.id, p.name, l.area, p.created_at, p.last_active_at, p.hidden, p.paused, p.max_distance_km
  from accounts a join profiles p on p.user_id = a.id left join locations l on l.user_id = a.id`

/**
 * The person with this address, then people whose folded name begins with the folded `text`. A name that isn't folded
 * yet is compared in lower case.
 */
export async function findByAddressOrName(
  db: Db,
  { address, text }: { address: string; text: string },
  most: number,
): Promise<(PersonRow & { has_address: boolean })[]> {
  const beginning = foldedName(text).replace(/[\\%_]/g, '\\$&')
  const { rows } = await sql<PersonRow & { has_address: boolean }>`
    with found as (
      select id, true as has_address from accounts where email = ${address}
      union all
      (select user_id, false from profiles where ${beginning}::text <> '' and (folded_name like ${`${beginning}%`}
        or folded_name is null and lower(name) like ${`${beginning}%`}) limit ${most})),
    first as (select id, bool_or(has_address) as has_address from found group by id)
    select one.*, first.has_address from (${person}) one join first using (id)
    order by first.has_address desc, one.name, one.created_at limit ${most}`.execute(db)
  return rows
}

export async function findPersonRow(db: Db, userId: string): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`${person} where a.id = ${userId}`.execute(db)
  return rows[0]
}

/** The filters that a search applies in both directions, in display order. */
const filters = {
  distance: fits.reach,
  gender: `${fits.theirGender} and ${fits.myGender}`,
  ages: `${fits.theirAge} and ${fits.myAge}`,
  own_dealbreakers: fits.myDealbreakers,
  their_dealbreakers: fits.theirDealbreakers,
  apart: 'c.user_id not in (select * from apart)',
  decided: 'c.user_id not in (select * from decided)',
} as const
export type Filter = keyof typeof filters
export const filterNames = Object.keys(filters) as Filter[]

export interface FunnelSearch {
  userId: string
  /** `YYYY-MM-DD` in UTC. */
  today: string
  latitude: number | null
  longitude: number | null
  /** Cells that cover the area within the largest distance limit. */
  cells: readonly string[]
  /** Whether people farther away also count, provided that they have no distance limit either. */
  anywhere: boolean
}

export type FunnelRow = { everybody: number } & Record<`${Filter}_left` | `${Filter}_alone`, number>

/**
 * Counts everyone else who can be found, how many of them pass each filter and all before it (`_left`), and how many
 * people nearby are excluded by only this filter (`_alone`).
 */
export async function countFunnel(pool: pg.Pool, search: FunnelSearch): Promise<FunnelRow> {
  const { userId, today, latitude, longitude, cells, anywhere } = search
  const passing = (names: readonly Filter[]) => names.map((name) => `passes.${name}`).join(' and ')
  const counts = filterNames.flatMap((name, place) => [
    `count(*) filter (where ${passing(filterNames.slice(0, place + 1))})::int as ${name}_left`,
    `count(*) filter (where near and not passes.${name} and ${passing(filterNames.filter((other) => other !== name))})::int as ${name}_alone`,
  ])
  const passes = filterNames.map((name) => `coalesce(${filters[name]}, false) as ${name}`)
  const text = `with me as materialized (select * from searcher($1, $2, $3, $4, '{}')),
    apart as materialized (${apart}),
    decided as materialized (select target_id from decisions where actor_id = $1),
    passes as (select c.cell = any($5::bigint[]) as near, ${passes.join(', ')} from me cross join candidates c
      where (c.cell = any($5::bigint[])${anywhere ? ' or c.reach = 32767' : ''}) and c.user_id <> me.user_id offset 0)
    select (select count(*) from candidates where user_id <> $1)::int as everybody, ${counts.join(', ')} from passes`
  const values = [userId, today, latitude, longitude, cells]
  const { rows } = await pool.query<FunnelRow>({ text, values })
  return rows[0] as FunnelRow
}
