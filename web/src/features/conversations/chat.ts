import type { Attachment, Quote, Conversation as WireConversation } from '@duet/contract/conversations.ts'
import type { call } from '../../platform/call.ts'
import type { DuetSocket } from '../../platform/socket.ts'
import type { ConversationChanges } from './changes.ts'
import { createHandlers } from './chat-handlers.ts'
import { confirmMessage, dropMessage, mergeConversations, receiveMessage, select } from './conversation-list.ts'
import { messageId } from './message-id.ts'
import type { Message } from './messages.ts'
import { createOutbox } from './outbox.ts'
import type { OutboxStorage } from './outbox-storage.ts'
import { createReceipts } from './receipts.ts'
import { createSync } from './sync.ts'
import type { Tabs } from './tabs.ts'
import type { Conversation } from './thread.ts'

export interface Selection {
  /** The other person of the conversation that is open, or null. */
  selectedId: string | null
  /** Where the divider before what was unread at the opening stands. */
  newFromSeq: number | undefined
  /** The newest message that came in, for the region that announces it. */
  announced: { name: string; text: string; id?: string; kind?: Quote['kind'] } | null
}

/** What the chat needs of the page it lives in, or of whatever else drives it. */
export interface ChatParts {
  viewerId(): string
  /** Where the conversations stand; undefined before any were loaded. */
  list: { read(): readonly Conversation[] | undefined; write(list: Conversation[]): void }
  selection: { getState(): Selection; setState(change: Partial<Selection>): void }
  socket(): DuetSocket | null
  call: typeof call
  storage: OutboxStorage
  tabs: Tabs
}

type List = readonly Conversation[]

/** The list that comes meanwhile may still lack what was taken: it is asked for once more. */
const takenBeforeList = 250

/** What the parts of the chat share. */
export interface ChatContext extends Omit<ChatParts, 'list' | 'storage' | 'tabs'> {
  list: {
    read(): List
    /** Before any conversations were loaded there is nothing to change. */
    change(change: (list: List) => Conversation[]): void
    merge(received: readonly WireConversation[]): void
    remove(ids: readonly string[]): void
    /** Puts one back that was removed. */
    restore(conversation: Conversation): void
  }
}

/** What is written: text, an attachment, or both; maybe in answer to a message. */
export interface Writing {
  text: string
  replyTo?: Quote | undefined
  attachment?: Attachment | undefined
  attachmentId?: string | undefined
}

function createList({ list, selection, viewerId }: ChatParts, waiting: () => readonly Message[]): ChatContext['list'] {
  const selectedId = () => selection.getState().selectedId
  const write = (next: List) => list.write(select(next, selectedId()))
  const withOwn = (known: List) =>
    waiting().reduce((next, message) => {
      const viewer = { viewerId: viewerId(), selectedId: selectedId() }
      return receiveMessage(next, message, viewer)
    }, known)
  return {
    read: () => list.read() ?? [],
    change(change) {
      const known = list.read()
      if (known) write(change(known))
    },
    merge: (received) => write(withOwn(mergeConversations(list.read() ?? [], received))),
    restore: (conversation) => write([...(list.read() ?? []).filter(({ id }) => id !== conversation.id), conversation]),
    remove(ids) {
      if (ids.length === 0) return
      if (ids.includes(selectedId() ?? '')) selection.setState({ selectedId: null })
      const known = list.read()
      if (known) write(known.filter(({ id }) => !ids.includes(id)))
    },
  }
}

function compose({ text, replyTo, attachment, attachmentId }: Writing, senderId: string, receiverId: string): Message {
  const uploaded = attachmentId ?? attachment?.id
  return {
    id: messageId(),
    message: text.trim(),
    timestamp: new Date().toISOString(),
    senderId,
    receiverId,
    conversationId: receiverId,
    status: 'sent',
    delivery: 'pending',
    ...(replyTo && { replyTo }),
    ...(attachment && { attachment }),
    ...(uploaded && { attachmentId: uploaded }),
  }
}

/** Loads a part at its first use; one that could not be loaded is tried again at the next. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/**
 * A person's conversations on one device: what the server tells is joined in whatever order it comes, what is written
 * goes out once, and what was missed is read again. Knows neither React nor the page.
 */
