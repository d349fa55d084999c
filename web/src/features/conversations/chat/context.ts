import type { Attachment, Quote, Conversation as WireConversation } from '@duet/contract/conversations.ts'
import type { call } from '../../../platform/call.ts'
import type { DuetSocket } from '../../../platform/socket/socket.ts'
import type { OutboxStorage } from './outbox/outbox-storage.ts'
import type { Tabs } from './outbox/tabs.ts'
import type { Conversation } from './thread.ts'

export interface Selection {
  selectedId: string | null
  /** The seq of the first message below the "new messages" divider. */
  newFromSeq: number | undefined
  /** The person whose conversation doesn't exist (anymore). The server never gives the reason. */
  goneId?: string | undefined
  goneName?: string | undefined
  announced: { name: string; text: string; id?: string; kind?: Quote['kind'] } | null
}

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
    change(change: (list: readonly Conversation[]) => Conversation[]): void
    merge(received: readonly WireConversation[]): void
    remove(ids: readonly string[]): void
    /**
     * Removes conversations that no longer exist on the server. If one is open, its thread stays and shows that it is
     * gone.
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
