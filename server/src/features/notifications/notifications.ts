import { hiddenBy } from '@duet/contract/hidden-words.ts'
import { type Notification, NotificationKind } from '@duet/contract/notifications.ts'
import { promised } from '@duet/contract/promised.ts'
import { after, minutes } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { likersAmong } from '../candidates/waiting-likes.ts'
import {
  claimUntold,
  deleteNotifications,
  deleteUnread,
  findMailable,
  findPushed,
  findReading,
  findUntold,
  markAllRead,
  markKeyMailed,
  markKeyRead,
  markMailed,
  markPushed,
  markRead,
  type NotificationRow,
  newestNotifications,
  type PutRow,
  putNotification,
  putNotifications,
  releaseClaims,
  trimNotifications,
} from './notifications.queries.ts'
import { isInApp, kindsInApp } from './preferences.ts'
import { wordsOf } from './words.ts'

const mostKept = promised.notifications
const claimMs = minutes(10)
/** The other person's id follows this prefix. */
const pairPrefix = 'pair:'

export interface NotificationInput {
  kind: NotificationKind
  params?: Record<string, string>
  link?: string
  /** While unread, a later notification with the same key replaces it. */
  collapseKey?: string
}

type Telling = Pick<Tx, 'db' | 'clock' | 'realtime'> & { afterCommit(task: () => unknown): void }

function view(row: NotificationRow): Notification {
  const kind = NotificationKind.parse(row.kind)
  const params = row.params as Record<string, string>
  return {
    id: row.id,
    kind,
    params,
    ...wordsOf(kind, params),
    timestamp: row.created_at.toISOString(),
    read: row.read,
    ...(row.link !== null && { link: row.link }),
  }
}

/** Whether this version knows the kind: during an update, a newer process may store others. */
const isKnown = ({ kind }: NotificationRow) => NotificationKind.safeParse(kind).success

/** Hides quoted text that contains words which the person has hidden since, as in messages. */
async function foldedFor(db: Platform['db'], viewerId: string): Promise<(row: NotificationRow) => NotificationRow> {
  return foldedBy((await findReading(db, viewerId)).hidden_words)
}

function foldedBy(words: readonly string[]): (row: NotificationRow) => NotificationRow {
  const isHidden = hiddenBy(words)
  return (row) => {
    const params = row.params as Record<string, string>
    const isFolded = row.kind === 'message' && isHidden(params.preview ?? '')
    return isFolded ? { ...row, params: { ...params, preview: '…' } } : row
  }
}

const likerIn = ({ kind, read, collapse_key: key }: NotificationRow): string | undefined =>
  kind === 'like' && !read && key?.startsWith(pairPrefix) ? key.slice(pairPrefix.length) : undefined

/**
 * Removes unread notifications about likes that are no longer on the person's list, because their link would lead
 * nowhere. (A retracted like has already withdrawn its notification.)
 */
async function withEntries(
  platform: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  rows: NotificationRow[],
): Promise<NotificationRow[]> {
  const ids = rows.flatMap((row) => likerIn(row) ?? [])
  if (ids.length === 0) return rows
  const likers = await likersAmong(platform, userId, ids)
  return rows.filter((row) => likers.get(likerIn(row) ?? '') !== false)
}

/** Sends a notification to its person's devices, if they show its topic in the app. */
function deliver({ realtime }: Pick<Telling, 'realtime'>, row: PutRow): void {
  if (isInApp(row.in_app, row.kind)) realtime.publish([row.user_id], 'notification', view(row))
}

/** Stores a notification in the transaction, and sends it to the person's devices after the commit. */
export async function notify(tx: Telling, userId: string, input: NotificationInput): Promise<void> {
  const row = await putNotification(tx.db, {
    userId,
    kind: input.kind,
    params: input.params ?? {},
    link: input.link ?? null,
    collapseKey: input.collapseKey ?? null,
    now: tx.clock.now(),
  })
  await trimNotifications(tx.db, [userId], mostKept)
  tx.afterCommit(() => deliver(tx, row))
}

export async function notifyMany(
  platform: Pick<Platform, 'db' | 'clock' | 'realtime'>,
  inputs: readonly (NotificationInput & { userId: string })[],
): Promise<void> {
  if (inputs.length === 0) return
  const now = platform.clock.now()
  const rows = await putNotifications(
    platform.db,
    inputs.map(({ userId, kind, params = {}, link = null, collapseKey = null }) => {
      return { userId, kind, params, link, collapseKey, now }
    }),
  )
  for (const row of rows) deliver(platform, row)
  await trimNotifications(platform.db, [...new Set(rows.map((row) => row.user_id))], mostKept)
}

/** A notification that may be pushed or emailed, as its person would see it now. */
export interface Untold {
  id: string
  userId: string
  kind: NotificationKind
  params: Record<string, string>
  link: string | undefined
  since: Date
  /** Another process may be delivering the notification until this time. */
  claimedUntil: Date | undefined
}

function untoldView(row: NotificationRow, now: Date): Untold {
  const { id, kind, params, link } = view(row)
  const isClaimed = row.claimed_until !== null && row.claimed_until > now
  return {
    id,
    userId: row.user_id,
    kind,
    params,
    link,
    since: row.created_at,
    claimedUntil: isClaimed ? (row.claimed_until ?? undefined) : undefined,
  }
}

type Claiming = Pick<Platform, 'db' | 'clock'>

