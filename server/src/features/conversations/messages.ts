import { randomUUID } from 'node:crypto'
import type { Message } from '@duet/contract/conversations.ts'
import { limits } from '@duet/contract/limits.ts'
import { minutes } from '../../platform/clock.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { attachmentsOf, deleteAttachments } from './attachments.ts'
import { type ConversationRow, findConversation } from './conversations.queries.ts'
import type { Gate } from './hooks.ts'
import { countEdits, keepEdited, keepTakenBack } from './message-versions.queries.ts'
import { changeMessage, findMessageChanges, findMessages, findMessagesAt, type MessageRow } from './messages.queries.ts'
import { renewPreviews } from './previews.ts'
import { findSeat, lockConversation, type Seated } from './seats.queries.ts'
import { messageView, type Seat } from './views.ts'

type Looking = Pick<Platform, 'db' | 'secrets' | 'clock'>

export interface Page {
  messages: Message[]
  hasMore: boolean
}

export async function messageViews(platform: Looking, seat: Seat, rows: readonly MessageRow[]): Promise<Message[]> {
  const carried = rows.flatMap((row) => row.attachment_id ?? [])
  const attachments = await attachmentsOf(platform, seat.viewerId, carried)
  return rows.map((row) => messageView(row, seat, attachments))
}

/** The viewer's side of a conversation. Throws not found if there is none, or if it isn't visible. */
async function getSeat({ db }: Pick<Platform, 'db'>, viewerId: string, peerId: string): Promise<Seated> {
  const seat = isUuid(peerId) ? await findSeat(db, viewerId, peerId) : undefined
  if (!seat) throw notFound()
  return seat
}

export async function getConversation(
  platform: Pick<Platform, 'db'>,
  viewerId: string,
  peerId: string,
): Promise<ConversationRow> {
  const row = isUuid(peerId) ? await findConversation(platform.db, viewerId, peerId) : undefined
  if (!row) throw notFound()
  return row
}

