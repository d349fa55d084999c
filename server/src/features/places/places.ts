import type { Place } from '@duet/contract/places.ts'
import { after, minutes } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { eachPart } from '../../platform/jobs/each-one.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import { centreOf, snap, viewpointOf, wideCentreOf } from '../cells/cells.ts'
import { queueMoved } from '../likes/queue-moved.ts'
import { areaName, cityCentre, findPlaces, readGazetteer } from './gazetteer.ts'
import {
  findArea,
  findDueMoves,
  findOwnCell,
  hasWithdrawnLocationConsent,
  insertLocation,
  lockDue,
  lockLocation,
  type Published,
  publishCell,
  putWide,
  updateCell,
  type Wide,
} from './places.queries.ts'

type Whereabouts = { latitude: number; longitude: number } | { cityId: number }

/**
 * Limits moves to another cell, and new locations after a withdrawal. Moves within a cell and the first location don't
 * count.
 */
const moves = { name: 'location_moves', points: 6, seconds: 3_600 }
/** Others see moves only at these fixed times, so that nobody can tell when someone crosses a cell border. */
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

export function nextEpoch(now: Date): Date {
  return after(new Date(0), (Math.floor(now.getTime() / epochMs) + 1) * epochMs)
}

export function searchPlaces(query: string, limit: number): Place[] {
  return findPlaces(query, limit)
}

/**
 * Stores the viewer's location, snapped to a cell, and returns the area others see. The first location is published
 * immediately, and `onFirst` runs after the commit. Later ones, including the first after a withdrawal, are published
 * at the next half hour. Throws not found for an unknown city, and `rate_limited` after six moves an hour.
 */
export function updateLocation(
  platform: Platform,
  viewerId: string,
  where: Whereabouts,
  onFirst: (userId: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const point = 'cityId' in where ? cityCentre(where.cityId) : where
  if (!point) throw notFound()
  readGazetteer()
  return transaction(platform, async (tx) => {
    const now = tx.clock.now()
    const old = await lockLocation(tx.db, viewerId)
    if (!old) {
      const isFirst = !(await hasWithdrawnLocationConsent(tx.db, viewerId))
      if (!isFirst) await tx.limits.spend(moves, viewerId)
      const place = published(snap(point.latitude, point.longitude).cell)
      const publishing = isFirst
        ? { published_at: now, publish_at: null }
        : { published_at: null, publish_at: nextEpoch(now) }
      if (await insertLocation(tx.db, viewerId, place, publishing)) {
        await setFoundAfter(tx, [viewerId])
        if (isFirst) tx.afterCommit(() => onFirst(viewerId))
        return place.area
      }
    }
    const known = old ?? (await lockLocation(tx.db, viewerId))
    if (!known) throw notFound()
    const { cell } = snap(point.latitude, point.longitude, known.cell)
    if (cell !== known.cell) {
      await tx.limits.spend(moves, viewerId)
      const isShown = cell === known.published_cell && known.published_at !== null
      await updateCell(tx.db, viewerId, cell, isShown ? null : nextEpoch(now))
    }
    return known.area
  })
}

export async function publishMoves(platform: Platform): Promise<void> {
  const now = platform.clock.now()
  readGazetteer()
  const due = await findDueMoves(platform.db, now)
  const message = 'a move could not be published; the next run retries'
  await eachPart(platform, due, { size: batch, message }, (userIds) =>
    transaction(platform, async (tx) => {
      const moved = await lockDue(tx.db, userIds, now)
      for (const { user_id, cell } of moved) await publishCell(tx.db, user_id, published(cell), now)
      const ids = moved.map(({ user_id }) => user_id)
      await setFoundAfter(tx, ids)
      await queueMoved(tx, ids)
    }),
  )
}

export async function findViewpoint(platform: Pick<Platform, 'db'>, viewerId: string) {
  const row = await findOwnCell(platform.db, viewerId)
  return row && viewpointOf(row.cell, row.hide_distance)
}

export async function areaOf(platform: Pick<Platform, 'db'>, userId: string): Promise<string | undefined> {
  return (await findArea(platform.db, userId)) ?? undefined
}

/** Stores the coarse location where others see a person who hides their distance. Call it before they hide it. */
export async function widenPlace(tx: Pick<Tx, 'db'>, userId: string): Promise<void> {
  const row = await lockLocation(tx.db, userId)
  if (row) await putWide(tx.db, userId, wideOf(row.published_cell))
}

export const placeJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'publish-moves', cron: '0,30 * * * *', run: () => publishMoves(platform) },
]
