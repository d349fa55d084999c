import { randomInt } from 'node:crypto'
import type { Redis, RedisOptions } from 'ioredis'
import type { Logger } from '../logger.ts'
import { connectRedis } from './redis-address.ts'
import { watch } from './redis-watch.ts'

/** Hears channels of Redis. */
export interface Subscriber {
  /** Resolves to whether Redis has confirmed each channel. */
  subscribe(channels: readonly string[]): Promise<boolean>
  unsubscribe(channel: string): void
  isReady(): boolean
  /** Called after each connect. Earlier subscriptions may be gone, so the caller subscribes again. */
  onReady(handler: () => void): void
  onClose(handler: (reason?: Error) => void): void
  onMessage(handler: (channel: string, text: string) => void): void
  /** Closes the connection and opens a new one. */
  renew(): void
}

export interface Publisher {
  /** Rejects when the message can't be sent at once. */
  publish(channel: string, text: string): Promise<unknown>
  isReady(): boolean
  onReady(handler: () => void): void
  /** Called when messages may have been lost and sending works again. */
  onLost(handler: () => void): void
}

/** A node's connections to Redis. */
export interface Connections {
  subscriber: Subscriber
  publisher: Publisher
  /** For counters: a command is refused at once without a connection, and after a quarter of a second without an answer. */
  counters: Redis
  close(): Promise<void>
}

/** Connections wait for a Redis that is away, and keep nothing for it: what waits would pile up, and be late. */
const immediate: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  maxRetriesPerRequest: null,
  retryStrategy: (attempt) => Math.min(2_000, attempt * 100) * (0.5 + randomInt(500) / 1_000),
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
}
/** What a subscriber listens to is told anew on every connection; asked for one by one, it would pile up while Redis is away. */
const hearing: RedisOptions = { ...immediate, autoResubscribe: false }
// Without enableAutoPipelining: a command that is defined meanwhile would end the process (redis/ioredis#1931).
const counting: RedisOptions = { ...immediate, commandTimeout: 250 }

async function end(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => client.disconnect())
  else client.disconnect()
}

/** Connects to Redis. Never fails: it waits for a Redis that is away. */
export function connectToRedis(url: string, log: Logger): Connections {
  const subscriber = connectRedis(url, hearing)
  const publisher = connectRedis(url, immediate)
  const counters = connectRedis(url, counting)
  const clients = [subscriber, publisher, counters]
  for (const client of clients) client.on('error', (err) => log.debug({ err }, 'Redis'))
  const stopWatching = watch(() => [publisher, counters], log)
  return {
    subscriber: subscriberOf(subscriber, log),
    publisher: publisherOf(publisher),
    counters,
    async close() {
      stopWatching()
      for (const client of clients) await end(client)
    },
  }
}

function subscriberOf(client: Redis, log: Logger): Subscriber {
  let reason: Error | undefined
  client.on('error', (err) => {
    reason = err
  })
  return {
    subscribe: (channels) =>
      client.subscribe(...channels).then(
        () => true,
        (err: unknown) => {
          if (client.status === 'ready') log.warn({ err }, 'Redis does not let this node listen to others')
          return false
        },
      ),
    unsubscribe: (channel) => void client.unsubscribe(channel).catch(() => undefined),
    isReady: () => client.status === 'ready',
    onReady: (handler) => void client.on('ready', handler),
    onClose: (handler) => void client.on('close', () => handler(reason)),
    onMessage: (handler) => void client.on('message', handler),
    renew: () => client.disconnect(true),
  }
}

function publisherOf(client: Redis): Publisher {
  let isLost = false
  // Messages without an answer may be lost, and Redis reports none of them.
  client.on('close', () => {
    isLost = true
  })
  return {
    publish: (channel, text) =>
      client.publish(channel, text).catch((err) => {
        isLost = true
        throw err
      }),
    isReady: () => client.status === 'ready',
    onReady: (handler) => void client.on('ready', handler),
    onLost: (handler) =>
      void client.on('ready', () => {
        if (!isLost) return
        isLost = false
        handler()
      }),
  }
}
