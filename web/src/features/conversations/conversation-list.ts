import type { Peer, Conversation as WireConversation, Message as WireMessage } from '@duet/contract/conversations.ts'

/** A message as this device knows it: one of our own that the server has not taken yet has no `seq`. */
export type Message = Omit<WireMessage, 'seq'> & { seq?: number; delivery?: 'pending' | 'failed' }

/** A conversation as this device knows it. `id` is the other person's id. */
export type Conversation = Omit<WireConversation, 'messages' | 'lastMessage'> & {
  messages?: Message[] | undefined
  lastMessage: Message | null
}
/** What the server, or this device, says of a conversation. */
export type Received = WireConversation | Conversation

type Conversations = readonly Conversation[]

const position = ({ seq }: Message) => seq ?? Number.POSITIVE_INFINITY
const inOrder = (one: Message, other: Message) =>
  position(one) === position(other)
    ? Date.parse(one.timestamp) - Date.parse(other.timestamp) || 0
    : position(one) - position(other)

// The newest messages without a hole: what lies before a missing seq is read again when it is scrolled to.
function sinceLastGap(messages: Message[]): Message[] {
  const gap = messages.findLastIndex((message, index) => {
    const next = messages[index + 1]
    return message.seq !== undefined && next?.seq !== undefined && next.seq - message.seq > 1
  })
  return gap < 0 ? messages : messages.slice(gap + 1)
}

/** Puts messages where their seq says, each id once; one not yet taken by the server stands last. */
export function upsertMessages(known: readonly Message[], arrived: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of arrived) {
    const before = byId.get(message.id)
    if (before?.seq !== undefined && message.seq === undefined) continue
    const readAlready = before?.status === 'read' || message.status === 'read'
    byId.set(message.id, { ...message, status: readAlready ? 'read' : message.status })
  }
  return [...byId.values()].sort(inOrder)
}

const newer = (one: Message | null, other: Message | null): Message | null => {
  if (!one || !other) return one ?? other
  return inOrder(one, other) > 0 ? one : other
}

/** Newest last message first; conversations that lack one compare as equal. */
export function newestFirst(list: Conversations): Conversation[] {
  return list.toSorted((one, other) => {
    if (!one.lastMessage || !other.lastMessage) return 0
    return Date.parse(other.lastMessage.timestamp) - Date.parse(one.lastMessage.timestamp)
  })
}

function mergeOne(known: Conversation | undefined, received: Received): Conversation {
  if (!known) return { ...received }
  const messages = received.messages
    ? sinceLastGap(upsertMessages(known.messages ?? [], received.messages))
    : known.messages
  const merged = { ...known, ...received, lastMessage: newer(received.lastMessage, unsent(known)) }
  const user = { ...received.user, isTyping: known.user.isTyping }
  return { ...merged, user, readSeq: Math.max(known.readSeq, received.readSeq), ...(messages && { messages }) }
}

const unsent = ({ lastMessage }: Conversation) => (lastMessage?.delivery ? lastMessage : null)

/** Merges conversations by id; messages that are known are kept when the update has none. */
export function mergeConversations(list: Conversations, received: readonly Received[]): Conversation[] {
  const byId = new Map(list.map((conversation) => [conversation.id, conversation]))
  for (const update of received) byId.set(update.id, mergeOne(byId.get(update.id), update))
  return [...byId.values()]
}

/** Changes one conversation; the list stays the same when it is not there. */
export function changeConversation(
  list: Conversations,
  id: string,
  change: (conversation: Conversation) => Conversation,
): Conversation[] {
  return list.map((conversation) => (conversation.id === id ? change(conversation) : conversation))
}

/** Adds messages to a conversation without touching its last message: older pages, gaps that are filled. */
export function addMessages(list: Conversations, id: string, messages: readonly Message[]): Conversation[] {
  return changeConversation(list, id, (conversation) => ({
    ...conversation,
    messages: upsertMessages(conversation.messages ?? [], messages),
  }))
}

interface Viewer {
  viewerId: string
  selectedId: string | null
}

/** The conversation a message belongs to: the other person's id, whoever of the two wrote it. */
export const conversationOf = (message: Message, viewerId: string) =>
  message.senderId === viewerId ? message.receiverId : message.senderId

/** A private message arrived. One of an unknown sender changes nothing. */
export function receiveMessage(
  list: Conversations,
  message: Message,
  { viewerId, selectedId }: Viewer,
): Conversation[] {
  const id = conversationOf(message, viewerId)
  return changeConversation(list, id, (conversation) => {
    const known = [conversation.lastMessage, ...(conversation.messages ?? [])].some((other) => other?.id === message.id)
    const counts = message.senderId !== viewerId && id !== selectedId && !known
    const mine = message.senderId === viewerId
    return {
      ...conversation,
      user: mine ? conversation.user : { ...conversation.user, isTyping: false },
      messages: upsertMessages(conversation.messages ?? [], [message]),
      lastMessage: latest(conversation.lastMessage, message),
      unreadCount: conversation.unreadCount + (counts ? 1 : 0),
    }
  })
}

