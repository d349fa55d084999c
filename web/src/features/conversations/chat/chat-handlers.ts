import type { EventName, EventPayload } from '@duet/contract/realtime.ts'
import type { ChatContext } from './context.ts'
import { changeMessage, conversationOf, markDelivered, markRead, receiveMessage } from './conversation-list.ts'
import { isSameMessage, type Message, quoteOf } from './messages.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { createReceipts } from './receipts.ts'
import type { createSync } from './sync/sync.ts'
import { type Conversation, threadOf } from './thread.ts'

interface HandlerParts extends Pick<ChatContext, 'viewerId' | 'list' | 'selection'> {
  outbox: Outbox
  receipts: Pick<ReturnType<typeof createReceipts>, 'deliver'>
  sync: Pick<ReturnType<typeof createSync>, 'soon' | 'overtake' | 'check'>
}

const soon = 250

export function createHandlers({ viewerId, list, selection, outbox, receipts, sync }: HandlerParts) {
  const knows = ({ thread, lastMessage }: Conversation, message: Message) =>
    (lastMessage !== null && isSameMessage(lastMessage, message)) ||
    (thread?.known.some((known) => isSameMessage(known, message)) ?? false)

  function announce({ id, user, muted }: Conversation, message: Message): void {
    const { kind } = quoteOf(message)
    if (!muted) selection.setState({ announced: { id, name: user.name, text: message.message, kind } })
  }

  function receive(message: EventPayload<'private message'>): void {
    const id = conversationOf(message, viewerId())
    const before = list.find(id)
    const viewer = { viewerId: viewerId(), selectedId: selection.getState().selectedId }
    list.change((known) => receiveMessage(known, message, viewer))
    if (message.senderId === viewerId()) outbox.taken(message)
    else if (before) {
      if (!knows(before, message)) announce(before, message)
      receipts.deliver(id)
    }
    // A gap in the seqs means that a push was lost. A loaded thread fetches the missing messages; any other fetches its
    // row.
    const hasPage = before && threadOf(before).complete !== undefined
    if (hasPage) sync.check(id)
    else if (!before || message.seq > Math.max(before.lastSeq ?? 0, threadOf(before).count.lastSeq) + 1) sync.soon(soon)
  }

  function hearChanged(message: EventPayload<'message_changed'>): void {
    const id = conversationOf(message, viewerId())
    const before = list.find(id)
    if (!before) {
      sync.overtake()
      return
    }
    list.change((known) => changeMessage(known, message, viewerId()))
    sync.check(id)
    // Deleting or restoring an unread message changes the unread count. Without the old message in memory, the new
    // count is unknown, so fetch it.
    const { known, told } = threadOf(before)
    const was = [...known, ...(told ? [told] : [])].find((one) => isSameMessage(one, message))
    const isCounted = message.senderId === id && message.seq > (before.myReadSeq ?? 0)
    if (isCounted && (!was || Boolean(was.deletedAt) !== Boolean(message.deletedAt))) sync.soon(soon)
  }

  function hearRead(read: EventPayload<'conversation_read'>): void {
    const before = list.find(read.conversationId)
    list.change((known) => markRead(known, read, viewerId()))
    const conversation = list.find(read.conversationId)
    if (!conversation || !before) sync.overtake()
    if (!conversation || !before || read.readerId !== viewerId()) return
    const { complete, count } = threadOf(conversation)
    // The server's count includes a message that this device hasn't received.
    const lacks = conversation.lastSeq > before.lastSeq
    if (complete !== undefined) {
      if (lacks) sync.check(conversation.id)
      return
    }
    // If the thread isn't in memory, only the server knows how many messages are still unread.
    const uncounted = read.seq < conversation.lastSeq && count.myReadSeq < read.seq
    if (lacks || uncounted) sync.soon(soon)
  }

  return {
    conversations: (received) => {
      list.merge(received)
      // If a row lacks its last message, its unread count is outdated.
      if (received.some(({ lastMessage, lastSeq }) => lastMessage === null && lastSeq > 0)) sync.soon(soon)
      for (const { id, lastSeq, myReadSeq } of received) {
        if (lastSeq > myReadSeq) receipts.deliver(id)
        sync.check(id)
      }
    },
    'private message': receive,
    message_changed: hearChanged,
    conversation_read: hearRead,
    conversation_delivered: (delivered) => {
      if (!list.find(delivered.conversationId)) return sync.overtake()
      list.change((known) => markDelivered(known, delivered))
    },
    // The server sends this to every device at once, so a random delay spreads out the requests.
    resync: ({ withinMs }) => sync.soon(Math.random() * withinMs),
  } satisfies { [E in EventName]?: (payload: EventPayload<E>) => void }
}
