import type { Reads } from '../../platform/database/read-replicas.ts'
import type { Searching } from './candidates.queries.ts'
import {
  anywhere,
  apartOrDecided,
  type CandidateRow,
  candidatesOf,
  facts,
  fits,
  fitsMe,
  fitsThem,
  readCandidates,
  searcherFrom,
} from './fits.queries.ts'
import { type Chance, kept, newDays, searchBounds } from './search-bounds.ts'

// The distance along the circle from the viewer's point ($4) to a person's point, which is the last part of their id
// and random.
const turn = "((('x' || right(c.user_id::text, 8))::bit(32)::bigint - $4::bigint) & 4294967295)"
const newFrom = `($3::date - ${newDays})`

/** The reasons why someone is found, in order of priority. */
const choices = { newcomer: 1, earlier: 2, latest: 3 } as const

/** Describes where to find people of one gender ($7). */
interface Kinds {
  /** SQL for the kinds in order: rows of `k` with `place` and the columns that `isOf` uses. */
  places: string
  isOf: string
  fit: string
  perKind: number
}

/**
 * Finds up to $8 people: the `perKind` most recently active of each kind. Only if more of a kind may fit, also reads
 * some newcomers and some people starting from a random day ($5, a fraction of the kind); most kinds need only one
 * read. The planner doesn't see the parameters, so one plan serves all searches.
 */
function finding({ places, isOf, fit, perKind }: Kinds): string {
  const some = (choice: number, condition: string, order: string, count: number) => `
    select ${choice} as choice, row_number() over () as nth, count(*) over () as count, part.user_id, part.facts from (
      select c.user_id, ${facts} as facts from candidates c
      where ${isOf} and ${condition} and c.user_id <> me.user_id and ${fit} and c.user_id not in (select * from apart)
      order by ${order}, ${turn} limit ${count}) part`
  const latest = some(choices.latest, 'true', 'c.active_on desc', perKind)
  const newcomers = some(
    choices.newcomer,
    `c.active_on >= ${newFrom} and c.since >= ${newFrom}`,
    'c.since desc',
    kept.newcomers,
  )
  const earlier = some(
    choices.earlier,
    `c.active_on <= drawn.day and c.since < ${newFrom}`,
    'c.active_on desc',
    kept.earlier,
  )
  return `with me as materialized (select *, $7::smallint as sought from ${searcherFrom('$2')}),
    apart as materialized (${apartOrDecided} union all select unnest($6::uuid[])),
    latest as materialized (
      select k.*, c.* from me cross join ${places} cross join lateral (${latest}) c limit $8),
    crowds as materialized (select * from latest where count = ${perKind} and nth = 1),
    extra as (
      select k.place, c.* from me cross join crowds k cross join lateral (
        select days.active_on as day from (
          select c.active_on, sum(count(*)) over (order by c.active_on desc) as until, sum(count(*)) over () as people
          from candidates c where ${isOf} group by c.active_on) days
        where days.until > floor($5::float8 * days.people) order by days.active_on desc limit 1) drawn
        cross join lateral (${newcomers} union all ${earlier}) c),
    found as (
      select place, choice, nth, user_id, facts from extra
      union all select place, choice, nth, user_id, facts from latest)
    select ${candidatesOf('c.facts', ['c.place', 'c.choice'], 'c.place, c.choice, c.nth')}
    from found c left join standings s on s.user_id = c.user_id`
}

const inCells = finding({
  places: 'unnest((select $9::bigint[])) with ordinality as k (cell, place)',
  isOf: 'c.cell = k.cell and c.gender = me.sought',
  fit: `${fitsMe} and ${fitsThem} and ${fits.reach}`,
  perKind: searchBounds.perCell,
})

const farAway = finding({
  places: '(values (1)) as k (place)',
  isOf: `c.reach = ${anywhere} and c.gender = me.sought`,
  fit: `${fitsMe} and ${fitsThem}`,
  perKind: searchBounds.anywhere,
})

interface Choosing {
  gender: number
  most: number
  chance: Chance
  without: readonly string[]
}

type Found = [...CandidateRow, place: number, choice: number]
const placeOf = (row: Found) => row.at(-2)

/**
 * Takes at most `perKind` people of each kind, each once. The most recently active get the slots that newcomers and
 * earlier people leave.
 */
function takeFrom(found: readonly Found[], perKind: number): CandidateRow[] {
  const list: Found[] = []
  for (let start = 0, end = 0; start < found.length; start = end) {
    const first = found[start] as Found
    while (end < found.length && placeOf(found[end] as Found) === placeOf(first)) end++
    const rows = found.slice(start, end)
    const isWhole = first.at(-1) === choices.latest
    list.push(...(isWhole ? rows : [...new Map(rows.map((row) => [row[0], row])).values()].slice(0, perKind)))
  }
  return list as unknown as CandidateRow[]
}

async function find(
  reads: Reads,
  { name, text, cells }: { name: string; text: string; cells?: readonly string[] },
  { viewerId, me, today }: Searching,
  { gender, most, chance, without }: Choosing,
): Promise<Found[]> {
  const shared = [viewerId, JSON.stringify(me), today, chance.point, chance.start, without, gender, most]
  const values = cells ? [...shared, `{${cells.join()}}`] : shared
  return readCandidates<Found>(reads, { name, text, values })
}

/**
 * People of one gender who fit both ways and whom the searcher hasn't decided on, in the order of `cells`, with a limit
 * per cell.
 */
export async function findInCells(
  reads: Reads,
  searching: Searching,
  { cells, ...choosing }: Choosing & { cells: readonly string[] },
): Promise<CandidateRow[]> {
  const found = await find(reads, { name: 'candidates-in-cells', text: inCells, cells }, searching, choosing)
  return takeFrom(found, searchBounds.perCell).slice(0, choosing.most)
}

/** People at any distance who, like the searcher, accept any distance. */
export async function findAnywhere(reads: Reads, searching: Searching, choosing: Choosing): Promise<CandidateRow[]> {
  const found = await find(reads, { name: 'candidates-anywhere', text: farAway }, searching, choosing)
  return takeFrom(found, searchBounds.anywhere).slice(0, choosing.most)
}
