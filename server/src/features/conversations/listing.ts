import type { Conversation } from '@duet/contract/conversations.ts'
import { rateLimits } from '@duet/contract/rate-limits.ts'
import { openCursor, sealCursor } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { firstPhotosOf } from '../photos/photos.ts'
import { readAttachments } from './attachments.ts'
import {
  type Asked,
  type ConversationRow,
  currentSyncPoint,
  findChanged,
  findConversations,
  type SyncPoint,
} from './conversations.queries.ts'
import { findNewestOfEach, type MessageRow } from './messages.queries.ts'
import { conversationView, messageView, seatOf } from './views.ts'

/** How many messages come with a conversation that is opened. */
export const pageSize = 50
/** How many conversations of a list come with so many of their newest messages, as one sees on opening one; others with the last. */
const fullest = { conversations: 5, messages: 10 }
/** How many conversations are listed at once. */
const mostListed = 1_000
const mostWithMessages = 200
/** A long list counts once more for every so many rows and messages in it. */
export const countedAsOne = 75

/** Counts what was listed: people with long lists may ask less often. */
export const chargeFor = ({ limits }: Platform, viewerId: string, listed: readonly Conversation[]): Promise<void> =>
  limits.charge(
    rateLimits.conversationLists,
    viewerId,
    Math.floor(listed.reduce((sum, { messages = [] }) => sum + 1 + messages.length, 0) / countedAsOne),
  )

/** Rows as their viewers see them, with their last message, and their newest messages when asked for. */
async function views(platform: Platform, rows: ConversationRow[], withMessages = false): Promise<Conversation[]> {
  const countOf = (place: number) => (withMessages && place < fullest.conversations ? fullest.messages : 1)
  const [photos, newest] = await Promise.all([
    firstPhotosOf(
      platform,
      rows.map((row) => ({ viewerId: row.viewer_id, userId: row.peer_id })),
    ),
    findNewestOfEach(
      platform.db,
      rows.map((row, place) => ({ id: row.id, lastSeq: row.last_seq, limit: countOf(place) })),
    ),
  ])
  const carriedOf = (messages: readonly MessageRow[]) => messages.flatMap((message) => message.attachment_id ?? [])
  const attachmentsOf = await readAttachments(platform, [...new Set(newest.flatMap(carriedOf))])
  return rows.map((row, place) => {
    const messages = newest[place] ?? []
    const attachments = attachmentsOf(row.viewer_id, carriedOf(messages))
    const shown = messages.map((message) => messageView(message, seatOf(row, row.viewer_id), attachments))
    return conversationView(row, {
      viewerId: row.viewer_id,
      photo: photos[place],
      isOnline: !row.quiet && platform.realtime.isConnected(row.peer_id),
      lastMessage: shown.at(-1) ?? null,
      ...(withMessages && { messages: shown }),
    })
  })
}

interface Listed {
  conversations: Conversation[]
  /** For the next sync: nothing that commits from now on is missed. */
  cursor: string
}

/**
 * The viewer's newest conversations, newest last message first, with their newest messages. There is a cursor only when
 * these are all of them.
 */
export async function listConversations(
  platform: Platform,
  viewerId: string,
): Promise<Omit<Listed, 'cursor'> & Partial<Listed>> {
  const now = await currentSyncPoint(platform.db)
  const { rows, isWhole } = await findConversations(platform.db, [{ viewerId }], mostWithMessages)
  const conversations = await views(platform, rows, true)
  await chargeFor(platform, viewerId, conversations)
  return { conversations, ...(isWhole && { cursor: cursorOf(platform, viewerId, now) }) }
}

export interface Sync extends Listed {
  /** Peers that left the viewer's list. */
  gone: string[]
  /** All peers in the list, in answer to a request for everything: erased accounts are in no row. */
  listed?: string[]
}

