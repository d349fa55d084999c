import type { Message as WireMessage } from '@duet/contract/conversations.ts'
import type { ChatParts } from './chat/context.ts'
import type { Conversation, Message } from './chat/conversation-list.ts'

export const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString()

export function message(seq: number, changes: Partial<WireMessage> = {}): WireMessage {
  const said = { id: `m${seq}`, message: `text ${seq}`, timestamp: at(seq), senderId: 'maya', receiverId: 'me' }
  return { ...said, status: 'sent', seq, revision: seq, conversationId: 'maya', ...changes }
}

export const mine = (seq: number, changes: Partial<WireMessage> = {}) =>
  message(seq, { senderId: 'me', receiverId: 'maya', ...changes })

export function waiting(id: string, changes: Partial<Message> = {}): Message {
  const { seq: _, revision: __, ...said } = mine(0, { id, message: id, timestamp: at(30) })
  return { ...said, delivery: 'pending', ...changes }
}

export function conversation(id: string, changes: Partial<Conversation> = {}): Conversation {
  const user = { id, name: id, photo: null, isOnline: false, isTyping: false }
  const lastSeq = changes.lastMessage?.seq ?? changes.unreadCount ?? 0
  const lastAt = changes.lastMessage?.timestamp ?? null
  const marks = { unreadCount: 0, readSeq: 0, deliveredSeq: 0, myReadSeq: 0, lastSeq, revision: lastSeq }
  const state = { muted: false, archived: false, matched: false, isRequest: false }
  return { id, user, lastMessage: null, lastAt, ...marks, ...state, ...changes }
}

export function memoryList(): ChatParts['list'] {
  let list: Conversation[] | undefined
  return {
    read: () => list,
    write(next) {
      list = next
    },
  }
}

/** Answers socket requests: opening a conversation returns `messages`, and the list has no changes. */
export const answersWith =
  (messages: readonly WireMessage[] = []) =>
  async (event: string, payload: { withUser?: string } = {}) =>
    event === 'get_conversations' ? { ok: true } : { id: payload.withUser, messages, hasMore: false }
