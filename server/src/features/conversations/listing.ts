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

export const pageSize = 50
/**
 * The first conversations of a list come with several of their newest messages, as many as a client shows at first. All
 * others come with only the last message.
 */
const fullest = { conversations: 5, messages: 10 }
const mostListed = 1_000
const mostWithMessages = 200
/** A list counts against the rate limit once for each group of this many rows and messages. */
export const countedAsOne = 75

/** Charges the rate limit by the size of the list, so people with long lists can request them less often. */
export const chargeFor = ({ limits }: Platform, viewerId: string, listed: readonly Conversation[]): Promise<void> =>
  limits.charge(
    rateLimits.conversationLists,
    viewerId,
    Math.floor(listed.reduce((sum, { messages = [] }) => sum + 1 + messages.length, 0) / countedAsOne),
  )

/** The conversations as their viewers see them, with the last message, or with several if `withMessages`. */
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
  /** The cursor for the next sync, which will include everything that commits from now on. */
  cursor: string
}

/**
 * The viewer's conversations with their newest messages, latest message first. Has a cursor only if the list is
 * complete.
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
  gone: string[]
  /**
   * Everyone in the list, if the client asked for everything. It needs this because erased accounts have no rows in
   * `gone`.
   */
  listed?: string[]
}

/** Groups rows of a combined query by the request they answer. */
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

const beginning = '0'
const cursorsOf = (viewerId: string) => `conversations of ${viewerId}`

/** Sealed, and always the same length, because the transaction number reveals how active all people are. */
const cursorOf = ({ secrets }: Platform, viewerId: string, { at, history }: SyncPoint): string =>
  sealCursor(secrets, cursorsOf(viewerId), [at.padStart(20, '0'), history])

/**
 * The sync point in the viewer's cursor. For anything else, the beginning. That includes cursors from another history
 * or from the future, made before a restore or by a server that has since failed: their transaction numbers mean
 * different changes here.
 */
function beginningOf(platform: Platform, { viewerId, since }: Asked, now: SyncPoint): string | undefined {
  if (since === undefined) return undefined
  const [asked, history] = openCursor(platform.secrets, cursorsOf(viewerId), since) ?? []
  const told = BigInt(history === now.history ? (asked ?? beginning) : beginning)
  return told <= BigInt(now.at) ? String(told) : beginning
}

/**
 * Syncs several viewers: for each, in the same order, the conversations that changed since their cursor and those that
 * left their list. With an invalid cursor, returns all of both.
 */
export async function syncEach(platform: Platform, asking: readonly Asked[]): Promise<Sync[]> {
  // Read before the rows: a transaction that commits in between is returned twice rather than never.
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

export async function syncConversations(platform: Platform, viewerId: string, since?: string): Promise<Sync> {
  const [sync] = await syncEach(platform, [{ viewerId, since }])
  return sync as Sync
}

/** The viewer's listed conversation with a person, in an array; empty if it isn't listed. */
export async function findListed(platform: Platform, viewerId: string, peerId: string): Promise<Conversation[]> {
  return views(platform, (await findConversations(platform.db, [{ viewerId }], 1, peerId)).rows)
}

export async function publishConversation(platform: Platform, userId: string, peerId: string): Promise<Conversation[]> {
  const rows = await findListed(platform, userId, peerId)
  if (rows.length > 0) platform.realtime.publish([userId], 'conversations', rows)
  return rows
}

/** Like `publishConversation`, in the background. After a failure, the conversation arrives with the next list. */
export function announceConversation(platform: Platform, userId: string, peerId: string): void {
  publishConversation(platform, userId, peerId).catch((err) =>
    platform.log.warn({ err }, 'a conversation that appeared was not told of'),
  )
}