/** Rows by the places of their questions in one that put `asked` together. */
function byAsked(asked: readonly Asked[], rows: readonly ConversationRow[]): Map<Asked, ConversationRow[]> {
  const found = new Map(asked.map((one): [Asked, ConversationRow[]] => [one, []]))
  for (const row of rows) found.get(asked[row.place] as Asked)?.push(row)
  return found
}

async function findAsked(platform: Platform, asked: readonly Asked[]): Promise<Map<Asked, ConversationRow[]>> {
  const whole = asked.filter(({ since }) => since === undefined)
  const later = asked.filter(({ since }) => since !== undefined)
  const [all, changed] = await Promise.all([
    whole.length > 0 ? findConversations(platform.db, whole, mostListed) : { rows: [] },
    later.length > 0 ? findChanged(platform.db, later) : [],
  ])
  return new Map([...byAsked(whole, all.rows), ...byAsked(later, changed)])
}

/** Everything there is has changed since. */
const beginning = '0'
const cursorsOf = (viewerId: string) => `conversations of ${viewerId}`

/** Sealed, and always of one length: the number counts the activity of all people. */
const cursorOf = ({ secrets }: Platform, viewerId: string, { at, history }: SyncPoint): string =>
  sealCursor(secrets, cursorsOf(viewerId), [at.padStart(20, '0'), history])

/**
 * Where a cursor of the viewer's begins; all of it for anything else. One of another history, or from the future, is from
 * before the database was put back, or from a server that has failed since: its number means other changes here.
 */
function beginningOf(platform: Platform, { viewerId, since }: Asked, now: SyncPoint): string | undefined {
  if (since === undefined) return undefined
  const [asked, history] = openCursor(platform.secrets, cursorsOf(viewerId), since) ?? []
  const told = BigInt(history === now.history ? (asked ?? beginning) : beginning)
  return told <= BigInt(now.at) ? String(told) : beginning
}

/**
 * For each who asks, in their order, their conversations; with the cursor of an earlier answer, those that changed since,
 * and those that are gone. With anything else for a cursor, all of them and all that are gone.
 */
export async function syncEach(platform: Platform, asking: readonly Asked[]): Promise<Sync[]> {
  // Before the rows are read: what commits between the two is told twice rather than never.
  const now = await currentSyncPoint(platform.db)
  const asked = asking.map((one): Asked => ({ ...one, since: beginningOf(platform, one, now) }))
  const found = await findAsked(platform, asked)
  const seen = [...found.values()].flat().filter((row) => row.visible)
  const shown = await views(platform, seen)
  const viewOf = new Map(seen.map((row, place) => [row, shown[place] as Conversation]))
  return asked.map((one) => {
    const rows = found.get(one) ?? []
    const conversations = rows.flatMap((row) => viewOf.get(row) ?? [])
    return {
      conversations,
      ...(one.since === beginning && { listed: conversations.map(({ id }) => id) }),
      cursor: cursorOf(platform, one.viewerId, now),
      gone: rows.filter((row) => !row.visible).map((row) => row.peer_id),
    }
  })
}

/** The same for one. */
export async function syncConversations(platform: Platform, viewerId: string, since?: string): Promise<Sync> {
  const [sync] = await syncEach(platform, [{ viewerId, since }])
  return sync as Sync
}

/** The viewer's listed conversation with a person, as a list of one; empty when it is not listed. */
export async function findListed(platform: Platform, viewerId: string, peerId: string): Promise<Conversation[]> {
  return views(platform, (await findConversations(platform.db, [{ viewerId }], 1, peerId)).rows)
}

/** Publishes one conversation to all devices of a person. */
export async function publishConversation(platform: Platform, userId: string, peerId: string): Promise<Conversation[]> {
  const rows = await findListed(platform, userId, peerId)
  if (rows.length > 0) platform.realtime.publish([userId], 'conversations', rows)
  return rows
}

/** The same in the background: what cannot be published now comes with the next list. */
export function announceConversation(platform: Platform, userId: string, peerId: string): void {
  publishConversation(platform, userId, peerId).catch((err) =>
    platform.log.warn({ err }, 'a conversation that appeared was not told of'),
  )
}
