import type { Today } from '@duet/contract/discovery.ts'
import tzlookup from '@photostructure/tz-lookup'
import type { Platform } from '../../platform/platform.ts'
import { viewpointOf } from '../places/places.ts'
import { operatorSettings } from '../settings/settings.ts'
import { countToday } from './likes.queries.ts'

/** A person's likes of their own day, which ends at midnight where they are; in UTC without a place. */
export async function todayOf(platform: Pick<Platform, 'db' | 'pool' | 'clock'>, userId: string): Promise<Today> {
  const place = await viewpointOf(platform, userId)
  const zone = place ? tzlookup(place.latitude, place.longitude) : 'UTC'
  const { likes, resets_at } = await countToday(platform.db, userId, zone, platform.clock.now())
  const { dailyLikes } = await operatorSettings(platform)
  return { likes, limit: dailyLikes, resetsAt: resets_at.toISOString() }
}
