import type { Peer, Conversation as WireConversation } from '@duet/contract/conversations.ts'
import { placeIn, rise } from './conversation-order.ts'
import { bySeq, isSameMessage, type Message, upsertMessages } from './messages.ts'
import { type Conversation, laterCount, laterMessage, show, type Thread, threadOf } from './thread.ts'
import { joinEvent, joinPage } from './thread-joins.ts'

export type { Message } from './messages.ts'
export type { Conversation } from './thread.ts'

export type Received = WireConversation | Conversation

type Conversations = readonly Conversation[]

function mergeOne(known: Conversation | undefined, received: Received): Conversation {
  const told = threadOf({ ...received, messages: undefined } as Conversation)
  const messages = received.messages?.filter(({ seq }) => seq !== undefined)
  const page = { messages: messages ?? [], asOf: received.revision, isNewest: true }
  if (!known) return show(received as Conversation, messages ? joinPage(told, page) : told)
  const before = threadOf(known)
  const count = laterCount(before.count, told.count)
  // An older row must not overwrite the other fields.
  const isNews = count === told.count
  const flags = isNews ? told.flags : before.flags
  const thread = { ...before, count, flags, ...placeIn(known, told), told: laterMessage(before.told, told.told) }
  const { messages: _, lastMessage: __, ...rest } = isNews ? { ...known, ...received } : known
  const marks = {
    readSeq: Math.max(known.readSeq, received.readSeq),
    deliveredSeq: Math.max(known.deliveredSeq ?? 0, received.deliveredSeq ?? 0),
    myReadSeq: Math.max(known.myReadSeq ?? 0, received.myReadSeq ?? 0),
    revision: Math.max(known.revision ?? 0, received.revision ?? 0),
  }
  const user = { ...rest.user, isTyping: known.user.isTyping }
  return show({ ...rest, ...marks, user, lastMessage: null }, messages ? joinPage(thread, page) : thread)
}

/** A row received without messages keeps the loaded messages. */
export function mergeConversations(list: Conversations, received: readonly Received[]): Conversation[] {
  const byId = new Map(list.map((conversation) => [conversation.id, conversation]))
  for (const update of received) byId.set(update.id, mergeOne(byId.get(update.id), update))
  return [...byId.values()]
}

export function changeOne(
  list: Conversations,
  id: string,
  change: (conversation: Conversation) => Conversation,
): Conversation[] {
  return list.map((conversation) =>
    conversation.id === id ? rise(list, conversation, change(conversation)) : conversation,
  )
}

export function changeThread(
  list: Conversations,
  id: string,
  change: (thread: Thread, conversation: Conversation) => Thread,
): Conversation[] {
  return changeOne(list, id, (conversation) => show(conversation, change(threadOf(conversation), conversation)))
}

interface Viewer {
  viewerId: string
  selectedId: string | null
}

export const conversationOf = (message: Message, viewerId: string) =>
  message.senderId === viewerId ? message.receiverId : message.senderId

/** If the conversation isn't in the list, changes nothing. */
export function receiveMessage(
  list: Conversations,
  message: Message,
  { viewerId, selectedId }: Viewer,
): Conversation[] {
  const id = conversationOf(message, viewerId)
  return changeOne(list, id, (conversation) => {
    const heard = message.senderId === id ? changePeer(conversation, { isTyping: false }) : conversation
    const thread = { ...threadOf(heard), selected: id === selectedId }
    if (message.seq === undefined) return show(heard, withOwn(thread, message))
    return joinEvent(heard, thread, message)
  })
}

const mostStrays = 50

export function changeMessage(list: Conversations, message: Message, viewerId: string): Conversation[] {
  return changeOne(list, conversationOf(message, viewerId), (conversation) => {
    const thread = threadOf(conversation)
    // If the thread isn't loaded, keep only the message shown in its row. The others will load with their page.
    const matters = thread.complete !== undefined || thread.known.some((known) => isSameMessage(known, message))
    if (matters) return joinEvent(conversation, thread, message)
    const told = thread.told && isSameMessage(thread.told, message) ? laterMessage(thread.told, message) : thread.told
    const revision = Math.max(conversation.revision ?? 0, message.revision ?? 0)
    const strays = upsertMessages(thread.strays, [message]).slice(-mostStrays)
    return show({ ...conversation, revision }, { ...thread, told, strays })
  })
}

function withOwn(thread: Thread, message: Message): Thread {
  if (thread.known.some((known) => isSameMessage(known, message))) return thread
  return { ...thread, own: [...thread.own.filter(({ id }) => id !== message.id), message].sort(bySeq) }
}

export function confirmMessage(list: Conversations, message: Message): Conversation[] {
  return changeOne(list, message.receiverId, (conversation) => joinEvent(conversation, threadOf(conversation), message))
}

