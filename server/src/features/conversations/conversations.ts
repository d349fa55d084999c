import type { Conversation, Message } from '@duet/contract/conversations.ts'
import { minutes } from '../../platform/clock.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify, readKey } from '../notifications/notifications.ts'
import { photosOf } from '../photos/photos.ts'
import {
  appendMessage,
  areMatched,
  findConversations,
  findMessages,
  findName,
  findNewestOfEach,
  findPeerReadSeq,
  findPeers,
  isReachable,
  type MessageRow,
  openAndList,
  readUpToSeq,
  unlist,
} from './conversations.queries.ts'
import { conversationView, messageView } from './views.ts'

/** How many messages come with a conversation. */
const pageSize = 50
/** How many conversations are listed at once. */
const mostListed = 1_000
const mostWithMessages = 200
/** A sender's clock is believed when it is this close to ours. */
const plausibleMs = minutes(5)
const previewLength = 80

const sends = { name: 'messages', points: 120, seconds: 60 }

interface Outgoing {
  id: string
  message: string
  timestamp?: string | undefined
  receiverId: string
}

/** Hears of conversations that appear, so that presence and typing know who talks to whom. */
export type OnOpened = (userId: string, peerId: string) => void

/** Throws not found for people one cannot write to, forbidden where writing needs a match. */
async function requireReachable(
  platform: Pick<Platform, 'db' | 'config'>,
  viewerId: string,
  peerId: string,
): Promise<void> {
  if (!isUuid(peerId) || peerId === viewerId) throw notFound()
  if (!(await isReachable(platform.db, viewerId, peerId))) throw notFound()
  if (platform.config.chatPolicy === 'matches' && !(await areMatched(platform.db, viewerId, peerId))) throw forbidden()
}

function sentAt(timestamp: string | undefined, now: Date): Date {
  const claimed = new Date(timestamp ?? Number.NaN)
  return Math.abs(claimed.getTime() - now.getTime()) <= plausibleMs ? claimed : now
}

async function views(
  platform: Platform,
  viewerId: string,
  peerId: string | undefined,
  withMessages: boolean,
): Promise<Conversation[]> {
  const rows = await findConversations(platform.db, viewerId, withMessages ? mostWithMessages : mostListed, peerId)
  const peers = rows.map((row) => row.peer_id)
  const photos = await photosOf(platform, viewerId, peers)
  const messages = withMessages ? await findNewestOfEach(platform.db, viewerId, peers, pageSize) : undefined
  return rows.map((row) =>
    conversationView(row, {
      viewerId,
      photo: photos.get(row.peer_id)?.[0],
      isOnline: platform.realtime.isConnected(row.peer_id),
      messages: messages && (messages.get(row.peer_id) ?? []),
    }),
  )
}

/** The viewer's conversations, newest last message first; with their newest 50 messages when asked for. */
export function listConversations(
  platform: Platform,
  viewerId: string,
  options: { withMessages: boolean },
): Promise<Conversation[]> {
  return views(platform, viewerId, undefined, options.withMessages)
}

/** Tells somebody's devices about one of their conversations. */
async function publishConversation(platform: Platform, userId: string, peerId: string): Promise<void> {
  const rows = await views(platform, userId, peerId, false)
  if (rows.length > 0) platform.realtime.publish([userId], 'conversations', rows)
}

/** Tells both people of a conversation as it was before its first message, which then raises the unread count. */
async function publishAppeared(platform: Platform, senderId: string, receiverId: string): Promise<void> {
  for (const [userId, peerId] of [
    [receiverId, senderId],
    [senderId, receiverId],
  ] as const) {
    const rows = await views(platform, userId, peerId, false)
    const before = rows.map((row) => ({ ...row, lastMessage: null, unreadCount: 0 }))
    if (before.length > 0) platform.realtime.publish([userId], 'conversations', before)
  }
}

interface Page {
  messages: Message[]
  hasMore: boolean
}

