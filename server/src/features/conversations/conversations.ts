import type { Conversation } from '@duet/contract/conversations.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { readKey } from '../notifications/notifications.ts'
import {
  deliverUpToSeq,
  findRefusalToRead,
  openAndList,
  readUpToSeq,
  setPlace,
  takeOff,
  touchConversation,
  unlist,
} from './conversations.queries.ts'
import type { OnOpened } from './hooks.ts'
import { announceConversation, pageSize, publishConversation } from './listing.ts'
import { appendMessage } from './messages.queries.ts'
import { getConversation, listMessages, type Page } from './messages.ts'
import { refused } from './refusals.ts'

/** Throws not found for people the viewer can't see, forbidden if writing needs a match. */
async function requireReachable(platform: Platform, viewerId: string, peerId: string): Promise<void> {
  if (!isUuid(peerId)) throw notFound()
  const refusal = await findRefusalToRead(platform.db, viewerId, peerId, platform.config.chatPolicy === 'matches')
  if (refusal) throw refused(refusal)
}

/** Opens the viewer's conversation with a person, creating it if needed. Idempotent, even with concurrent calls. */
export async function openConversation(
  platform: Platform,
  viewerId: string,
  peerId: string,
  onOpened: OnOpened,
): Promise<Page & { id: string }> {
  await requireReachable(platform, viewerId, peerId)
  const isNew = await transaction(platform, (tx) => openAndList(tx.db, viewerId, peerId, tx.clock.now()))
  if (isNew) {
    onOpened(viewerId, peerId)
    await publishConversation(platform, viewerId, peerId)
  }
  return { id: peerId, ...(await listMessages(platform, viewerId, peerId, { limit: pageSize })) }
}

/**
 * Opens the conversation of a new match for each person who is notified of the match, and publishes it after the
 * commit. The comments of their likes become its first messages.
 */
export async function openForMatch(
  tx: Tx,
  hearing: readonly { userId: string; peerId: string }[],
  lines: readonly { from: string; to: string; text: string }[],
  onOpened: OnOpened,
): Promise<void> {
  const now = tx.clock.now()
  for (const { userId, peerId } of hearing) await openAndList(tx.db, userId, peerId, now)
  for (const [place, { from, to, text }] of lines.entries()) {
    const message = {
      senderId: from,
      receiverId: to,
      id: `like-${now.getTime()}-${place}`,
      body: text,
      sentAt: now.toISOString(),
    }
    await appendMessage(tx.db, message, now)
  }
  tx.afterCommit(async (platform) => {
    for (const { userId, peerId } of hearing) onOpened(userId, peerId)
    for (const { userId, peerId } of hearing) await publishConversation(platform, userId, peerId)
  })
}

export function endConversation(tx: Pick<Tx, 'db'>, a: string, b: string): Promise<void> {
  return unlist(tx.db, a, b)
}

/**
 * Mutes or archives the viewer's conversation, or accepts a request, and updates all their devices. Throws not found.
 */
export async function changeConversation(
  platform: Platform,
  viewerId: string,
  peerId: string,
  {
    muted,
    archived,
    accepted,
  }: { muted?: boolean | undefined; archived?: boolean | undefined; accepted?: true | undefined },
): Promise<Conversation> {
  const { is_request: isRequest } = await getConversation(platform, viewerId, peerId)
  const isAccepted = accepted && isRequest
  await transaction(platform, async (tx) => {
    await setPlace(tx.db, viewerId, peerId, { muted, archived, accepted })
    if (isAccepted) await touchConversation(tx.db, viewerId, peerId)
  })
  // From now on the sender sees read receipts.
  if (isAccepted) announceConversation(platform, peerId, viewerId)
  const [conversation] = await publishConversation(platform, viewerId, peerId)
  if (!conversation) throw notFound()
  return conversation
}

/** Takes a conversation off the viewer's list on all their devices until the next message arrives. Throws not found. */
export async function removeConversation(platform: Platform, viewerId: string, peerId: string): Promise<void> {
  await getConversation(platform, viewerId, peerId)
  const changed = await transaction(platform, (tx) => takeOff(tx.db, viewerId, peerId))
  if (changed) platform.realtime.publish([viewerId], 'resync', { withinMs: 0 })
}

/**
 * Marks a conversation as read up to a seq, or completely. Notifies the viewer's devices and, if both people have read
 * receipts on, the other person. Never marks messages as unread. Throws not found.
 */
export async function readUpTo(
  platform: Platform,
  viewerId: string,
  peerId: string,
  upToSeq = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const read = isUuid(peerId) ? await readUpToSeq(platform.db, viewerId, peerId, upToSeq) : undefined
  if (!read) throw notFound()
  await readKey(platform, viewerId, `chat:${peerId}`)
  if (!read.moved) return
  const { seq, unread: unreadCount, lastSeq } = read
  const own = { conversationId: peerId, readerId: viewerId, seq, unreadCount, lastSeq }
  platform.realtime.publish([viewerId], 'conversation_read', own)
  if (read.told)
    platform.realtime.publish([peerId], 'conversation_read', { conversationId: viewerId, readerId: viewerId, seq })
  // Without read receipts, the other person is told only that the messages arrived.
  else if (read.delivered)
    platform.realtime.publish([peerId], 'conversation_delivered', { conversationId: viewerId, seq })
}

/**
 * Records that one of the viewer's devices has received everything up to a seq, and notifies the other person. Throws
 * not found.
 */
export async function deliverUpTo(
  platform: Platform,
  viewerId: string,
  peerId: string,
  upToSeq: number,
): Promise<void> {
  const marked = isUuid(peerId)
    ? await deliverUpToSeq(platform.pool, viewerId, peerId, upToSeq)
    : { refused: true, seq: 0 }
  if (marked.refused) throw notFound()
  if (marked.seq === null) return
  platform.realtime.publish([peerId], 'conversation_delivered', { conversationId: viewerId, seq: marked.seq })
}
