import { asProse, isVisible } from '@duet/contract/written-text.ts'
import { createHandlers } from './chat-handlers.ts'
import type { ChatContext, ChatParts, NewMessage } from './context.ts'
import { confirmMessage, dropMessage, mergeConversations, receiveMessage, select } from './conversation-list.ts'
import { lazyChanges, lazyPages } from './lazy-parts.ts'
import { messageId } from './message-id.ts'
import type { Message } from './messages.ts'
import { createOutbox } from './outbox/outbox.ts'
import { createReceipts } from './receipts.ts'
import { createSync } from './sync/sync.ts'
import type { Conversation } from './thread.ts'

type List = readonly Conversation[]

/**
 * How long to wait before refetching the list after the server accepts a message, in milliseconds. A list already
 * requested may not include the message.
 */
const takenBeforeList = 250

function createList({ list, selection, viewerId }: ChatParts, waiting: () => readonly Message[]): ChatContext['list'] {
  const selectedId = () => selection.getState().selectedId
  const write = (next: List) => list.write(select(next, selectedId()))
  const withOwn = (known: List) =>
    waiting().reduce((next, message) => {
      const viewer = { viewerId: viewerId(), selectedId: selectedId() }
      return receiveMessage(next, message, viewer)
    }, known)
  const leaveOut = (ids: readonly string[]) => {
    const known = list.read()
    if (known && ids.length > 0) write(known.filter(({ id }) => !ids.includes(id)))
  }
  return {
    read: () => list.read() ?? [],
    find: (id) => list.read()?.find((conversation) => conversation.id === id),
    change(change) {
      const known = list.read()
      if (known) write(change(known))
    },
    merge: (received) => write(withOwn(mergeConversations(list.read() ?? [], received))),
    restore: (conversation) => write([...(list.read() ?? []).filter(({ id }) => id !== conversation.id), conversation]),
    remove(ids) {
      if (ids.includes(selectedId() ?? '')) selection.setState({ selectedId: null })
      leaveOut(ids)
    },
    end(ids) {
      const open = list.read()?.find(({ id }) => id === selectedId() && ids.includes(id))
      if (open) selection.setState({ goneId: open.id, goneName: open.user.name })
      leaveOut(ids)
    },
  }
}

interface People {
  senderId: string
  receiverId: string
}

function compose(
  { text, replyTo, attachment, attachmentId }: NewMessage,
  { senderId, receiverId }: People,
  after: number,
): Message {
  const uploaded = attachmentId ?? attachment?.id
  return {
    id: messageId(),
    message: isVisible(text) ? asProse(text) : '',
    timestamp: new Date().toISOString(),
    senderId,
    receiverId,
    conversationId: receiverId,
    status: 'sent',
    delivery: 'pending',
    after,
    ...(replyTo && { replyTo }),
    ...(attachment && { attachment }),
    ...(uploaded && { attachmentId: uploaded }),
  }
}

/**
 * One person's conversations on one device. It merges events in any order, sends each message once, and fetches missed
 * events. It depends on neither React nor the page.
 */
export function createChat(parts: ChatParts) {
  const { viewerId, selection, socket, call, storage, tabs, whenLookedAt = (act) => act() } = parts
  const list = createList(parts, () => outbox.waiting())
  const context: ChatContext = { viewerId, list, selection, socket, call }
  const viewer = () => ({ viewerId: viewerId(), selectedId: selection.getState().selectedId })
  const outbox = createOutbox({
    viewerId,
    socket,
    storage,
    tabs,
    show: (message) => list.change((known) => receiveMessage(known, message, viewer())),
    taken,
    dropped: (message) => list.change((known) => dropMessage(known, message)),
  })
  const receipts = createReceipts(context)
  const sync = createSync(context)
  /** The server accepted a message of ours. A list that was requested earlier may not include it. */
  function taken(message: Message): void {
    list.change((known) => confirmMessage(known, message))
    if (list.find(message.receiverId)) sync.check(message.receiverId)
    else sync.soon(takenBeforeList)
  }
  // Loaded when a conversation is first opened, because the list doesn't need this code.
  const pages = lazyPages(context, { read: readOnceSeen, check: sync.check })
  /** Marks a conversation as read. In a hidden tab, waits until the tab becomes visible. */
  function readOnceSeen(id: string, seq?: number): void {
    let isLater = false
    whenLookedAt(() => {
      if (!isLater || selection.getState().selectedId === id) receipts.read(id, seq)
    })
    isLater = true
  }

  /** Returns false if nobody is selected, the message is empty or there is no connection. */
  function send(writing: string | NewMessage, to = selection.getState().selectedId): boolean {
    const written = typeof writing === 'string' ? { text: writing } : writing
    const line = socket()
    if (!line) console.error('Socket not connected.')
    const isEmpty = !isVisible(written.text) && !written.attachment && !written.attachmentId
    if (!line?.connected || !viewerId() || !to || isEmpty) return false
    const after = list.find(to)?.lastSeq ?? 0
    outbox.keep(compose(written, { senderId: viewerId(), receiverId: to }, after))
    outbox.drain()
    return true
  }

  return {
    list,
    pages,
    ...lazyChanges(context, () => sync.soon(0)),
    outbox,
    sync,
    read: receipts.read,
    send: (writing: string | NewMessage) => send(writing),
    handlers: createHandlers({ ...context, outbox, receipts, sync }),
    /**
     * Opens a conversation and sends a message in it, even if another has been selected in the meantime. Resolves to
     * whether it was sent.
     */
    writeFirst: async (id: string, text: string) => (await pages.open(id)) !== null && send(text, id),
    retry({ refusal: _, retryAt: __, ...message }: Message): void {
      outbox.keep({ ...message, delivery: 'pending' })
      outbox.drain()
    },
    async connected(): Promise<void> {
      outbox.drain()
      await sync.now()
      receipts.repeat()
    },
    start(): () => void {
      const stop = outbox.start()
      return () => {
        stop()
        sync.stop()
        receipts.stop()
      }
    },
  }
}

export type Chat = ReturnType<typeof createChat>
