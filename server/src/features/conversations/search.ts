import type { Message, Peer } from '@duet/contract/conversations.ts'
import { AppError } from '../../platform/errors.ts'
import { readCursor, writeCursor } from '../../platform/http/cursor.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { photosOf } from '../photos/photos.ts'
import { attachmentsOf } from './attachments.ts'
import { type ConversationRow, findConversations } from './conversations.queries.ts'
import { findHits, type HitPosition, type HitRow, type Looked } from './search.queries.ts'
import { messageView, seatOf } from './views.ts'

/** Each may read thousands of messages. */
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
  const [at, pairId, seq] = readCursor(platform.secrets, 'message-search', cursor)
  return { at: Number(at), pairId: String(pairId), seq: Number(seq) }
}

const positionAt = (row: HitRow | undefined): HitPosition | undefined =>
  row && { at: row.at, pairId: row.conversation_id, seq: row.seq }

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

const canceled = '57014'

/** Throws `unavailable` where it takes too long. */
function lookThrough(platform: Platform, ids: string[], wanted: Parameters<typeof findHits>[2]): Promise<Looked> {
  return findHits(platform.db, ids, wanted).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== canceled) throw error
    throw new AppError('unavailable', 'This search took too long. Try again, or search in one chat.')
  })
}

/**
 * Finds a text in the viewer's listed conversations, newest first, whatever its case and accents; with one person when
 * `with` is given. An answer looks through a part of the messages, so it may hold few hits or none and still go on with
 * its cursor. One search of a person waits for the one before. Throws `validation_failed` for a cursor of another list,
 * `unavailable`.
 */
export async function searchMessages(
  platform: Platform,
  viewerId: string,
  { query, with: peerId, cursor, limit }: Search,
): Promise<Found> {
  const from = positionOf(platform, cursor)
  if (peerId !== undefined && !isUuid(peerId)) return { hits: [], nextCursor: null }
  return platform.inOrder(`message-search:${viewerId}`, async () => {
    const seen = await findConversations(platform.db, [{ viewerId }], mostConversations, peerId)
    const ids = seen.map((row) => row.id)
    const { hits, end } = await lookThrough(platform, ids, { query, from, limit: limit + 1 })
    const page = hits.slice(0, limit)
    const next = hits.length > limit ? positionAt(page.at(-1)) : end
    return {
      hits: await hitViews(platform, viewerId, page, seen),
      nextCursor: next ? writeCursor(platform.secrets, 'message-search', [next.at, next.pairId, next.seq]) : null,
    }
  })
}