export function createChat(parts: ChatParts) {
  const { viewerId, selection, socket, call, storage, tabs } = parts
  const list = createList(parts, () => outbox.waiting())
  const context: ChatContext = { viewerId, list, selection, socket, call }
  const viewer = () => ({ viewerId: viewerId(), selectedId: selection.getState().selectedId })
  const outbox = createOutbox({
    ...{ viewerId, socket, storage, tabs },
    show: (message) => list.change((known) => receiveMessage(known, message, viewer())),
    taken,
    dropped: (message) => list.change((known) => dropMessage(known, message)),
  })
  const receipts = createReceipts(context)
  const sync = createSync(context)
  /** The server took one of ours. The list that is on its way was read before, maybe. */
  function taken(message: Message): void {
    list.change((known) => confirmMessage(known, message))
    if (list.read().some(({ id }) => id === message.receiverId)) sync.check(message.receiverId)
    else sync.soon(takenBeforeList)
  }
  // What a first look at the list does without is loaded when it is needed.
  const pages = once(async () =>
    (await import('./pages.ts')).createPages({ ...context, read: receipts.read, check: sync.check }),
  )
  const changes = once(async () => (await import('./changes.ts')).createChanges(context))
  /** Selects at once: whoever has left by the time its code is loaded stays away. */
  function open(id: string): Promise<Conversation | null> {
    const already = selection.getState().selectedId === id
    selection.setState({ selectedId: id, ...(already ? {} : { newFromSeq: undefined }) })
    return pages().then(
      (loaded) => loaded.open(id),
      (error) => {
        console.error('The conversation could not be fetched or created.', error)
        return null
      },
    )
  }

  /** Writes to the selected person. Without one, or without a live connection, nothing happens. Tells whether it went. */
  function send(writing: string | Writing, to = selection.getState().selectedId): boolean {
    const written = typeof writing === 'string' ? { text: writing } : writing
    const line = socket()
    if (!line) console.error('Socket not connected.')
    const isEmpty = !written.text.trim() && !written.attachment && !written.attachmentId
    if (!line?.connected || !viewerId() || !to || isEmpty) return false
    outbox.keep(compose(written, viewerId(), to))
    outbox.drain()
    return true
  }

  return {
    list,
    pages: {
      open,
      older: async (id: string) => (await pages()).older(id),
      newer: async (id: string) => (await pages()).newer(id),
      jumpTo: async (id: string, seq: number) => (await pages()).jumpTo(id, seq),
      newest: async (id: string) => (await pages()).newest(id),
      refresh: async (id: string, seq: number) => (await pages()).refresh(id, seq),
    },
    changes: {
      edit: async (message: Message, text: string) => (await changes()).edit(message, text),
      remove: async (message: Message) => (await changes()).remove(message),
      react: async (message: Message, emoji: string | null) => (await changes()).react(message, emoji),
      change: async (id: string, wanted: ConversationChanges) => (await changes()).change(id, wanted),
      unlist: async (id: string) => (await changes()).unlist(id),
    },
    outbox,
    sync,
    read: receipts.read,
    send: (writing: string | Writing) => send(writing),
    handlers: createHandlers({ ...context, outbox, receipts, sync }),
    /** Opens the conversation with somebody and writes there, whoever is selected by then. Tells whether it went. */
    writeFirst: async (id: string, text: string) => (await open(id)) !== null && send(text, id),
    /** Tries a refused message once more. */
    retry(message: Message): void {
      outbox.keep({ ...message, delivery: 'pending' })
      outbox.drain()
    },
    /** The line is there, anew or again. */
    async connected(): Promise<void> {
      outbox.drain()
      await sync.now()
      receipts.repeat()
    },
    /** `left` is what an earlier version of this page kept elsewhere. Returns how to stop. */
    start(left: readonly Message[] = []): () => void {
      const stop = outbox.start(left)
      return () => {
        stop()
        sync.stop()
        receipts.stop()
      }
    },
  }
}

export type Chat = ReturnType<typeof createChat>
