import { limits } from '@duet/contract/limits.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { viewpointOf, wideCellsAround } from '../cells/cells.ts'
import type { Candidate } from '../matching/traits.ts'
import {
  countPool,
  findAmong,
  findFar,
  findFitting,
  findNearest,
  findViewerRow,
  isFitting,
  lapsOf,
  type Near,
  type NearestPage,
  type PoolCounts,
  putFound,
  type Searching,
  type ViewerRow,
} from './candidates.queries.ts'
import { dateNumber, dayOf, pendingOn } from './days.ts'
import { anywhere, type CandidateRow } from './fits.queries.ts'
import { searchInMemory } from './indexed-search.ts'
import { currentIndex } from './keep-index.ts'
import { genderBits } from './people-index.ts'
import { estimatePool } from './pool.queries.ts'
import { findAnywhere, findInCells } from './search.queries.ts'
import {
  cellsInTurn,
  chanceOf,
  hiddenPresenceDays,
  mostBeside,
  newDays,
  searchBounds,
  takeTurns,
} from './search-bounds.ts'

const { farthestKm } = searchBounds
const mostCounted = 2_000

type Searchable = Pick<Platform, 'db' | 'clock'>
type Counting = Pick<Platform, 'reads'>
type Indexed = Pick<Platform, 'pool' | 'reads' | 'clock' | 'log' | 'secrets'>

/** A viewer with everything that discovery needs to know about them, read once per request. */
export interface Searcher extends Searching {
  /** The location that their distances are measured from. Null without a location, and then they find nobody. */
  place: ReturnType<typeof viewpointOf> | null
  /** Like `me`, but at their published location. Null until their first location is published. */
  shown: Searching['me'] | null
  /** The viewer in the form that ranking uses for candidates. */
  self: Candidate
  /**
   * False if they have paused, asked for erasure, or were hidden and told so. People who are hidden without being told
   * may like others.
   */
  mayLike: boolean
  isPaused: boolean
  hidesPresence: boolean
}

function selfOf(viewerId: string, row: ViewerRow): Candidate {
  const { me, says_yes: a, is_liked: b, impressions, days_here: daysHere } = row
  return {
    ...{ id: viewerId, age: me.years, traits: me.traits, avoids: me.avoids, languages: me.languages },
    ...{ interests: [me.interests_1, me.interests_2], sheet: row.sheet ?? undefined },
    ...{ a, b, impressions, isNew: daysHere <= newDays },
    ...{ daysInactive: 0, pending: 0, distanceKm: 0, likesViewer: false },
  }
}

/** Reads a searcher with their filters replaced by those in `tried`. Undefined without a profile. */
export async function searcherOf(
  { db, clock }: Searchable,
  viewerId: string,
  tried: object = {},
): Promise<Searcher | undefined> {
  const today = clock.now().toISOString().slice(0, 10)
  const row = await findViewerRow(db, viewerId, today, tried)
  if (!row) return undefined
  const place = row.cell === null ? null : viewpointOf(row.cell, row.hide_distance)
  const me = place ? { ...row.me, latitude: place.latitude, longitude: place.longitude } : row.me
  const shown = row.has_moved ? row.me : me
  const { may_like: mayLike, is_paused: isPaused, hide_presence: hidesPresence } = row
  return {
    viewerId,
    today,
    me,
    place,
    shown: row.is_shown ? shown : null,
    mayLike,
    isPaused,
    hidesPresence,
    self: selfOf(viewerId, row),
  }
}

export async function getSearcher(platform: Searchable, viewerId: string): Promise<Searcher> {
  const searcher = await searcherOf(platform, viewerId)
  if (!searcher) throw notFound()
  return searcher
}

/**
 * Makes the people among `ids` newcomers who can be found for the first time, by setting `found_after`. Call it after a
 * change that may make people visible.
 */
export const setFoundAfter = ({ db, clock }: Searchable, ids: readonly string[]): Promise<void> =>
  putFound(db, ids, clock.now())

