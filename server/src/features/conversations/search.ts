import type { Message, Peer } from '@duet/contract/conversations.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { photosOf } from '../photos/photos.ts'
import { attachmentsOf } from './attachments.ts'
import { type ConversationRow, findConversations } from './conversations.queries.ts'
import { findHits, type HitPosition, type HitRow } from './search.queries.ts'
import { messageView, seatOf } from './views.ts'

const searches = { name: 'message_searches', points: 60, seconds: 60 }
/** How many conversations are looked through, the latest. */
const mostConversations = 500

interface Search {
  query: string
  with?: string | undefined
  cursor?: string | undefined
  limit: number
}

interface Found {
  hits: { user: Peer; message: Message }[]
  nextCursor: string | null
}

function positionOf(platform: Platform, cursor: string | undefined): HitPosition | undefined {
  if (cursor === undefined) return undefined
  const [at, conversationId, seq] = readCursor(platform.secrets, 'message-search', cursor)
  return { at: Number(at), conversationId: String(conversationId), seq: Number(seq) }
}

async function hitViews(
  platform: Platform,
  viewerId: string,
  rows: HitRow[],
  seen: ConversationRow[],
): Promise<Found['hits']> {
  const conversations = new Map(seen.map((row) => [row.id, row]))
  const peers = [...new Set(rows.flatMap((row) => conversations.get(row.conversation_id)?.peer_id ?? []))]
  const photos = await photosOf(platform, viewerId, peers)
  const attachments = await attachmentsOf(
    platform,
    viewerId,
    rows.flatMap((row) => row.attachment_id ?? []),
  )
  return rows.flatMap((row) => {
    const conversation = conversations.get(row.conversation_id)
    if (!conversation) return []
    const { peer_id: id, name, quiet } = conversation
    const photo = photos.get(id)?.[0] ?? null
    const user = { id, name, photo, isOnline: !quiet && platform.realtime.isConnected(id), isTyping: false }
    return [{ user, message: messageView(row, seatOf(conversation, viewerId), attachments) }]
  })
}

/**
 * Finds a text in the viewer's listed conversations, newest first, whatever its case and accents; with one person when
 * `with` is given. Throws `validation_failed` for a cursor of another list, `rate_limited`.
 */
export async function searchMessages(
  platform: Platform,
  viewerId: string,
  { query, with: peerId, cursor, limit }: Search,
): Promise<Found> {
  const from = positionOf(platform, cursor)
  await platform.limits.spendHere(searches, viewerId)
  if (peerId !== undefined && !isUuid(peerId)) return { hits: [], nextCursor: null }
  const seen = await findConversations(platform.db, [{ viewerId }], mostConversations, peerId)
  const ids = seen.map((row) => row.id)
  const found = await findHits(platform.db, ids, { query, from, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    hits: await hitViews(platform, viewerId, page, seen),
    nextCursor: last
      ? writeCursor(platform.secrets, 'message-search', [last.at, last.conversation_id, last.seq])
      : null,
  }
}
