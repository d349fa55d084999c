import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Refusal } from './errors.ts'
import { Cursor, Done, MessageId, Timestamp, UserId } from './ids.ts'
import { Attachment, Emoji, MessageText, Quote, Reaction } from './message-parts.ts'
import { Photo } from './photos.ts'
import { rateLimits } from './rate-limits.ts'

export { Attachment, type Quote, type Reaction } from './message-parts.ts'

/**
 * `seq` numbers the messages of a conversation 1, 2, 3 … without gaps. `revision` counts every change to a message, so
 * the version with the highest revision is current. `conversationId` is the other person's id from the viewer's side. A
 * deleted message stays as an empty entry with its `seq`. `replyTo` contains the quoted text at the time the server
 * loaded this message; when the quoted message changes, clients update every quote of it.
 */
export const Message = z.object({
  id: MessageId,
  message: z.string(),
  timestamp: Timestamp,
  senderId: UserId,
  receiverId: UserId,
  status: z.enum(['sent', 'delivered', 'read']),
  seq: z.int(),
  revision: z.int(),
  conversationId: UserId,
  replyTo: Quote.optional(),
  attachment: Attachment.optional(),
  reactions: z.array(Reaction).optional(),
  editedAt: Timestamp.optional(),
  deletedAt: Timestamp.optional(),
})
export type Message = z.infer<typeof Message>

export const Peer = z.object({
  id: UserId,
  name: z.string(),
  photo: Photo.nullable(),
  isOnline: z.boolean(),
  isTyping: z.boolean(),
})
export type Peer = z.infer<typeof Peer>

/**
 * `id` is the other person's id. Lists may leave out `messages`. `readSeq` and `deliveredSeq` are the last messages
 * that the other person has read and received. Both stay 0 for a message request until it is answered or accepted;
 * `readSeq` also stays 0 while either person has read receipts switched off.
 */
export const Conversation = z.object({
  id: UserId,
  user: Peer,
  messages: z.array(Message).optional(),
  lastMessage: Message.nullable(),
  /**
   * When the server stored the last message. Lists sort by this time because a message's own time is set by its sender.
   */
  lastAt: Timestamp.nullable(),
  unreadCount: z.int(),
  readSeq: z.int(),
  deliveredSeq: z.int(),
  /**
   * The last message I have read on any device. `unreadCount` is the number of unread messages at `lastSeq` and
   * `myReadSeq`.
   */
  myReadSeq: z.int(),
  lastSeq: z.int(),
  revision: z.int(),
  muted: z.boolean(),
  archived: z.boolean(),
  matched: z.boolean(),
  isRequest: z.boolean(),
})
export type Conversation = z.infer<typeof Conversation>

export const listHistory = endpoint({
  method: 'GET',
  path: '/api/messages/history',
  summary:
    'My 200 newest conversations, newest last message first: the first five with their newest messages, the others with the last. If these are all, the header duet-list-cursor holds the cursor for get_conversations.',
  access: 'member',
  limit: rateLimits.conversationLists,
  response: z.array(Conversation),
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:userId/messages',
  summary: 'One page of a conversation, oldest first: before or after a seq.',
  access: 'member',
  params: z.object({ userId: UserId }),
  query: z.object({
    before: z.coerce.number<number>().int().min(1).optional(),
    after: z.coerce.number<number>().int().min(0).optional(),
    limit: z.coerce.number<number>().int().min(1).max(100).default(50),
  }),
  response: z.object({ messages: z.array(Message), hasMore: z.boolean() }),
  errors: ['not_found'],
})

export const listMessageChanges = endpoint({
  method: 'GET',
  path: '/api/conversations/:userId/changes',
  summary:
    'What happened in a conversation: messages after a seq, and changed ones after a revision; by revision. Next page: after the highest seq known, since the revision of the last message here.',
  access: 'member',
  params: z.object({ userId: UserId }),
  query: z.object({
    after: z.coerce.number<number>().int().min(0),
    since: z.coerce.number<number>().int().min(0),
    limit: z.coerce.number<number>().int().min(1).max(200).default(100),
  }),
  response: z.object({ messages: z.array(Message), hasMore: z.boolean() }),
  errors: ['not_found'],
})

const messageAt = z.object({ userId: UserId, seq: z.coerce.number<number>().int().min(1) })

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:userId/messages/:seq',
  summary: 'Change the text of a message of mine, within 15 minutes, for both.',
  access: 'member',
  limit: rateLimits.messageChanges,
  params: messageAt,
  body: z.strictObject({ message: MessageText }),
  response: Message,
  errors: ['not_found', 'conflict', 'rate_limited'],
})

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:userId/messages/:seq',
  summary: 'Delete a message of mine, within 15 minutes, for both. Safe to repeat.',
  access: 'member',
  limit: rateLimits.messageChanges,
  params: messageAt,
  response: Message,
  errors: ['not_found', 'conflict', 'rate_limited'],
})

export const reactToMessage = endpoint({
  method: 'PUT',
  path: '/api/conversations/:userId/messages/:seq/reaction',
  summary: 'Put my emoji on a message, or take it off with null.',
  access: 'member',
  limit: rateLimits.messageChanges,
  params: messageAt,
  body: z.strictObject({ emoji: Emoji.nullable() }),
  response: Message,
  errors: ['not_found', 'conflict', 'rate_limited'],
})

export const changeConversation = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:userId',
  summary: 'Mute or archive a conversation, or accept a request.',
  access: 'member',
  limit: rateLimits.conversationChanges,
  params: z.object({ userId: UserId }),
  body: z.strictObject({
    muted: z.boolean().optional(),
    archived: z.boolean().optional(),
    accepted: z.literal(true).optional(),
  }),
  response: Conversation,
  errors: ['not_found', 'rate_limited'],
})

