import type { Attachment, Conversation, Message, Quote, Reaction } from '@duet/contract/conversations.ts'
import { cutText } from '@duet/contract/cut-text.ts'
import type { Photo } from '@duet/contract/photos.ts'
import type { ConversationRow } from './conversations.queries.ts'
import { type MessageRow, quoteLength } from './messages.queries.ts'

/** One person's side of a conversation, and how far the other person has read and received it. */
export interface Seat {
  viewerId: string
  peerId: string
  readSeq: number
  deliveredSeq: number
}

export const seatOf = (row: ConversationRow, viewerId: string): Seat => ({
  viewerId,
  peerId: row.peer_id,
  readSeq: row.read_seq,
  deliveredSeq: row.delivered_seq,
})

export type Attachments = ReadonlyMap<string, Attachment>

function statusOf(row: MessageRow, { viewerId, readSeq, deliveredSeq }: Seat): Message['status'] {
  if (row.sender_id !== viewerId) return 'sent'
  if (row.seq <= readSeq) return 'read'
  return row.seq <= deliveredSeq ? 'delivered' : 'sent'
}

function reactionsOf({ reaction_lo, reaction_hi }: MessageRow, { viewerId, peerId }: Seat): Reaction[] {
  const [lo, hi] = viewerId < peerId ? [viewerId, peerId] : [peerId, viewerId]
  return [
    ...(reaction_lo === null ? [] : [{ userId: lo, emoji: reaction_lo }]),
    ...(reaction_hi === null ? [] : [{ userId: hi, emoji: reaction_hi }]),
  ]
}

const quoteOf = (row: MessageRow, seq: number): Quote => ({
  seq,
  senderId: row.quote_sender_id,
  message: cutText(row.quote_body, quoteLength),
  kind: row.quote_kind,
})

export function messageView(row: MessageRow, seat: Seat, attachments: Attachments): Message {
  const { viewerId, peerId } = seat
  const attachment = row.attachment_id === null ? undefined : attachments.get(row.attachment_id)
  const reactions = reactionsOf(row, seat)
  return {
    id: row.client_id,
    message: row.body,
    timestamp: row.sent_at.toISOString(),
    senderId: row.sender_id,
    receiverId: row.sender_id === viewerId ? peerId : viewerId,
    status: statusOf(row, seat),
    seq: row.seq,
    revision: row.revision,
    conversationId: peerId,
    ...(row.quote_seq !== null && row.deleted_at === null && { replyTo: quoteOf(row, row.quote_seq) }),
    ...(attachment && { attachment }),
    ...(reactions.length > 0 && { reactions }),
    ...(row.edited_at && row.deleted_at === null && { editedAt: row.edited_at.toISOString() }),
    ...(row.deleted_at && { deletedAt: row.deleted_at.toISOString() }),
  }
}

interface Parts {
  viewerId: string
  photo: Photo | undefined
  isOnline: boolean
  lastMessage: Message | null
  messages?: Message[] | undefined
}

export function conversationView(row: ConversationRow, parts: Parts): Conversation {
  const { photo, isOnline, lastMessage, messages } = parts
  return {
    id: row.peer_id,
    user: { id: row.peer_id, name: row.name, photo: photo ?? null, isOnline, isTyping: false },
    ...(messages && { messages }),
    lastMessage,
    lastAt: row.last_at?.toISOString() ?? null,
    unreadCount: row.unread_count,
    readSeq: row.read_seq,
    deliveredSeq: row.delivered_seq,
    myReadSeq: row.my_read_seq,
    lastSeq: row.last_seq,
    revision: row.revision,
    muted: row.muted,
    archived: row.archived,
    matched: row.matched,
    isRequest: row.is_request,
  }
}