const latest = (last: Message | null, message: Message) => (last?.id === message.id ? message : newer(last, message))

/** The server took one of our messages: its word replaces ours. */
export function confirmMessage(list: Conversations, message: Message): Conversation[] {
  return changeConversation(list, message.receiverId, (conversation) => {
    const messages = upsertMessages(conversation.messages ?? [], [message])
    return { ...conversation, messages, lastMessage: messages.at(-1) ?? null }
  })
}

/** Marks one of our messages as waiting or refused. */
export function markDelivery(
  list: Conversations,
  { id, receiverId }: Pick<Message, 'id' | 'receiverId'>,
  delivery: 'pending' | 'failed',
): Conversation[] {
  const mark = (message: Message): Message => (message.id === id && !message.seq ? { ...message, delivery } : message)
  return changeConversation(list, receiverId, (conversation) => ({
    ...conversation,
    messages: (conversation.messages ?? []).map(mark),
    lastMessage: conversation.lastMessage && mark(conversation.lastMessage),
  }))
}

/** Forgets a message that never left this device. */
export function dropMessage(
  list: Conversations,
  { id, receiverId }: Pick<Message, 'id' | 'receiverId'>,
): Conversation[] {
  return changeConversation(list, receiverId, (conversation) => {
    const messages = (conversation.messages ?? []).filter((message) => message.id !== id)
    const last = conversation.lastMessage
    return { ...conversation, messages, lastMessage: last?.id === id ? (messages.at(-1) ?? null) : last }
  })
}

/** First everyone is offline, then those who are listed are online. */
export function setOnline(list: Conversations, online: readonly { id: string }[]): Conversation[] {
  const ids = new Set(online.map(({ id }) => id))
  return list.map((conversation) => changePeer(conversation, { isOnline: ids.has(conversation.id) }))
}

/** Somebody began or stopped typing. */
export function setTyping(list: Conversations, id: string, isTyping: boolean): Conversation[] {
  return changeConversation(list, id, (conversation) => changePeer(conversation, { isTyping }))
}

const changePeer = (conversation: Conversation, change: Partial<Peer>): Conversation => ({
  ...conversation,
  user: { ...conversation.user, ...change },
})

/** The count of a conversation that was opened goes to 0. */
export function clearUnread(list: Conversations, id: string): Conversation[] {
  return changeConversation(list, id, (conversation) => ({ ...conversation, unreadCount: 0 }))
}

/** Somebody read up to `seq`: the other person our messages, or we ourselves on another device. */
export function markRead(
  list: Conversations,
  { conversationId, readerId, seq }: { conversationId: string; readerId: string; seq: number },
  viewerId: string,
): Conversation[] {
  return changeConversation(list, conversationId, (conversation) =>
    readerId === viewerId ? readElsewhere(conversation, viewerId, seq) : readByPeer(conversation, viewerId, seq),
  )
}

// What arrived after the other device looked is still unread here.
function readElsewhere(conversation: Conversation, viewerId: string, seq: number): Conversation {
  const after = (conversation.messages ?? []).filter(
    (message) => message.senderId !== viewerId && (message.seq ?? 0) > seq,
  )
  return { ...conversation, unreadCount: Math.min(conversation.unreadCount, after.length) }
}

function readByPeer(conversation: Conversation, viewerId: string, seq: number): Conversation {
  const mark = (message: Message): Message =>
    message.senderId === viewerId && (message.seq ?? Number.POSITIVE_INFINITY) <= seq
      ? { ...message, status: 'read' }
      : message
  return {
    ...conversation,
    readSeq: Math.max(conversation.readSeq, seq),
    ...(conversation.messages && { messages: conversation.messages.map(mark) }),
    lastMessage: conversation.lastMessage && mark(conversation.lastMessage),
  }
}

/** All unread messages together. */
export const totalUnread = (list: Conversations) => list.reduce((sum, { unreadCount }) => sum + unreadCount, 0)

/** The newest seq that is known of a conversation, 0 when none is. */
export const newestSeq = ({ messages = [] }: Conversation) =>
  messages.reduce((newest, { seq }) => Math.max(newest, seq ?? 0), 0)

/** The seq of the first of the newest `unread` messages of the other person; undefined when nothing is unread. */
export function firstUnreadSeq(messages: readonly Message[], viewerId: string, unread: number): number | undefined {
  if (unread <= 0) return undefined
  const theirs = messages.filter((message) => message.senderId !== viewerId)
  return theirs.at(-unread)?.seq ?? theirs[0]?.seq
}
