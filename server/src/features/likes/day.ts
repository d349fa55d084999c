import type { Today } from '@duet/contract/discovery.ts'
import tzlookup from '@photostructure/tz-lookup'
import { AppError } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { viewpointOf } from '../places/places.ts'
import { operatorSettings } from '../settings/settings.ts'
import { countToday, type Day, putDay } from './likes.queries.ts'

type Looking = Pick<Platform, 'db' | 'pool' | 'clock'>

async function dayOf(platform: Looking, userId: string): Promise<Day> {
  const place = await viewpointOf(platform, userId)
  const zone = place ? tzlookup(place.latitude, place.longitude) : 'UTC'
  return countToday(platform.db, userId, zone, platform.clock.now())
}

async function todayIn(platform: Looking, { likes, ends_at }: Day): Promise<Today> {
  const { dailyLikes } = await operatorSettings(platform)
  return { likes, limit: dailyLikes, resetsAt: ends_at.toISOString() }
}

/**
 * A person's likes of their own day, which ends at midnight where they were when they sent its first like, or else
 * where they are; in UTC without a place.
 */
export async function todayOf(platform: Looking, userId: string): Promise<Today> {
  return todayIn(platform, await dayOf(platform, userId))
}

/** Checks that a person has a like left today, and keeps when that day ends: who moves on begins no other one. Throws `daily_limit_reached`. */
export async function requireLikesLeft(tx: Tx, userId: string): Promise<void> {
  const day = await dayOf(tx, userId)
  const { likes, limit } = await todayIn(tx, day)
  if (limit !== null && likes >= limit) {
    throw new AppError('daily_limit_reached', "You've used all of today's likes. More come tomorrow.")
  }
  await putDay(tx.db, userId, day)
}
