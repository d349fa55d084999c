import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Refusal } from './errors.ts'
import { MessageId, Timestamp, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { Photo } from './photos.ts'

/** The text of a message: anything that shows, at most 2000 characters. Control characters are dropped. */
export const MessageText = z
  .string()
  .max(limits.messageLength)
  .transform((value) =>
    value
      .normalize('NFC')
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .trim(),
  )
  .pipe(
    z
      .string()
      .min(1)
      .max(limits.messageLength)
      .regex(/[^\p{C}\p{Z}\p{M}]/u, 'nothing of it would show'),
  )

/** `seq` counts 1, 2, 3 … without a gap in a conversation. `conversationId` is the other person's id, as the viewer sees it. */
export const Message = z.object({
  id: MessageId,
  message: z.string(),
  timestamp: Timestamp,
  senderId: UserId,
  receiverId: UserId,
  status: z.enum(['sent', 'read']),
  seq: z.int(),
  conversationId: UserId,
})
export type Message = z.infer<typeof Message>

/** The person on the other side. */
export const Peer = z.object({
  id: UserId,
  name: z.string(),
  photo: Photo.nullable(),
  isOnline: z.boolean(),
  isTyping: z.boolean(),
})
export type Peer = z.infer<typeof Peer>

/** `id` is the other person's id. Rows may leave `messages` out. `readSeq` is how far the other person has read. */
export const Conversation = z.object({
  id: UserId,
  user: Peer,
  messages: z.array(Message).optional(),
  lastMessage: Message.nullable(),
  unreadCount: z.int(),
  readSeq: z.int(),
})
export type Conversation = z.infer<typeof Conversation>

export const listHistory = endpoint({
  method: 'GET',
  path: '/api/messages/history',
  summary: 'My conversations with their newest messages, newest last message first.',
  access: 'member',
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

export const conversationEndpoints = [listHistory, listMessages] as const

/** What send_message carries. The sender is the token's person: any other `senderId` is refused. */
export const OutgoingMessage = z.object({
  id: MessageId,
  message: MessageText,
  timestamp: z.string().max(64).optional(),
  senderId: UserId,
  receiverId: UserId,
  status: z.string().max(32).optional(),
})
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

export const conversationRequests = {
  get_conversations: { payload: z.unknown() },
  get_or_create_conversation: { payload: z.object({ withUser: UserId }), ack: OpenAck },
  /** `upToSeq` unset means everything that has arrived. */
  mark_as_read: {
    payload: z.object({ conversationId: UserId, userId: UserId, upToSeq: z.int().min(0).optional() }),
    ack: ReadAck,
  },
  send_message: { payload: OutgoingMessage, ack: SendAck },
} as const

export const conversationEvents = {
  conversations: z.array(Conversation),
  'private message': Message,
  /** Somebody read a conversation up to `seq`; told to both sides. `conversationId` is the other person's id. */
  conversation_read: z.object({ conversationId: UserId, readerId: UserId, seq: z.int() }),
} as const