type Own = Pick<Message, 'id' | 'receiverId'>

export function markDelivery(list: Conversations, own: Own, delivery: 'pending' | 'failed'): Conversation[] {
  const mark = (message: Message): Message => (message.id === own.id ? { ...message, delivery } : message)
  return changeThread(list, own.receiverId, (thread) => ({ ...thread, own: thread.own.map(mark) }))
}

export function dropMessage(list: Conversations, own: Own): Conversation[] {
  return changeThread(list, own.receiverId, (thread) => ({
    ...thread,
    own: thread.own.filter(({ id }) => id !== own.id),
  }))
}

export function setOnline(list: Conversations, online: readonly { id: string }[]): Conversation[] {
  const ids = new Set(online.map(({ id }) => id))
  return list.map((conversation) => changePeer(conversation, { isOnline: ids.has(conversation.id) }))
}

export function setTyping(list: Conversations, id: string, isTyping: boolean): Conversation[] {
  return changeOne(list, id, (conversation) => changePeer(conversation, { isTyping }))
}

function changePeer(conversation: Conversation, change: Partial<Peer>): Conversation {
  const user = { ...conversation.user, ...change }
  const isSame = user.isOnline === conversation.user.isOnline && user.isTyping === conversation.user.isTyping
  // Keep the same object, so that the row doesn't rerender.
  return isSame ? conversation : { ...conversation, user }
}

export function select(list: Conversations, selectedId: string | null): Conversation[] {
  return list.map((conversation) => {
    const selected = conversation.id === selectedId
    if ((conversation.thread?.selected ?? false) === selected) return conversation
    const thread = threadOf(conversation)
    return show(conversation, { ...thread, selected, focus: selected ? thread.focus : undefined })
  })
}

export function clearUnread(list: Conversations, id: string): Conversation[] {
  return changeOne(list, id, (conversation) => readTo(conversation, threadOf(conversation).count.lastSeq))
}

export function readTo(conversation: Conversation, seq: number): Conversation {
  return show({ ...conversation, myReadSeq: Math.max(conversation.myReadSeq ?? 0, seq) }, threadOf(conversation))
}

interface Read {
  conversationId: string
  readerId: string
  seq: number
  unreadCount?: number | undefined
  lastSeq?: number | undefined
}

/**
 * Applies a read receipt from another of our devices. The server's unread count covers messages up to `lastSeq`, so
 * newer ones are added to it.
 */
function readElsewhere(conversation: Conversation, { seq, unreadCount, lastSeq }: Read): Conversation {
  if (unreadCount === undefined || lastSeq === undefined) return readTo(conversation, seq)
  const thread = threadOf(conversation)
  const count = laterCount(thread.count, { lastSeq, myReadSeq: seq, unreadCount })
  return readTo({ ...conversation, thread: { ...thread, count } }, seq)
}

export function markRead(list: Conversations, read: Read, viewerId: string) {
  const { conversationId, readerId, seq } = read
  return changeOne(list, conversationId, (conversation) => {
    if (readerId === viewerId) return readElsewhere(conversation, read)
    return show({ ...conversation, readSeq: Math.max(conversation.readSeq, seq) }, threadOf(conversation))
  })
}

export function markDelivered(
  list: Conversations,
  { conversationId, seq }: Pick<Read, 'conversationId' | 'seq'>,
): Conversation[] {
  return changeOne(list, conversationId, (conversation) => {
    const deliveredSeq = Math.max(conversation.deliveredSeq ?? 0, seq)
    return show({ ...conversation, deliveredSeq }, threadOf(conversation))
  })
}

export const totalUnread = (list: Conversations) => list.reduce((sum, { unreadCount }) => sum + unreadCount, 0)

export const newestSeq = ({ messages = [] }: Conversation) =>
  messages.reduce((newest, { seq }) => Math.max(newest, seq ?? 0), 0)

export const hasOlder = ({ messages }: Conversation) => (messages?.[0]?.seq ?? 1) > 1

/** Whether the conversation has newer messages that aren't loaded, as after a jump to an old message. */
export const hasNewer = (conversation: Conversation) =>
  conversation.messages !== undefined && newestSeq(conversation) < (conversation.lastSeq ?? 0)

/**
 * The seq of the first unread message, given that the other person's newest `unread` messages are unread; undefined if
 * none is.
 */
export function firstUnreadSeq(messages: readonly Message[], viewerId: string, unread: number): number | undefined {
  if (unread <= 0) return undefined
  const theirs = messages.filter((message) => message.senderId !== viewerId && !message.deletedAt)
  return theirs.at(-unread)?.seq ?? theirs[0]?.seq
}