/** One page of the viewer's conversation with somebody, oldest first. Throws not found when there is none. */
export async function listMessages(
  platform: Pick<Platform, 'db'>,
  viewerId: string,
  peerId: string,
  { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<Page> {
  if (!isUuid(peerId) || !(await isReachable(platform.db, viewerId, peerId))) throw notFound()
  const readSeq = await findPeerReadSeq(platform.db, viewerId, peerId)
  if (readSeq === undefined) throw notFound()
  const rows = await findMessages(platform.db, viewerId, peerId, { before, after, limit: limit + 1 })
  const forward = after !== undefined && before === undefined
  const page = forward ? rows.slice(0, limit) : rows.slice(-limit)
  return { messages: page.map((row) => messageView(row, viewerId, peerId, readSeq)), hasMore: rows.length > limit }
}

/** Opens the viewer's conversation with somebody, making it when there is none. Safe to repeat and to race. */
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
  for (const { from, to, text } of lines) {
    const message = { senderId: from, receiverId: to, id: `like-${now.getTime()}`, body: text, sentAt: now, now }
    await appendMessage(tx.db, message)
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

/** Tells an absent receiver; several messages of one sender are one notification while it is unread. */
async function notifyAbsent(tx: Tx, senderId: string, receiverId: string, text: string): Promise<void> {
  if (tx.realtime.isConnected(receiverId)) return
  const preview = text.length > previewLength ? `${text.slice(0, previewLength).trimEnd()}…` : text
  await notify(tx, receiverId, {
    kind: 'message',
    params: { name: await findName(tx.db, senderId), preview },
    link: `/chat/${senderId}`,
    collapseKey: `chat:${senderId}`,
  })
}

interface Sending {
  onOpened: OnOpened
  /** The connection it came by, which is told by its acknowledgement. */
  connection?: Connection
}

async function send(
  platform: Platform,
  senderId: string,
  outgoing: Outgoing,
  { onOpened, connection }: Sending,
): Promise<Message> {
  const { id, receiverId, message } = outgoing
  await platform.limits.spendHere(sends, senderId)
  await requireReachable(platform, senderId, receiverId)
  const now = platform.clock.now()
  const kept = await transaction(platform, async (tx) => {
    const row = await appendMessage(tx.db, {
      senderId,
      receiverId,
      id,
      body: message,
      sentAt: sentAt(outgoing.timestamp, now),
      now,
    })
    if (!row.o_duplicate) await notifyAbsent(tx, senderId, receiverId, message)
    return row
  })
  const row: MessageRow = {
    seq: kept.o_seq,
    sender_id: senderId,
    client_id: id,
    body: kept.o_body,
    sent_at: kept.o_sent_at,
  }
  if (kept.o_first && !kept.o_duplicate) {
    onOpened(senderId, receiverId)
    onOpened(receiverId, senderId)
    await publishAppeared(platform, senderId, receiverId)
  }
  platform.realtime.publish([receiverId], 'private message', messageView(row, receiverId, senderId, 0))
  const own = messageView(row, senderId, receiverId, 0)
  platform.realtime.publish([senderId], 'private message', own, connection)
  return own
}

/**
 * Sends a message. It is kept once this resolves; a repeat of the same id to the same person gives the original and is
 * delivered again. Messages of two people are kept and delivered in the order they came. Throws not found for people
 * one cannot write to, forbidden where it needs a match, `rate_limited`.
 */
export function sendMessage(
  platform: Platform,
  senderId: string,
  outgoing: Outgoing,
  sending: Sending,
): Promise<Message> {
  const pair = [senderId, outgoing.receiverId].sort().join()
  return platform.inOrder(pair, () => send(platform, senderId, outgoing, sending))
}

/**
 * Notes that the viewer has read a conversation up to a seq (unset: to its end) and tells both sides. A mark never moves
 * back. Throws not found when there is no such conversation.
 */
export async function readUpTo(
  platform: Platform,
  viewerId: string,
  peerId: string,
  upToSeq = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  if (!isUuid(peerId) || !(await isReachable(platform.db, viewerId, peerId))) throw notFound()
  const read = await transaction(platform, (tx) => readUpToSeq(tx.db, viewerId, peerId, upToSeq))
  if (!read) throw notFound()
  await readKey(platform, viewerId, `chat:${peerId}`)
  if (!read.moved) return
  platform.realtime.publish([viewerId], 'conversation_read', {
    conversationId: peerId,
    readerId: viewerId,
    seq: read.seq,
  })
  platform.realtime.publish([peerId], 'conversation_read', {
    conversationId: viewerId,
    readerId: viewerId,
    seq: read.seq,
  })
}

/** The people somebody talks to, without the blocked and hidden. */
export function peersOf(platform: Pick<Platform, 'db'>, userId: string): Promise<string[]> {
  return findPeers(platform.db, userId)
}
