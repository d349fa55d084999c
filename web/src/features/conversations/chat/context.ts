import type { Attachment, Quote, Conversation as WireConversation } from '@duet/contract/conversations.ts'
import type { call } from '../../../platform/call.ts'
import type { DuetSocket } from '../../../platform/socket/socket.ts'
import type { OutboxStorage } from './outbox/outbox-storage.ts'
import type { Tabs } from './outbox/tabs.ts'
import type { Conversation } from './thread.ts'

export interface Selection {
  /** The other person of the conversation that is open, or null. */
  selectedId: string | null
  /** Where the divider before what was unread at the opening stands. */
  newFromSeq: number | undefined
  /** The person there is no conversation with (any more): the server says so, and never why. */
  goneId?: string | undefined
  /** Their name, where it was known. */
  goneName?: string | undefined
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
  /** Runs `act` once someone looks at the page. By default it runs immediately. */
  whenLookedAt?(act: () => void): void
}

/** What the parts of the chat share. */
export interface ChatContext extends Omit<ChatParts, 'list' | 'storage' | 'tabs' | 'whenLookedAt'> {
  list: {
    read(): readonly Conversation[]
    /** The conversation with someone. */
    find(id: string): Conversation | undefined
    /** Before any conversations were loaded there is nothing to change. */
    change(change: (list: readonly Conversation[]) => Conversation[]): void
    merge(received: readonly WireConversation[]): void
    remove(ids: readonly string[]): void
    /** The server has these no longer. One that is open stays open, and says so. */
    end(ids: readonly string[]): void
    /** Puts one back that was removed. */
    restore(conversation: Conversation): void
  }
}

/** What is written: text, an attachment, or both; maybe in answer to a message. */
export interface NewMessage {
  text: string
  replyTo?: Quote | undefined
  attachment?: Attachment | undefined
  attachmentId?: string | undefined
}
