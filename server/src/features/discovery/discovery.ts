import type { NearbyPage } from '@duet/contract/discovery.ts'
import { cutPage, readCursor } from '../../platform/http/cursor.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { fittingAmong, nearestPage, searcherOf } from '../candidates/candidates.ts'
import { notify } from '../notifications/notifications.ts'
import { areaOf } from '../places/places.ts'
import { cardsOf } from '../profiles/cards.ts'
import { keepImpressions } from './impressions.ts'

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Seeds the order within a distance bucket: the first 64 bits of an HMAC of the day and the viewer. */
function orderSeed(platform: Pick<Platform, 'secrets'>, viewerId: string, day: string): bigint {
  return platform.secrets.hmac('nearby-order', day, viewerId).readBigInt64BE(0)
}

/**
 * A page of people near the viewer who fit both ways, nearest bucket first. Empty without a location. Throws
 * `validation_failed` for a cursor of another list.
 */
export async function listNearby(
  platform: Platform,
  viewerId: string,
  cursor: string | undefined,
  limit: number,
): Promise<NearbyPage> {
  const list = `nearby:${viewerId}`
  const [day, bucket, key] = cursor ? readCursor(platform.secrets, list, cursor) : [dayOf(platform.clock.now())]
  const searcher = await searcherOf(platform, viewerId)
  const rows = await nearestPage(platform, searcher, {
    seed: orderSeed(platform, viewerId, String(day)),
    after: cursor ? { bucket: Number(bucket), key: String(key) } : undefined,
    limit: limit + 1,
  })
  const positionOf = (last: (typeof rows)[number]) => [String(day), last.bucket, last.key]
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const fitting = await fittingAmong(
    platform,
    searcher,
    page.map(({ id }) => id),
  )
  // Someone who hides their distance by now must not stay where their distance has placed them.
  const ids = page.flatMap(({ id, bucket }) => (fitting.get(id) === bucket ? [id] : []))
  const users = await cardsOf(platform, searcher, ids)
  return { users, nextCursor }
}

/** Limits how many newcomers a person is notified of each day; the radius is in km. */
const news = { name: 'newcomer_news', points: 3, seconds: 86_400 }
const newsReachKm = 25
const mostTold = 50

/** Notifies nearby people of a newcomer if they fit both ways and may see the newcomer. */
export async function announceNewcomer(platform: Platform, newcomerId: string): Promise<void> {
  const newcomer = await searcherOf(platform, newcomerId)
  const found = await nearestPage(platform, newcomer, {
    reach: newsReachKm,
    seed: orderSeed(platform, newcomerId, dayOf(platform.clock.now())),
    after: undefined,
    limit: mostTold,
  })
  const area = (await areaOf(platform, newcomerId)) ?? ''
  const ids = found.map(({ id }) => id)
  for (const id of (await fittingAmong(platform, newcomer, ids)).keys()) {
    const searcher = await searcherOf(platform, id)
    // The notification contains only the name, so the card is built without the viewer's answers: otherwise a shared
    // answer would count as shown today.
    const viewer = searcher && { ...searcher, self: { ...searcher.self, sheet: undefined } }
    const [card] = await cardsOf(platform, viewer, [newcomerId])
    // Skips people who hide their distance, because the notification would reveal that they are near.
    // A replica may have found someone who has moved away.
    if (!card || card.distanceKm === null || card.distanceKm > newsReachKm) continue
    const mayTell = await platform.limits.spend(news, id).then(
      () => true,
      () => false,
    )
    if (!mayTell) continue
    const input = {
      kind: 'nearby',
      params: { name: card.name, area },
      link: `/profile/${newcomerId}`,
      collapseKey: 'nearby',
    } as const
    await transaction(platform, (tx) => notify(tx, id, input))
  }
}

export const discoveryJobs = ({ platform, asOwner }: JobPlatforms): JobSpec[] => [
  { name: 'announce-newcomer', run: (payload) => announceNewcomer(platform, (payload as { userId: string }).userId) },
  { name: 'keep-impressions', cron: '41 3 * * *', run: () => keepImpressions(asOwner) },
]