const claimBy = (by: 'push' | 'mail', now: Date) => ({ by, now, until: after(now, claimMs) })

/** A notification that is unread and hasn't been pushed, if its person would see it now. */
export async function untold({ db, clock }: Claiming, id: string): Promise<Untold | undefined> {
  const found = await findUntold(db, id)
  const [row] = found ? await withEntries({ db, clock }, found.user_id, [found]) : []
  return row && isKnown(row) ? untoldView((await foldedFor(db, row.user_id))(row), clock.now()) : undefined
}

/**
 * Claims a notification for pushing by one process. False if it was read, pushed, claimed or withdrawn in the meantime.
 * Follow with `notePushed` or `giveBack`. Without either, as after a crash, another process may claim it later.
 */
export const takeToTell = async ({ db, clock }: Claiming, id: string): Promise<boolean> =>
  (await claimUntold(db, [id], claimBy('push', clock.now()))).length > 0

export const notePushed = ({ db, clock }: Claiming, id: string) => markPushed(db, id, clock.now())

/**
 * Claims a person's undelivered notifications for emailing: those of these kinds that aren't older than `since` and
 * have waited since `until` or longer. Follow with `noteMailed` or `giveBack`.
 */
export async function claimForEmail(
  { db, clock }: Claiming,
  userId: string,
  span: { kinds: readonly NotificationKind[]; since: Date; until: Date },
): Promise<Untold[]> {
  const rows = await withEntries({ db, clock }, userId, await findMailable(db, { userId, ...span }))
  if (rows.length === 0) return []
  const folded = await foldedFor(db, userId)
  const now = clock.now()
  const ids = rows.map(({ id }) => id)
  const taken = new Set(await claimUntold(db, ids, claimBy('mail', now)))
  return rows.filter(({ id }) => taken.has(id)).map((row) => untoldView(folded(row), now))
}

export const noteMailed = ({ db, clock }: Claiming, ids: readonly string[]) => markMailed(db, ids, clock.now())

/** Marks notifications with a key as emailed, because the person got a separate email about them. */
export const noteKeyMailed = ({ db, clock }: Claiming, userId: string, collapseKey: string) =>
  markKeyMailed(db, userId, collapseKey, clock.now())

export const giveBack = ({ db }: Pick<Platform, 'db'>, ids: readonly string[]) => releaseClaims(db, ids)

// Together with the notification being pushed, more than a device shows.
const mostShown = 19

export async function toldUnread({ db }: Pick<Platform, 'db'>, userId: string): Promise<string[]> {
  return (await findPushed(db, userId, mostShown)).map(({ id }) => id)
}

/** The viewer's notifications, newest first, without topics that they don't show in the app. */
export async function listNotifications(
  platform: Pick<Platform, 'db' | 'clock'>,
  viewerId: string,
): Promise<Notification[]> {
  const rows = await withEntries(platform, viewerId, await newestNotifications(platform.db, viewerId, mostKept))
  const { hidden_words: words, in_app: inApp } = await findReading(platform.db, viewerId)
  const folded = foldedBy(words)
  return rows.filter((row) => isKnown(row) && isInApp(inApp, row.kind)).map((row) => view(folded(row)))
}

/**
 * Kinds in the viewer's list. Reading or clearing the list doesn't change other kinds, because they may still be
 * emailed.
 */
const listedKinds = async (db: Platform['db'], viewerId: string) => kindsInApp((await findReading(db, viewerId)).in_app)

type Changing = Pick<Platform, 'db' | 'realtime'>

export async function readNotification(platform: Changing, viewerId: string, id: string): Promise<Notification> {
  const row = isUuid(id) ? await markRead(platform.db, viewerId, id, NotificationKind.options) : undefined
  if (!row) throw notFound()
  platform.realtime.publish([viewerId], 'notifications_changed', {})
  return view((await foldedFor(platform.db, viewerId))(row))
}

export async function readAllNotifications(
  platform: Changing & Pick<Platform, 'clock'>,
  viewerId: string,
): Promise<Notification[]> {
  await markAllRead(platform.db, viewerId, await listedKinds(platform.db, viewerId))
  platform.realtime.publish([viewerId], 'notifications_changed', {})
  return listNotifications(platform, viewerId)
}

export async function readKey(
  platform: Pick<Platform, 'db' | 'realtime'>,
  viewerId: string,
  collapseKey: string,
): Promise<void> {
  if (await markKeyRead(platform.db, viewerId, collapseKey))
    platform.realtime.publish([viewerId], 'notifications_changed', {})
}

export async function withdraw(tx: Omit<Telling, 'clock'>, userId: string, collapseKey: string): Promise<void> {
  if (await deleteUnread(tx.db, userId, collapseKey))
    tx.afterCommit(() => tx.realtime.publish([userId], 'notifications_changed', {}))
}

/** Like `withdraw`, but without an event to devices, which would reveal for example that a match has ended. */
export async function withdrawUntold(tx: Pick<Telling, 'db'>, userId: string, collapseKey: string): Promise<void> {
  await deleteUnread(tx.db, userId, collapseKey)
}

export async function clearNotifications(platform: Changing, viewerId: string): Promise<void> {
  await deleteNotifications(platform.db, viewerId, await listedKinds(platform.db, viewerId))
  platform.realtime.publish([viewerId], 'notifications_changed', {})
}
