import { countFrom } from '../message-id.ts'
import { bySeq, type Message } from '../messages.ts'
import type { OutboxStorage } from './outbox-storage.ts'
import type { TabNews, Tabs } from './tabs.ts'

export interface UnsentParts {
  viewerId(): string
  storage: OutboxStorage
  tabs: Tabs
  show(message: Message): void
  taken(message: Message): void
  dropped(message: Pick<Message, 'id' | 'receiverId'>): void
}

type Id = Pick<Message, 'id'>

export function createUnsent({ viewerId, storage, tabs, ...on }: UnsentParts) {
  const kept = new Map<string, Message>()
  /** Ids of messages that were accepted or dropped, so that late responses don't restore them. */
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
    list: () => [...kept.values()].sort(bySeq),
    has: ({ id }: Id) => kept.has(id),
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
    countFault({ id }: Id): number {
      const count = (faults.get(id) ?? 0) + 1
      faults.set(id, count)
      return count
    },
    forget,
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
    async clear(): Promise<void> {
      kept.clear()
      tabs.tell({ kind: 'cleared' })
      await storage.clear(viewerId())
    },
  }
}

export type Unsent = ReturnType<typeof createUnsent>
