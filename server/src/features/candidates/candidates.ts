import type { Platform } from '../../platform/platform.ts'
import type { Candidate } from '../matching/traits.ts'
import { wideCellsAround } from '../places/cells.ts'
import { viewpointOf } from '../places/places.ts'
import {
  type CandidateRow,
  countPool,
  findAmong,
  findAnywhere,
  findDescribed,
  findInCells,
  findLikable,
  findNearest,
  findSearcher,
  findSelf,
  type NearestPage,
  type PoolCounts,
  type Searching,
} from './candidates.queries.ts'
import { searchInMemory } from './indexed-search.ts'
import { currentIndex } from './keep-index.ts'
import { cellsInTurn, chanceOf, type Found, newDays, searchBounds } from './search-bounds.ts'

const { farthestKm } = searchBounds
/** How far a count goes before it stops. */
const mostCounted = 2_000

type Searchable = Pick<Platform, 'db' | 'pool' | 'clock'>
type Indexed = Pick<Platform, 'db' | 'pool' | 'clock' | 'log' | 'secrets'>

interface Search extends Searching {
  cell: string
  /** The viewer's own limit in km, null for anywhere. */
  reach: number | null
}

/** From where and when a viewer searches; undefined without a place. */
async function searchOf(platform: Searchable, viewerId: string): Promise<Search | undefined> {
  const [from, reach] = await Promise.all([viewpointOf(platform, viewerId), findSearcher(platform.db, viewerId)])
  if (!from || reach === undefined) return undefined
  const today = platform.clock.now().toISOString().slice(0, 10)
  return { viewerId, latitude: from.latitude, longitude: from.longitude, today, cell: from.cell, reach }
}

const cellsOf = ({ cell }: Search, reach: number | null) => (reach === null ? null : wideCellsAround(cell, reach))

/** A candidate as ranking takes it. */
function candidateOf(row: CandidateRow, liking?: ReadonlySet<string>): Candidate {
  const [id, bucket, age, traits, avoids, languages, one, two, daysInactive, daysHere, a, b, pending, impressions] = row
  return {
    id,
    age,
    traits,
    avoids,
    languages,
    interests: [one, two],
    a,
    b,
    daysInactive,
    pending,
    impressions,
    distanceKm: bucket > farthestKm ? null : bucket,
    likesViewer: liking?.has(id) ?? false,
    isNew: daysHere <= newDays,
  }
}

/**
 * Up to 600 people who fit both ways and have no decision of the viewer yet, from near to far, those of `likedBy` (who
 * like the viewer) before all others; with the viewer as ranking sees them. Undefined without a place. In memory where
 * there is an index, else in the database: its results have to be checked again before they are shown.
 */
export async function searchCandidates(
  platform: Indexed,
  viewerId: string,
  likedBy: readonly string[] | Promise<readonly string[]>,
): Promise<Found | undefined> {
  const current = currentIndex(platform)
  const found = current ? await searchInMemory(platform, current, viewerId, likedBy) : 'no index'
  return found === 'no index' ? searchDatabase(platform, viewerId, likedBy) : found
}

/** The same in the database, whether or not there is an index. */
export async function searchDatabase(
  platform: Omit<Indexed, 'log'>,
  viewerId: string,
  likedBy: readonly string[] | Promise<readonly string[]>,
): Promise<Found | undefined> {
  const [search, likers] = await Promise.all([searchOf(platform, viewerId), likedBy])
  if (!search) return undefined
  const { pool } = platform
  const chance = chanceOf(platform, viewerId, search.today)
  const cells = cellsInTurn(search.cell, search.reach ?? farthestKm, chance)
  const [self, liking] = await Promise.all([findSelf(pool, search), findAmong(pool, search, likers)])
  if (!self) return undefined
  const fitting = new Map(liking.map((row) => [row[0], row]))
  const received = likers
    .flatMap((id) => (fitting.has(id) ? [fitting.get(id) as CandidateRow] : []))
    .slice(0, searchBounds.received)
  const near = await findInCells(pool, search, { ...searchBounds, chance, cells, without: idsOf(received) })
  const goesOn = search.reach === null && near.length < searchBounds.most
  const without = idsOf([...received, ...near])
  const far = goesOn ? await findAnywhere(pool, search, { most: searchBounds.anywhere, chance, without }) : []
  const likes = new Set(likers)
  const found = [...received, ...near, ...far].slice(0, searchBounds.most)
  return { self: candidateOf(self), candidates: found.map((row) => candidateOf(row, likes)) }
}

const idsOf = (rows: readonly CandidateRow[]) => rows.map(([id]) => id)

/** The ids of `ids` that fit both ways and that the viewer has not decided on; none without a place. */
export async function stillCandidates(
  platform: Searchable,
  viewerId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const search = ids.length > 0 ? await searchOf(platform, viewerId) : undefined
  return new Set(search ? (await findAmong(platform.pool, search, ids)).map(([id]) => id) : [])
}

/** The visible people of `ids` as ranking sees them, whether or not they fit. Undefined without a place. */
export async function candidatesOf(
  platform: Searchable,
  viewerId: string,
  ids: readonly string[],
): Promise<Found | undefined> {
  const search = await searchOf(platform, viewerId)
  const self = search && (await findSelf(platform.pool, search))
  if (!search || !self) return undefined
  const rows = await findDescribed(platform.pool, search, ids)
  return { self: candidateOf(self), candidates: rows.map((row) => candidateOf(row)) }
}

/** Those of `ids` that the viewer can like. */
export async function likableAmong(
  platform: Searchable,
  viewerId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const search = ids.length > 0 ? await searchOf(platform, viewerId) : undefined
  return search ? findLikable(platform.pool, search, ids) : new Set()
}

/** A page of the people who fit both ways, nearest bucket first. `reach` narrows the viewer's own limit (km). */
export async function nearestPage(
  platform: Searchable,
  viewerId: string,
  page: Omit<NearestPage, 'cells'> & { reach?: number },
): Promise<{ id: string; bucket: number; key: string }[]> {
  const search = await searchOf(platform, viewerId)
  if (!search) return []
  return findNearest(platform.pool, search, { ...page, cells: cellsOf(search, page.reach ?? search.reach) })
}

/** How many fit with filters that are only tried; each count stops at 2,000. None without a place. */
export async function poolOf(
  platform: Searchable,
  viewerId: string,
  tried: { maxDistanceKm?: number | null | undefined },
): Promise<PoolCounts> {
  const search = await searchOf(platform, viewerId)
  if (!search) return { i_see: 0, see_me: 0, both: 0 }
  const reach = tried.maxDistanceKm === undefined ? search.reach : tried.maxDistanceKm
  return countPool(platform.pool, search, tried, { cells: cellsOf(search, reach), most: mostCounted })
}
