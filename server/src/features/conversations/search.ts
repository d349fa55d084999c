import { setImmediate } from 'node:timers/promises'
import type { Message, Peer } from '@duet/contract/conversations.ts'
import { foldedText } from '@duet/contract/folded-text.ts'
import { AppError } from '../../platform/errors.ts'
import { readCursor, writeCursor } from '../../platform/http/cursor.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { photosOf } from '../photos/photos.ts'
import { attachmentsOf } from './attachments.ts'
import { type ConversationRow, findConversations } from './conversations.queries.ts'
import { findMessagesAt, type MessageRow } from './messages.queries.ts'
import { findTexts, type HitPosition, type SearchedText } from './search.queries.ts'
import { messageView, seatOf } from './views.ts'

/** Only this many conversations are searched, latest first. */
const mostConversations = 500
/** The longest time in ms spent searching before other requests get a turn. */
const longestTurn = 10

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

async function hitViews(
  platform: Platform,
  viewerId: string,
  rows: MessageRow[],
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

interface Looked {
  /** Newest first. */
  hits: SearchedText[]
  /** The last message that was searched; undefined if none follow. */
  end: SearchedText | undefined
}

/** Throws `unavailable` if the query is too slow. */
async function lookThrough(
  platform: Platform,
  ids: string[],
  { query, from, limit }: { query: string; from: HitPosition | undefined; limit: number },
): Promise<Looked> {
  const wanted = foldedText(query)
  // A query that consists only of accents folds to an empty string, which every text contains.
  if (wanted === '') return { hits: [], end: undefined }
  const { rows, goesOn } = await findTexts(platform.db, ids, from).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== canceled) throw error
    throw new AppError('unavailable', 'This search took too long. Try again, or search in one chat.')
  })
  const { hits, isFull } = await hitsAmong(rows, wanted, limit)
  if (isFull) return { hits, end: hits.at(-1) }
  return { hits, end: goesOn ? rows.at(-1) : undefined }
}

/** The first texts that match, and whether more follow. Lets other requests run in between. */
export async function hitsAmong<T extends { body: string }>(
  rows: readonly T[],
  wanted: string,
  limit: number,
): Promise<{ hits: T[]; isFull: boolean }> {
  const hits: T[] = []
  let since = performance.now()
  for (const row of rows) {
    if (performance.now() - since > longestTurn) {
      await setImmediate()
      since = performance.now()
    }
    if (!foldedText(row.body).includes(wanted)) continue
    if (hits.length === limit) return { hits, isFull: true }
    hits.push(row)
  }
  return { hits, isFull: false }
}

/**
 * Finds a text in the viewer's listed conversations, newest first, ignoring case and accents. `with` limits the search
 * to one person. Each response covers only some of the messages, so it may have few or no hits and still return a
 * cursor. A person's searches run one at a time. Throws `unavailable`, and `validation_failed` for a cursor of another
 * list.
 */
export async function searchMessages(
  platform: Platform,
  viewerId: string,
  { query, with: peerId, cursor, limit }: Search,
): Promise<Found> {
  const from = positionOf(platform, cursor)
  if (peerId !== undefined && !isUuid(peerId)) return { hits: [], nextCursor: null }
  return platform.inOrder(`message-search:${viewerId}`, async () => {
    const { rows: seen } = await findConversations(platform.db, [{ viewerId }], mostConversations, peerId)
    const ids = seen.map((row) => row.id)
    const { hits, end } = await lookThrough(platform, ids, { query, from, limit })
    const pairIds = hits.map(({ pairId }) => pairId)
    const seqs = hits.map(({ seq }) => seq)
    const rows = await findMessagesAt(platform.db, pairIds, seqs)
    // The sender may have deleted a message after its text was read.
    const left = rows.filter(({ body }) => body !== '')
    return {
      hits: await hitViews(platform, viewerId, left, seen),
      nextCursor: end ? writeCursor(platform.secrets, 'message-search', [end.at, end.pairId, end.seq]) : null,
    }
  })
}
