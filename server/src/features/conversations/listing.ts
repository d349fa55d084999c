import type { Conversation } from '@duet/contract/conversations.ts'
import { openCursor, sealCursor } from '../../platform/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { photosOf } from '../photos/photos.ts'
import { attachmentsOf } from './attachments.ts'
import { type ConversationRow, findChanged, findConversations, findCursor } from './conversations.queries.ts'
import { findMessagesAt, findNewestOfEach, type MessageRow } from './messages.queries.ts'
import { conversationView, messageView, seatOf } from './views.ts'

/** How many messages come with a conversation. */
export const pageSize = 50
/** How many conversations are listed at once. */
const mostListed = 1_000
const mostWithMessages = 200

/** Rows as the viewer sees them, with their last message, and their newest messages when asked for. */
async function views(
  platform: Platform,
  viewerId: string,
  rows: ConversationRow[],
  withMessages = false,
): Promise<Conversation[]> {
  const peers = rows.map((row) => row.peer_id)
  const ids = rows.map((row) => row.id)
  const lastSeqs = rows.map((row) => row.last_seq)
  const [photos, lasts, pages] = await Promise.all([
    photosOf(platform, viewerId, peers),
    findMessagesAt(platform.db, ids, lastSeqs),
    withMessages ? findNewestOfEach(platform.db, ids, pageSize) : undefined,
  ])
  const messages = [...lasts, ...(pages ? [...pages.values()].flat() : [])]
  const carried = new Set(messages.flatMap((message) => message.attachment_id ?? []))
  const attachments = await attachmentsOf(platform, viewerId, [...carried])
  const lastOf = new Map(lasts.map((message) => [message.conversation_id, message]))
  return rows.map((row) => {
    const view = (message: MessageRow) => messageView(message, seatOf(row, viewerId), attachments)
    const last = lastOf.get(row.id)
    return conversationView(row, {
      viewerId,
      photo: photos.get(row.peer_id)?.[0],
      isOnline: platform.realtime.isConnected(row.peer_id),
      lastMessage: last ? view(last) : null,
      messages: pages && (pages.get(row.id) ?? []).map(view),
    })
  })
}

/** The viewer's conversations, newest last message first; with their newest 50 messages when asked for. */
export async function listConversations(
  platform: Platform,
  viewerId: string,
  { withMessages }: { withMessages: boolean },
): Promise<Conversation[]> {
  const rows = await findConversations(platform.db, viewerId, withMessages ? mostWithMessages : mostListed)
  return views(platform, viewerId, rows, withMessages)
}

interface Sync {
  conversations: Conversation[]
  /** For the next sync: nothing that commits from now on is missed. */
  cursor: string
  /** Whom the viewer does not see in the list any more. */
  gone: string[]
}

/**
 * The viewer's conversations; with the cursor of an earlier answer, those that changed since, and those that are gone.
 * With anything else for a cursor, all of them and all that are gone.
 */
export async function syncConversations(platform: Platform, viewerId: string, since?: string): Promise<Sync> {
  // Before the rows are read: what commits between the two is told twice rather than never.
  const now = await findCursor(platform.db)
  // Sealed, and always of one length: the number counts what everybody does.
  const list = `conversations of ${viewerId}`
  const cursor = sealCursor(platform.secrets, list, [now.padStart(20, '0')])
  if (since === undefined) {
    return { conversations: await listConversations(platform, viewerId, { withMessages: false }), cursor, gone: [] }
  }
  const [asked] = openCursor(platform.secrets, list, since) ?? []
  const told = BigInt(asked ?? 0)
  // One from the future is from before the database was put back.
  const rows = await findChanged(platform.db, viewerId, String(told <= BigInt(now) ? told : 0))
  const seen = rows.filter((row) => row.visible)
  const gone = rows.filter((row) => !row.visible).map((row) => row.peer_id)
  return { conversations: await views(platform, viewerId, seen), cursor, gone }
}

/** The viewer's listed conversation with somebody, as a list of one; empty when it is not listed. */
export async function findListed(platform: Platform, viewerId: string, peerId: string): Promise<Conversation[]> {
  return views(platform, viewerId, await findConversations(platform.db, viewerId, 1, peerId))
}

/** Tells somebody's devices about one of their conversations. */
export async function publishConversation(platform: Platform, userId: string, peerId: string): Promise<Conversation[]> {
  const rows = await findListed(platform, userId, peerId)
  if (rows.length > 0) platform.realtime.publish([userId], 'conversations', rows)
  return rows
}
