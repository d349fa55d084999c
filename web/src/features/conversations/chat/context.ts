import type { Attachment, Quote, Conversation as WireConversation } from '@duet/contract/conversations.ts'
import type { call } from '../../../platform/call.ts'
import type { DuetSocket } from '../../../platform/socket/socket.ts'
import type { OutboxStorage } from './outbox/outbox-storage.ts'
import type { Tabs } from './outbox/tabs.ts'
import type { Conversation } from './thread.ts'

export interface Selection {
  /** The other person's id, or null if no conversation is open. */
  selectedId: string | null
  /** The seq that the "new messages" divider stands before. */
  newFromSeq: number | undefined
  /** The person whose conversation doesn't exist (any longer). The server never says why. */
  goneId?: string | undefined
  goneName?: string | undefined
  announced: { name: string; text: string; id?: string; kind?: Quote['kind'] } | null
}

/** What the chat needs from its host, so that it can run without a page. */
export interface ChatParts {
  viewerId(): string
  /** `read` returns undefined until the list has loaded. */
  list: { read(): readonly Conversation[] | undefined; write(list: Conversation[]): void }
  selection: { getState(): Selection; setState(change: Partial<Selection>): void }
  socket(): DuetSocket | null
  call: typeof call
  storage: OutboxStorage
  tabs: Tabs
  whenLookedAt?(act: () => void): void
}

export interface ChatContext extends Omit<ChatParts, 'list' | 'storage' | 'tabs' | 'whenLookedAt'> {
  list: {
    read(): readonly Conversation[]
    find(id: string): Conversation | undefined
    /** Does nothing until the list has loaded. */
    change(change: (list: readonly Conversation[]) => Conversation[]): void
    merge(received: readonly WireConversation[]): void
    remove(ids: readonly string[]): void
    /**
     * Removes conversations that the server no longer has. If one is open, the thread stays and says that it is gone.
     */
    end(ids: readonly string[]): void
    restore(conversation: Conversation): void
  }
}

export interface NewMessage {
  text: string
  replyTo?: Quote | undefined
  attachment?: Attachment | undefined
  attachmentId?: string | undefined
}
