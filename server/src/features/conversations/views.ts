import type { Conversation, Message } from '@duet/contract/conversations.ts'
import type { Photo } from '@duet/contract/photos.ts'
import type { ConversationRow, MessageRow } from './conversations.queries.ts'

/** A message as one of its two people sees it: `peerId` is the other one, who has read up to `peerReadSeq`. */
export function messageView(row: MessageRow, viewerId: string, peerId: string, peerReadSeq: number): Message {
  const isMine = row.sender_id === viewerId
  return {
    id: row.client_id,
    message: row.body,
    timestamp: row.sent_at.toISOString(),
    senderId: row.sender_id,
    receiverId: isMine ? peerId : viewerId,
    status: isMine && row.seq <= peerReadSeq ? 'read' : 'sent',
    seq: row.seq,
    conversationId: peerId,
  }
}

interface Parts {
  viewerId: string
  photo: Photo | undefined
  isOnline: boolean
  messages?: MessageRow[] | undefined
}

export function conversationView(row: ConversationRow, { viewerId, photo, isOnline, messages }: Parts): Conversation {
  const view = (message: MessageRow) => messageView(message, viewerId, row.peer_id, row.peer_read_seq)
  return {
    id: row.peer_id,
    user: { id: row.peer_id, name: row.name, photo: photo ?? null, isOnline, isTyping: false },
    ...(messages && { messages: messages.map(view) }),
    lastMessage: row.last_message && view(row.last_message),
    unreadCount: row.unread_count,
    readSeq: row.peer_read_seq,
  }
}
