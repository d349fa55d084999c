import { randomInt } from 'node:crypto'
import type { Cluster, Redis, RedisOptions } from 'ioredis'

/** Hears channels of Redis: by one connection, or in a cluster by one to each of its primaries. */
export interface Subscriber {
  /** Whether Redis has said yes to each of them. */
  subscribe(channels: readonly string[]): Promise<boolean>
  unsubscribe(channel: string): void
  isReady(): boolean
  /** Connected, or once more: from now on it can subscribe, and is subscribed to nothing for sure. */
  onReady(handler: () => void): void
  onClose(handler: (reason?: Error) => void): void
  onMessage(handler: (channel: string, text: string) => void): void
  /** Makes its connections anew. */
  renew(): void
}

export interface Publisher {
  /** Rejects what cannot be sent at once. */
  publish(channel: string, text: string): Promise<unknown>
  isReady(): boolean
  onReady(handler: () => void): void
  /** Something was lost, and what is sent from now on arrives again. */
  onLost(handler: () => void): void
}

/** What a node needs of Redis, be it one or a cluster. */
export interface Connections {
  subscriber: Subscriber
  publisher: Publisher
  /** For counters: a command is refused at once without a connection, and after a quarter of a second without an answer. */
  counters: Redis | Cluster
  close(): Promise<void>
}

/** Connections wait for a Redis that is away, and keep nothing for it: what waits would pile up, and be late. */
export const immediate: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  maxRetriesPerRequest: null,
  retryStrategy: (attempt) => Math.min(2_000, attempt * 100) * (0.5 + randomInt(500) / 1_000),
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
}
/** What a subscriber listens to is told anew on every connection; asked for one by one, it would pile up while Redis is away. */
export const hearing: RedisOptions = { ...immediate, autoResubscribe: false }
// Without enableAutoPipelining: a command that is defined meanwhile would end the process (redis/ioredis#1931).
export const counting: RedisOptions = { ...immediate, commandTimeout: 250 }

export async function end(client: Redis | Cluster): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => client.disconnect())
  else client.disconnect()
}
