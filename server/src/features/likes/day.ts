import type { DeckCounts, Today } from '@duet/contract/discovery.ts'
import { limits } from '@duet/contract/limits.ts'
import tzlookup from '@photostructure/tz-lookup'
import { after, minutes } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { operatorSettings } from '../settings/settings.ts'
import { beginDay, type Day, findCounts } from './likes.queries.ts'

type Looking = Pick<Platform, 'db' | 'pool' | 'clock'>

/**
 * The viewer and their location in degrees. Their day ends at local midnight, or at midnight UTC if they have no
 * location.
 */
export interface Counted {
  viewerId: string
  place: { latitude: number; longitude: number } | null
}

const zoneOf = ({ place }: Counted) => (place ? tzlookup(place.latitude, place.longitude) : 'UTC')

async function todayIn(platform: Looking, { likes, ends_at }: Day): Promise<Today> {
  const { dailyLikes } = await operatorSettings(platform)
  return { likes, limit: dailyLikes, resetsAt: ends_at.toISOString() }
}

/**
 * The counts shown on a viewer's deck: today's likes, and the decisions that can be undone. The day ends at midnight
 * where the viewer sent its first like, or at their current location if they haven't sent one.
 */
export async function deckCounts(platform: Looking, viewer: Counted): Promise<DeckCounts> {
  const now = platform.clock.now()
  const since = after(now, -minutes(limits.undoMinutes))
  const { count, latest, ...day } = await findCounts(platform.pool, viewer.viewerId, {
    zone: zoneOf(viewer),
    now,
    since,
  })
  return { today: await todayIn(platform, day), undoable: count, undoNext: latest }
}

/**
 * Checks that a person has a like left today, and stores when that day ends, so that moving doesn't start a new day.
 * Throws `daily_limit_reached`.
 */
export async function requireLikesLeft(tx: Tx, viewer: Counted): Promise<void> {
  const day = await beginDay(tx.db, viewer.viewerId, zoneOf(viewer), tx.clock.now())
  const { likes, limit } = await todayIn(tx, day)
  if (limit !== null && likes >= limit) {
    throw new AppError('daily_limit_reached', "You've used all of today's likes. More come tomorrow.")
  }
}
