import { del, delMany, set, type UseStore, values } from 'idb-keyval'
import { keyOf, type Message } from '../messages.ts'

/**
 * Stores our messages until the server has accepted them. Its functions never throw; if storage fails, the outbox works
 * from memory.
 */
export interface OutboxStorage {
  list(viewerId: string): Promise<Message[]>
  keep(message: Message): void
  drop(message: Pick<Message, 'id' | 'senderId'>): void
  clear(viewerId: string): Promise<void>
}

const nothing = () => undefined

const isText = (value: unknown) => typeof value === 'string'
/** A different version of the app may have stored another shape. Skip it, so that it doesn't block other messages. */
const isReadable = (stored: Partial<Message> | null | undefined) =>
  [stored?.id, stored?.receiverId, stored?.message, stored?.timestamp].every(isText)

export function indexedDbStorage(store: UseStore): OutboxStorage {
  // If IndexedDB is blocked, opening it throws synchronously.
  const attempt = <T>(act: () => Promise<T>) => Promise.resolve().then(act)
  const list = (viewerId: string) =>
    attempt(() => values<Message>(store)).then(
      (all) => all.filter((stored) => isReadable(stored) && stored.senderId === viewerId),
      () => [],
    )
  return {
    list,
    keep: (message) => void attempt(() => set(keyOf(message), message, store)).catch(nothing),
    drop: (message) => void attempt(() => del(keyOf(message), store)).catch(nothing),
    clear: async (viewerId) => {
      const own = (await list(viewerId)).map(keyOf)
      await attempt(() => delMany(own, store)).catch(nothing)
    },
  }
}

export function memoryStorage(): OutboxStorage {
  const kept = new Map<string, Message>()
  const list = (viewerId: string) => [...kept.values()].filter(({ senderId }) => senderId === viewerId)
  return {
    list: async (viewerId) => list(viewerId),
    keep: (message) => void kept.set(keyOf(message), message),
    drop: (message) => void kept.delete(keyOf(message)),
    clear: async (viewerId) => {
      for (const message of list(viewerId)) kept.delete(keyOf(message))
    },
  }
}

export const openStorage = (store: UseStore | undefined): OutboxStorage =>
  store ? indexedDbStorage(store) : memoryStorage()
