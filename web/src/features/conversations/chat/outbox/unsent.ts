import { countFrom } from '../message-id.ts'
import { bySeq, type Message } from '../messages.ts'
import type { OutboxStorage } from './outbox-storage.ts'
import type { TabNews, Tabs } from './tabs.ts'

export interface UnsentParts {
  viewerId(): string
  storage: OutboxStorage
  tabs: Tabs
  /** Shows a message that waits or was refused. */
  show(message: Message): void
  /** The server took it. */
  taken(message: Message): void
  /** It was given up. */
  dropped(message: Pick<Message, 'id' | 'receiverId'>): void
}

type Id = Pick<Message, 'id'>

/** Own messages that the server has not acknowledged: in memory, in storage, and the same in all tabs of the browser. */
export function createUnsent({ viewerId, storage, tabs, ...on }: UnsentParts) {
  const kept = new Map<string, Message>()
  /** Ids of those that were taken or given up: nothing brings them back. */
  const over = new Set<string>()
  const faults = new Map<string, number>()

  function put(message: Message): void {
    kept.set(message.id, message)
    on.show(message)
  }

  function forget({ id }: Id): void {
    over.add(id)
    kept.delete(id)
    faults.delete(id)
    storage.drop({ id, senderId: viewerId() })
  }

  /** What another tab tells. */
  function hear(news: TabNews): void {
    if (news.kind === 'cleared') kept.clear()
    else if (news.kind === 'kept') {
      if (!over.has(news.message.id)) put(news.message)
    } else {
      over.add(news.message.id)
      kept.delete(news.message.id)
      if (news.kind === 'taken') on.taken(news.message)
      else on.dropped(news.message)
    }
  }

  return {
    /** In the order in which they were written. */
    list: () => [...kept.values()].sort(bySeq),
    has: ({ id }: Id) => kept.has(id),
    /** What an earlier page left in storage. */
    load: () => storage.list(viewerId()),
    takeUp(message: Message): void {
      if (over.has(message.id) || kept.has(message.id)) return
      countFrom(message.id)
      put(message)
    },
    keep(message: Message): void {
      storage.keep(message)
      put(message)
      tabs.tell({ kind: 'kept', message })
    },
    /** The server could not keep it. Returns how often that was so. */
    countFault({ id }: Id): number {
      const count = (faults.get(id) ?? 0) + 1
      faults.set(id, count)
      return count
    },
    forget,
    /** The server took it, as `taken` says. */
    confirm(message: Message, taken: Message): void {
      forget(message)
      on.taken(taken)
      tabs.tell({ kind: 'taken', message: taken })
    },
    drop(message: Message): void {
      forget(message)
      on.dropped(message)
      tabs.tell({ kind: 'dropped', message: { id: message.id, receiverId: message.receiverId } })
    },
    hear,
    /** Forgets everything, as on signing out. */
    async clear(): Promise<void> {
      kept.clear()
      tabs.tell({ kind: 'cleared' })
      await storage.clear(viewerId())
    },
  }
}

export type Unsent = ReturnType<typeof createUnsent>