const reachOf = ({ me }: Searching): number | null => (me.reach === anywhere ? null : me.reach)

const cellsOf = (cell: string, reach: number | null) => (reach === null ? null : wideCellsAround(cell, reach))

/** `day` is in days since 1970. */
function candidateOf(row: CandidateRow, day: number, liking?: ReadonlySet<string>): Candidate {
  const [id, bucket, bornOn, traits, avoids, languages, one, two, daysInactive, daysHere] = row
  const [, , , , , , , , , , isQuiet, a, b, pending, pendingAt, impressions] = row
  return {
    id,
    age: Math.max(limits.adultAge, Math.floor((dateNumber(day) - dateNumber(bornOn)) / 10_000)),
    traits,
    avoids,
    languages,
    interests: [one, two],
    a,
    b,
    daysInactive: isQuiet ? hiddenPresenceDays : Math.max(0, daysInactive),
    pending: pendingOn(day, pending, pendingAt),
    impressions,
    distanceKm: bucket > farthestKm ? null : bucket,
    likesViewer: liking?.has(id) ?? false,
    isNew: daysHere <= newDays,
  }
}

/**
 * Finds up to 600 people who fit both ways and whom the searcher hasn't decided on: first people in `likedBy`, who like
 * the searcher, then others from near to far. Undefined without a location. Searches the in-memory index if there is
 * one, otherwise the database. Results may be out of date, so check them again before showing them.
 */
export async function searchCandidates(
  platform: Indexed,
  searcher: Searcher,
  likedBy: readonly string[] | Promise<readonly string[]>,
): Promise<Candidate[] | undefined> {
  const { place, viewerId, today, me } = searcher
  const current = currentIndex(platform)
  if (!place) return undefined
  const search = { viewerId, today, me, cell: place.cell }
  const found = current ? await searchInMemory(platform, current, search, likedBy) : 'no index'
  return found === 'no index' ? searchDatabase(platform, searcher, likedBy) : found
}

/** Like `searchCandidates`, but always searches the database. */
export async function searchDatabase(
  platform: Pick<Indexed, 'reads' | 'clock' | 'secrets'>,
  searcher: Searcher,
  likedBy: readonly string[] | Promise<readonly string[]>,
): Promise<Candidate[] | undefined> {
  if (!searcher.place) return undefined
  const { reads } = platform
  const likers = await likedBy
  const reach = reachOf(searcher)
  const chance = chanceOf(platform, searcher.viewerId, searcher.today)
  const cells = cellsInTurn(searcher.place.cell, reach ?? farthestKm, chance)
  const liking = await findAmong(reads, searcher, likers)
  const fitting = new Map(liking.map((row) => [row[0], row]))
  const received = likers
    .flatMap((id) => (fitting.has(id) ? [fitting.get(id) as CandidateRow] : []))
    .slice(0, searchBounds.received)
  const taken = idsOf(received)
  const near = await searchGendersInTurn(searcher, searchBounds.most, (choosing) =>
    findInCells(reads, searcher, { ...choosing, chance, cells, without: taken }),
  )
  const goesOn = reach === null && near.length < searchBounds.most
  const without = [...taken, ...idsOf(near)]
  const far = goesOn
    ? await searchGendersInTurn(searcher, searchBounds.anywhere, (choosing) =>
        findAnywhere(reads, searcher, { ...choosing, chance, without }),
      )
    : []
  const likes = new Set(likers)
  const day = dayOf(searcher.today)
  return [...received, ...near, ...far].slice(0, searchBounds.most).map((row) => candidateOf(row, day, likes))
}

/** Searches the rarest genders first, to know how many results the others may fill, then merges the genders in turn. */
async function searchGendersInTurn(
  { me }: Searching,
  most: number,
  find: (choosing: { gender: number; most: number }) => Promise<CandidateRow[]>,
): Promise<CandidateRow[]> {
  const lists: CandidateRow[][] = []
  for (const gender of genderBits.toReversed())
    if ((gender & me.seeks) !== 0) lists.unshift(await find({ gender, most: mostBeside(lists, most) }))
  return takeTurns(lists, most)
}

