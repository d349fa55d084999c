import type { LockScreen } from '@duet/contract/limits.ts'
import type { PushDevice, PushMessage } from '@duet/contract/push.ts'
import { after, days, seconds } from '../../platform/clock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import { retryAt } from '../../platform/jobs/retry-at.ts'
import type { JobPlatforms, Platform } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { mayPushTo, type PushResult, type Subscription, sendPush } from '../../platform/web-push.ts'
import { giveBack, notePushed, takeToTell, toldUnread, type Untold, untold } from '../notifications/notifications.ts'
import { isInApp, noteTimeZone, preferencesOf, quietUntil, topicOf } from '../notifications/preferences.ts'
import { currentKey, senderOf } from './keys.ts'
import {
  deleteSubscription,
  findDevices,
  findSubscriptions,
  putSubscription,
  type SubscriptionRow,
} from './push.queries.ts'

/** How long a push service keeps a push for an offline device, and how long a failing push is retried. */
const lifeMs = days(1)

/** Null when push is off. */
export async function getPush(
  platform: Platform,
  viewer: Viewer,
): Promise<{ publicKey: string | null; devices: PushDevice[] }> {
  if (!platform.config.push) return { publicKey: null, devices: [] }
  const rows = await findDevices(platform.db, viewer.id, platform.clock.now())
  return {
    publicKey: await currentKey(platform),
    devices: rows.map(({ id, device, created_at, session_id }) => ({
      id,
      device,
      since: created_at.toISOString(),
      current: session_id === viewer.sessionId,
    })),
  }
}

/** Subscribes the viewer's browser until its session ends. Throws if the operator doesn't allow its push service. */
export async function subscribe(
  platform: Platform,
  viewer: Viewer,
  { endpoint, p256dh, auth, timeZone }: Subscription & { timeZone: string },
): Promise<void> {
  const { clock, config } = platform
  if (!config.push || !mayPushTo(endpoint, config.pushHosts))
    throw invalid([{ path: 'endpoint', message: "this push service isn't used here" }])
  const publicKey = await currentKey(platform)
  const { id: userId, sessionId } = viewer
  await transaction(platform, (tx) =>
    putSubscription(tx.db, { endpoint, p256dh, auth, userId, sessionId, publicKey, now: clock.now() }),
  )
  await noteTimeZone(platform, userId, timeZone)
}

export async function removeDevice({ db }: Pick<Platform, 'db'>, viewerId: string, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteSubscription(db, viewerId, id))) throw notFound()
}

function shownOn(lockScreen: LockScreen, { kind, params, link = '/home' }: Untold) {
  if (lockScreen === 'nothing') return { kind: 'news', params: {}, link }
  const { preview: _, ...rest } = params
  return { kind, params: lockScreen === 'text' ? params : rest, link }
}

async function pushTo(
  platform: Platform,
  row: SubscriptionRow & { userId: string },
  { urgency, ...message }: Omit<PushMessage, 'language'> & { urgency: 'normal' | 'high' },
): Promise<PushResult> {
  const sender = senderOf(platform, row)
  const text = JSON.stringify({ ...message, language: row.language } satisfies PushMessage)
  const push = { text, topic: message.id.replaceAll('-', ''), ttl: lifeMs / seconds(1), urgency }
  const result = sender ? await sendPush(row, sender, push, platform.config.pushHosts) : 'gone'
  // If the deletion fails, the next push tries it again.
  if (result === 'gone')
    await deleteSubscription(platform.db, row.userId, row.id).catch((err) =>
      platform.log.warn({ err }, 'a browser that is gone could not be forgotten'),
    )
  return result
}

/** Returns whether the push service accepted the test. Throws not found without a subscription. */
export async function pushTest(platform: Platform, { id: userId, sessionId }: Viewer): Promise<boolean> {
  const { db, clock } = platform
  const [row] = await findSubscriptions(db, { userId, sessionId, now: clock.now() })
  if (!row) throw notFound()
  const unread = await toldUnread(platform, userId)
  const test = { id: row.id, kind: 'test', params: {}, link: '/settings/notifications' }
  return (await pushTo(platform, { ...row, userId }, { ...test, unread, urgency: 'high' })) === 'sent'
}

/**
 * Pushes a notification to its person's browsers if they would see it now, have its topic on and aren't using any
 * device; during quiet hours, it waits until those end. A notification is pushed once until it is read, and is marked
 * when a push service accepts it. If none does, it is released for email, and pushing is retried for a day if a service
 * may accept it later.
 */
export async function pushNotification(platform: Platform, id: string): Promise<void> {
  const { db, clock, jobs, realtime, config } = platform
  const told = config.push ? await untold(platform, id) : undefined
  if (!told) return
  const { userId, kind } = told
  const topic = topicOf(kind)
  const { inApp, push, lockScreen } = await preferencesOf(platform, userId)
  if (!push[topic]) return
  const runAt = told.claimedUntil ?? (topic === 'safety' ? null : await quietUntil(platform, userId))
  if (runAt) return jobs.add('push', { id }, { key: `push:${id}`, runAt })
  if (topic !== 'safety' && isInApp(inApp, kind) && realtime.isLooking(userId)) return
  const rows = await findSubscriptions(db, { userId, now: clock.now() })
  if (rows.length === 0 || !(await takeToTell(platform, id))) return
  const unread = [id, ...(await toldUnread(platform, userId))]
  const urgency = topic === 'nearby' || topic === 'account' ? 'normal' : 'high'
  const message = { id, ...shownOn(lockScreen, told), unread, urgency } as const
  const results = await Promise.all(rows.map((row) => pushTo(platform, { ...row, userId }, message)))
  if (results.includes('sent')) return notePushed(platform, id)
  await giveBack(platform, [id])
  if (results.includes('failed')) await pushLater(platform, told)
}

async function pushLater({ clock, jobs, log }: Platform, { id, since }: Untold): Promise<void> {
  const now = clock.now()
  if (since <= after(now, -lifeMs)) return log.warn('no push service took a notification for a day')
  log.warn('no push service took a notification; it is tried again')
  await jobs.add('push', { id }, { key: `push:${id}`, runAt: retryAt(now, since) })
}

export const pushJobs = ({ platform }: Pick<JobPlatforms, 'platform'>): JobSpec[] => [
  {
    name: 'push',
    waitsFor: 'push',
    run: (payload) => pushNotification(platform, (payload as { id: string }).id),
  },
]
