import type { Conversation } from '@duet/contract/conversations.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { readKey } from '../notifications/notifications.ts'
import {
  deliverUpToSeq,
  findRefusal,
  openAndList,
  readUpToSeq,
  setPlace,
  takeOff,
  unlist,
} from './conversations.queries.ts'
import { pageSize, publishConversation } from './listing.ts'
import { appendMessage } from './messages.queries.ts'
import { getConversation, listMessages, type Page } from './messages.ts'
import { refused } from './refusals.ts'
import type { OnOpened } from './sending.ts'

export { readCarriedFile, removeCarriedFile } from './attachments.ts'
export type { Holding } from './holding.ts'
export { putMessageBack, takeMessageAway } from './moderated.ts'
export type { OnOpened, Sending } from './sending.ts'

/** How often somebody may mute, archive, accept or remove, of which all of their devices are told. */
const places = { name: 'conversation_changes', points: 120, seconds: 60 }

/** How often somebody may open a conversation, which is made when there is none. */
const openings = { name: 'conversation_openings', points: 120, seconds: 60 }

/** Throws not found for people one cannot write to, forbidden where writing needs a match. */
async function requireWritable(platform: Platform, viewerId: string, peerId: string): Promise<void> {
  if (!isUuid(peerId)) throw notFound()
  const refusal = await findRefusal(platform.db, viewerId, peerId, platform.config.chatPolicy === 'matches')
  if (refusal) throw refused(refusal)
}

/** Opens the viewer's conversation with somebody, making it when there is none. Safe to repeat and to race. */
export async function openConversation(
  platform: Platform,
  viewerId: string,
  peerId: string,
  onOpened: OnOpened,
): Promise<Page & { id: string }> {
  await platform.limits.spendHere(openings, viewerId)
  await requireWritable(platform, viewerId, peerId)
  const isNew = await transaction(platform, (tx) => openAndList(tx.db, viewerId, peerId, tx.clock.now()))
  if (isNew) {
    onOpened(viewerId, peerId)
    await publishConversation(platform, viewerId, peerId)
  }
  return { id: peerId, ...(await listMessages(platform, viewerId, peerId, { limit: pageSize })) }
}

/**
 * Opens the conversation of a new match for both, with what they wrote with their likes as its first messages, and tells
 * both once it is kept.
 */
export async function openForBoth(
  tx: Tx,
  a: string,
  b: string,
  lines: { from: string; to: string; text: string }[],
  onOpened: OnOpened,
): Promise<void> {
  const now = tx.clock.now()
  await openAndList(tx.db, a, b, now)
  await openAndList(tx.db, b, a, now)
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
    onOpened(a, b)
    onOpened(b, a)
    await publishConversation(platform, a, b)
    await publishConversation(platform, b, a)
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
  await platform.limits.spendHere(places, viewerId)
  await getConversation(platform, viewerId, peerId)
  await transaction(platform, (tx) => setPlace(tx.db, viewerId, peerId, { muted, archived, accepted }))
  const [conversation] = await publishConversation(platform, viewerId, peerId)
  if (!conversation) throw notFound()
  return conversation
}

/** Takes a conversation off the viewer's list, on all of their devices, until the next message. Throws not found. */
export async function removeConversation(platform: Platform, viewerId: string, peerId: string): Promise<void> {
  await platform.limits.spendHere(places, viewerId)
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
  if (!read.told) return
  platform.realtime.publish([peerId], 'conversation_read', { conversationId: viewerId, readerId: viewerId, seq })
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
