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

/** Throws not found for people who are not there for the viewer, forbidden where writing needs a match. */
async function requireReachable(platform: Platform, viewerId: string, peerId: string): Promise<void> {
  if (!isUuid(peerId)) throw notFound()
  const refusal = await findRefusalToRead(platform.db, viewerId, peerId, platform.config.chatPolicy === 'matches')
  if (refusal) throw refused(refusal)
}

/** Opens the viewer's conversation with a person, making it when there is none. Safe to repeat and to race. */
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
 * Opens the conversation of a new match for those of the two who hear of it, each with their peer, with what they wrote
 * with their likes as its messages, and tells them once it is kept.
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

/** Takes an ended conversation off both lists. */
export function endConversation(tx: Pick<Tx, 'db'>, a: string, b: string): Promise<void> {
  return unlist(tx.db, a, b)
}

/** Mutes or archives the viewer's conversation, or accepts a request, on all of their devices. Throws not found. */
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
  // From now on the sender is told what was read.
  if (isAccepted) announceConversation(platform, peerId, viewerId)
  const [conversation] = await publishConversation(platform, viewerId, peerId)
  if (!conversation) throw notFound()
  return conversation
}

/** Takes a conversation off the viewer's list, on all of their devices, until the next message. Throws not found. */
export async function removeConversation(platform: Platform, viewerId: string, peerId: string): Promise<void> {
  await getConversation(platform, viewerId, peerId)
  const changed = await transaction(platform, (tx) => takeOff(tx.db, viewerId, peerId))
  if (changed) platform.realtime.publish([viewerId], 'resync', { withinMs: 0 })
}

/**
 * Notes that the viewer has read a conversation up to a seq (unset: to its end) and tells their devices, and the other
 * side where both let it be known. A mark never moves back. Throws not found when there is no such conversation.
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
  // What is read has arrived: where the first is kept to themselves, the second is told alone.
  else if (read.delivered)
    platform.realtime.publish([peerId], 'conversation_delivered', { conversationId: viewerId, seq })
}

/** Notes that a device of the viewer's has everything up to a seq, and tells the other side. Throws not found. */
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