const idsOf = (rows: readonly CandidateRow[]) => rows.map(([id]) => id)

/**
 * Returns the people among `ids` who are still visible and fit both ways, each with their distance bucket. Needed
 * because a replica may return people who no longer do.
 */
export async function fittingAmong(
  { db }: Pick<Searchable, 'db'>,
  searcher: Searcher | undefined,
  ids: readonly string[],
): Promise<Map<string, number>> {
  return searcher?.place && ids.length > 0 ? findFitting(db, searcher, ids) : new Map()
}

export async function likableAmong(
  platform: Pick<Searchable, 'db'>,
  searcher: Searcher | undefined,
  ids: readonly string[],
): Promise<Set<string>> {
  return new Set(searcher?.mayLike ? (await fittingAmong(platform, searcher, ids)).keys() : [])
}

/** Whether two people fit both ways and the searcher may send likes. Ignores blocks and ended matches. */
export async function fitsWith({ db }: Pick<Searchable, 'db'>, searcher: Searcher, id: string): Promise<boolean> {
  return searcher.place !== null && searcher.mayLike && isFitting(db, searcher, id)
}

/** Like `fitsWith`, but uses the searcher's published location, so that the result can't reveal an unpublished move. */
export async function fitsAsShown({ db }: Pick<Searchable, 'db'>, { shown }: Searcher, id: string): Promise<boolean> {
  return shown !== null && isFitting(db, { me: shown }, id)
}

/** The distances in km that are searched first. They are bucket edges. */
const nearFirst = [10, 100]

/**
 * A page of the people who fit both ways, nearest bucket first. `reach` (km) lowers the searcher's distance limit.
 * Searches farther away only if the page isn't full. A replica may answer, so call `fittingAmong` before showing the
 * people.
 */
export async function nearestPage(
  { reads }: Counting,
  searcher: Searcher | undefined,
  { reach = anywhere, ...page }: NearestPage & { reach?: number },
): Promise<Near[]> {
  if (!searcher?.place) return []
  const { place, me } = searcher
  const farthest = Math.min(me.reach, reach)
  const from = page.after?.bucket ?? 0
  const steps = farthest === anywhere ? nearFirst : [...nearFirst.filter((km) => km < farthest), farthest]
  let near: Near[] = []
  for (const km of steps.filter((step) => from <= step)) {
    const within = { ...searcher, me: { ...me, reach: km } }
    near = await findNearest(reads, within, { ...page, cells: wideCellsAround(place.cell, km) })
    if (near.length >= page.limit) return near
  }
  if (farthest < anywhere) return near
  for (const lap of lapsOf(page)) {
    const left = page.limit - near.length
    if (left > 0) near.push(...(await findFar(reads, searcher, lap, left)))
  }
  return near
}

/**
 * Counts the people who fit the searcher, in each direction and both. Each count stops at 2,000; all are 0 without a
 * location.
 */
export async function poolOf({ reads }: Counting, searcher: Searcher | undefined): Promise<PoolCounts> {
  if (!searcher?.place) return { i_see: 0, see_me: 0, both: 0 }
  return countPool(reads, searcher, { cells: cellsOf(searcher.place.cell, reachOf(searcher)), most: mostCounted })
}

/**
 * Like `poolOf`, for filters that the searcher is trying out. Without a distance limit, the counts of people far away
 * are estimates.
 */
export async function triedPoolOf({ reads }: Counting, searcher: Searcher | undefined): Promise<PoolCounts> {
  if (!searcher?.place || reachOf(searcher) !== null) return poolOf({ reads }, searcher)
  const cells = wideCellsAround(searcher.place.cell, farthestKm)
  return estimatePool(reads, searcher, { nearKm: farthestKm, cells, most: mostCounted })
}