export const removeConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:userId',
  summary: 'Take a conversation off my list; a new message brings it back. Safe to repeat.',
  access: 'member',
  limit: rateLimits.conversationChanges,
  params: z.object({ userId: UserId }),
  response: Done,
  errors: ['not_found', 'rate_limited'],
})

export const searchMessages = endpoint({
  method: 'GET',
  path: '/api/messages/search',
  summary:
    'Find words in my conversations, newest first; with one person when `with` is given. 20 times a minute, one after the other. An answer looks through 5,000 messages: it may hold few hits, or none, and still have a cursor to go on with.',
  access: 'member',
  limit: rateLimits.messageSearches,
  query: z.object({
    query: z.string().trim().min(2).max(100),
    with: UserId.optional(),
    cursor: Cursor.optional(),
    limit: z.coerce.number<number>().int().min(1).max(50).default(20),
  }),
  response: z.object({
    hits: z.array(z.object({ user: Peer, message: Message })),
    nextCursor: z.string().nullable(),
  }),
  errors: ['rate_limited', 'unavailable'],
})

export const addAttachment = endpoint({
  method: 'POST',
  path: '/api/conversations/:userId/attachments',
  summary:
    'Upload what a message will carry: part file; for a voice note also durationMs and waveform (JSON list) before it.',
  access: 'member',
  limit: rateLimits.attachmentUploads,
  params: z.object({ userId: UserId }),
  multipart: true,
  status: 201,
  response: Attachment,
  errors: ['not_found', 'forbidden', 'payload_too_large', 'unsupported_media_type', 'rate_limited'],
})

export const conversationEndpoints = [
  listHistory,
  listMessages,
  listMessageChanges,
  editMessage,
  deleteMessage,
  reactToMessage,
  changeConversation,
  removeConversation,
  searchMessages,
  addAttachment,
] as const

/** The server refuses any `senderId` other than the token's owner. The text may be empty if there is an attachment. */
export const OutgoingMessage = z
  .object({
    id: MessageId,
    message: z.union([MessageText, z.literal('')]),
    timestamp: z.string().max(64).optional(),
    senderId: UserId,
    receiverId: UserId,
    status: z.string().max(32).optional(),
    replyTo: z.int().min(1).optional(),
    attachmentId: z.uuid().optional(),
  })
  .refine(({ message, attachmentId }) => message !== '' || attachmentId !== undefined, 'nothing to send')
export type OutgoingMessage = z.output<typeof OutgoingMessage>

export const SendAck = z.union([z.object({ ok: z.literal(true), message: Message }), Refusal])
export type SendAck = z.infer<typeof SendAck>

export const OpenAck = z.union([
  z.object({ id: UserId, messages: z.array(Message), hasMore: z.boolean() }),
  z.object({ error: z.object({ code: z.string() }) }),
])
export type OpenAck = z.infer<typeof OpenAck>

export const ReadAck = z.union([z.object({ ok: z.literal(true) }), Refusal])
export type ReadAck = z.infer<typeof ReadAck>

/**
 * `cursor` is for the next get_conversations. `gone` lists conversations removed since the given cursor. `listed`, sent
 * only if no cursor was given, names everyone in the list, so that the client can drop everyone else.
 */
export const ListAck = z.union([
  z.object({ ok: z.literal(true), cursor: z.string(), gone: z.array(UserId), listed: z.array(UserId).optional() }),
  Refusal,
])
export type ListAck = z.infer<typeof ListAck>

export const conversationRequests = {
  /**
   * The server sends the conversations in one or more `conversations` events, then the acknowledgement. With `since`, a
   * cursor from an earlier acknowledgement, it sends only the conversations that changed.
   */
  get_conversations: {
    limit: rateLimits.conversationLists,
    payload: z.object({ since: Cursor.optional() }).optional(),
    ack: ListAck,
  },
  get_or_create_conversation: {
    limit: rateLimits.conversationOpenings,
    payload: z.object({ withUser: UserId }),
    ack: OpenAck,
  },
  /** Without `upToSeq`, marks all messages as read. */
  mark_as_read: {
    payload: z.object({ conversationId: UserId, userId: UserId, upToSeq: z.int().min(0).optional() }),
    ack: ReadAck,
  },
  mark_as_delivered: { payload: z.object({ conversationId: UserId, upToSeq: z.int().min(0) }), ack: ReadAck },
  /**
   * The server doesn't validate this acknowledgement, because that would double the cost of the event. Tests check it
   * against SendAck.
   */
  send_message: { limit: rateLimits.messages, payload: OutgoingMessage, ack: z.custom<SendAck>() },
} as const

type Requests = typeof conversationRequests
export type RequestPayload<Q extends keyof Requests> = z.input<Requests[Q]['payload']>
export type RequestAnswer<Q extends keyof Requests> = z.output<Requests[Q]['ack']>

export const conversationEvents = {
  conversations: z.array(Conversation),
  'private message': Message,
  /**
   * The new state of a message that was edited, deleted or reacted to. Messages that quote it get no event of their
   * own.
   */
  message_changed: Message,
  conversation_read: z.object({
    conversationId: UserId,
    readerId: UserId,
    seq: z.int(),
    /**
     * Sent only to the reader's own devices: the number of unread messages, counted when the newest message was
     * `lastSeq`.
     */
    unreadCount: z.int().optional(),
    lastSeq: z.int().optional(),
  }),
  /** The other person's devices have received all messages up to `seq`. */
  conversation_delivered: z.object({ conversationId: UserId, seq: z.int() }),
  /** Events may have been missed. Request the list again, after a random delay of up to `withinMs`. */
  resync: z.object({ withinMs: z.int() }),
} as const
