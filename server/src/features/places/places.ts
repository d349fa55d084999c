import type { Place } from '@duet/contract/places.ts'
import { after, minutes } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { centreOf, snap, wideCentreOf } from './cells.ts'
import { areaName, cityCentre, findPlaces } from './gazetteer.ts'
import {
  findArea,
  findLocation,
  insertLocation,
  lockDue,
  lockLocation,
  type Published,
  publishCell,
  putWide,
  updateCell,
  type Wide,
} from './places.queries.ts'

export { centreOf, wideCellsAround } from './cells.ts'
export { areaName, largestCities } from './gazetteer.ts'

type Whereabouts = { latitude: number; longitude: number } | { cityId: number }

/** Moves to another cell. Staying, and the first location, are free. */
const moves = { name: 'location_moves', points: 6, seconds: 3_600 }
/** Others learn of moves only at these fixed moments, so that nobody can time a border crossing. */
const epochMs = minutes(30)
const batch = 500

function wideOf(cell: string): Wide {
  const { latitude, longitude } = wideCentreOf(cell)
  return { latitude, longitude, area: areaName({ latitude, longitude }) }
}

function published(cell: string): Published {
  const centre = centreOf(cell)
  return { ...centre, area: areaName(centre), wide: wideOf(cell) }
}

/** The first epoch boundary after `now`. */
export function nextEpoch(now: Date): Date {
  return after(new Date(0), (Math.floor(now.getTime() / epochMs) + 1) * epochMs)
}

/** Cities by the beginning of their name, largest first. */
export function searchPlaces(query: string, limit: number): Place[] {
  return findPlaces(query, limit)
}

/**
 * Notes where the viewer is, snapped to a cell before anything else happens to it, and gives their area as others see it.
 * The first location is published at once, and `onFirst` runs after it is kept; a later one is published at the next
 * epoch. Throws not found for an unknown city, `rate_limited` after six moves an hour.
 */
export function updateLocation(
  platform: Platform,
  viewerId: string,
  where: Whereabouts,
  onFirst: (userId: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const point = 'cityId' in where ? cityCentre(where.cityId) : where
  if (!point) throw notFound()
  return transaction(platform, async (tx) => {
    const now = tx.clock.now()
    const old = await lockLocation(tx.db, viewerId)
    if (!old) {
      const place = published(snap(point.latitude, point.longitude).cell)
      if (await insertLocation(tx.db, viewerId, place, now)) {
        tx.afterCommit(() => onFirst(viewerId))
        return place.area
      }
    }
    const known = old ?? (await lockLocation(tx.db, viewerId))
    if (!known) throw notFound()
    const { cell } = snap(point.latitude, point.longitude, known.cell)
    if (cell !== known.cell) {
      await tx.limits.spend(moves, viewerId)
      await updateCell(tx.db, viewerId, cell, cell === known.published_cell ? null : nextEpoch(now))
    }
    return known.area
  })
}

/** Shows the moves that are due to others. */
export async function publishMoves(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  for (let done = batch; done === batch; ) {
    done = await transaction(platform, async (tx) => {
      const due = await lockDue(tx.db, now, batch)
      for (const { user_id, cell } of due) await publishCell(tx.db, user_id, published(cell), now)
      return due.length
    })
  }
}

/** Where a viewer looks from: the centre of their own cell in degrees; undefined without a location. */
export async function viewpointOf(platform: Pick<Platform, 'db'>, viewerId: string) {
  const row = await findLocation(platform.db, viewerId)
  return row && centreOf(row.cell)
}

/** The area others see somebody in; undefined without a location. */
export async function areaOf(platform: Pick<Platform, 'db'>, userId: string): Promise<string | undefined> {
  return (await findArea(platform.db, userId)) ?? undefined
}

/** Before somebody hides their distance: keeps the wide place they are in for others from then on. */
export async function widenPlace(tx: Pick<Tx, 'db'>, userId: string): Promise<void> {
  const row = await lockLocation(tx.db, userId)
  if (row) await putWide(tx.db, userId, wideOf(row.published_cell))
}