/** One page of the viewer's conversation with a person, oldest first. Throws not found. */
export async function listMessages(
  platform: Looking,
  viewerId: string,
  peerId: string,
  { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<Page> {
  const seat = await getSeat(platform, viewerId, peerId)
  const rows = await findMessages(platform.db, seat.conversationId, { before, after, limit: limit + 1 })
  const forward = after !== undefined && before === undefined
  const page = forward ? rows.slice(0, limit) : rows.slice(-limit)
  const messages = await messageViews(platform, seat, page)
  return { messages, hasMore: rows.length > limit }
}

/**
 * Messages after a seq or changed since a revision, ordered by revision. To get the next page, pass the revision of the
 * last message on this page and the highest seq received so far. Throws not found.
 */
export async function listMessageChanges(
  platform: Looking,
  viewerId: string,
  peerId: string,
  { after, since, limit }: { after: number; since: number; limit: number },
): Promise<Page> {
  const seat = await getSeat(platform, viewerId, peerId)
  const rows = await findMessageChanges(platform.db, seat.conversationId, { after, since, limit: limit + 1 })
  const messages = await messageViews(platform, seat, rows.slice(0, limit))
  return { messages, hasMore: rows.length > limit }
}

/** Publishes a changed message to the devices of both people, as far as they can still see each other. */
export async function publishChanged(
  platform: Platform,
  pair: readonly [string, string],
  seq: number,
): Promise<Map<string, Message>> {
  const told = new Map<string, Message>()
  for (const [userId, otherId] of [pair, [pair[1], pair[0]] as const]) {
    const seat = await findSeat(platform.db, userId, otherId)
    // The other person may not have this conversation.
    const rows = seat ? await findMessagesAt(platform.db, [seat.conversationId], [seq]) : []
    const [view] = seat ? await messageViews(platform, seat, rows) : []
    if (!view) continue
    platform.realtime.publish([userId], 'message_changed', view)
    told.set(userId, view)
  }
  return told
}

interface Target {
  viewerId: string
  peerId: string
  seq: number
}

/**
 * Changes a message while the conversation is locked. `change` returns whether the message looks different afterwards.
 */
async function withMessage(
  platform: Platform,
  { viewerId, peerId, seq }: Target,
  change: (tx: Tx, row: MessageRow) => Promise<boolean>,
): Promise<Message> {
  if (!isUuid(peerId)) throw notFound()
  const isChanged = await transaction(platform, async (tx) => {
    await lockConversation(tx.db, viewerId, peerId)
    // Checked under the lock, so that a concurrent block is noticed.
    const { conversationId } = await getSeat(tx, viewerId, peerId)
    const [row] = await findMessagesAt(tx.db, [conversationId], [seq])
    if (!row) throw notFound()
    return change(tx, row)
  })
  const told = isChanged ? await publishChanged(platform, [viewerId, peerId], seq) : undefined
  return told?.get(viewerId) ?? getMessage(platform, viewerId, peerId, seq)
}

export async function getMessage(platform: Looking, viewerId: string, peerId: string, seq: number): Promise<Message> {
  const seat = await getSeat(platform, viewerId, peerId)
  const rows = await findMessagesAt(platform.db, [seat.conversationId], [seq])
  const [message] = await messageViews(platform, seat, rows)
  if (!message) throw notFound()
  return message
}

/** Throws not found for other people's messages, conflict for messages too old to change. */
function requireFresh(platform: Pick<Platform, 'clock'>, viewerId: string, row: MessageRow): void {
  if (row.sender_id !== viewerId) throw notFound()
  const age = platform.clock.now().getTime() - row.created_at.getTime()
  if (age > minutes(limits.changeMinutes)) throw conflict('The message is too old to change.')
}

/**
 * Edits one of the viewer's messages. The new text must pass the same checks as a new message. Throws not found, and
 * conflict after 15 minutes, after 30 edits or once the message is deleted.
 */
export function editMessage(
  platform: Platform,
  viewerId: string,
  peerId: string,
  { seq, body }: { seq: number; body: string },
  gate?: Gate,
): Promise<Message> {
  const change = () =>
    withMessage(platform, { viewerId, peerId, seq }, async (tx, row) => {
      requireFresh(tx, viewerId, row)
      if (row.deleted_at) throw conflict('The message was deleted.')
      if (row.body === body) return false
      // Every version is stored for reports, so the number of edits is limited.
      if ((await countEdits(tx.db, row)) >= limits.messageEdits) throw conflict('The message was edited too often.')
      const now = tx.clock.now()
      await keepEdited(tx.db, row, now)
      await changeMessage(tx.db, row.conversation_id, seq, { body, editedAt: now })
      await renewPreviews(tx, row, peerId, body)
      return true
    })
  if (!gate || !isUuid(peerId)) return change()
  return gate.pass({ senderId: viewerId, receiverId: peerId, id: randomUUID(), body }, change)
}

/**
 * Deletes one of the viewer's messages. Its text, attachments and reactions disappear for both people. They are stored
 * for another 30 days, only for reports. Idempotent. Throws not found, and conflict after 15 minutes.
 */
export async function deleteMessage(
  platform: Platform,
  viewerId: string,
  peerId: string,
  seq: number,
): Promise<Message> {
  const carried: string[] = []
  try {
    return await withMessage(platform, { viewerId, peerId, seq }, async (tx, row) => {
      if (row.sender_id === viewerId && row.deleted_at) return false
      requireFresh(tx, viewerId, row)
      if (row.attachment_id) carried.push(row.attachment_id)
      const now = tx.clock.now()
      await keepTakenBack(tx.db, row, now)
      await changeMessage(tx.db, row.conversation_id, seq, { deletedAt: now })
      await renewPreviews(tx, row, peerId)
      return true
    })
  } finally {
    // Runs after both people were notified, because removing files may take a while. The sweep retries failures.
    await deleteAttachments(platform, carried).catch((err) =>
      platform.log.error({ err }, 'files of a deleted message could not be removed yet'),
    )
  }
}

/** Sets or removes the viewer's emoji on a message. Throws not found, and conflict once the message is deleted. */
export function reactToMessage(
  platform: Platform,
  viewerId: string,
  peerId: string,
  seq: number,
  emoji: string | null,
): Promise<Message> {
  return withMessage(platform, { viewerId, peerId, seq }, async (tx, row) => {
    if (row.deleted_at) throw conflict('The message was deleted.')
    const of = viewerId < peerId ? 'lo' : 'hi'
    if (row[`reaction_${of}`] === emoji) return false
    await changeMessage(tx.db, row.conversation_id, seq, { reaction: { of, emoji } })
    return true
  })
}
