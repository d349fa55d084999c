import { randomInt } from 'node:crypto'
import type { Redis, RedisOptions } from 'ioredis'
import type { Logger } from '../logger.ts'
import { connectRedis } from './redis-address.ts'
import { watch } from './redis-watch.ts'

export interface Subscriber {
  subscribe(channels: readonly string[]): Promise<boolean>
  unsubscribe(channel: string): void
  isReady(): boolean
  /** Called after each connect. Earlier subscriptions may be gone, so the caller subscribes again. */
  onReady(handler: () => void): void
  onClose(handler: (reason?: Error) => void): void
  onMessage(handler: (channel: string, text: string) => void): void
  renew(): void
}

export interface Publisher {
  publish(channel: string, text: string): Promise<unknown>
  isReady(): boolean
  onReady(handler: () => void): void
  /** Called when messages may have been lost and sending works again. */
  onLost(handler: () => void): void
}

export interface Connections {
  subscriber: Subscriber
  publisher: Publisher
  /**
   * For counters: a command fails immediately if there is no connection, and after a quarter of a second without a
   * reply.
   */
  counters: Redis
  close(): Promise<void>
}

/**
 * Reconnects forever but doesn't queue commands while Redis is down: the queue would grow, and its commands would
 * arrive too late.
 */
const immediate: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  maxRetriesPerRequest: null,
  retryStrategy: (attempt) => Math.min(2_000, attempt * 100) * (0.5 + randomInt(500) / 1_000),
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
}
/**
 * The caller resubscribes on every connection. ioredis would send one command per channel, and these would pile up
 * while Redis is down.
 */
const hearing: RedisOptions = { ...immediate, autoResubscribe: false }
// No enableAutoPipelining: defining a command while it is on would end the process (redis/ioredis#1931).
const counting: RedisOptions = { ...immediate, commandTimeout: 250 }

async function end(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => client.disconnect())
  else client.disconnect()
}

/** Never fails; if Redis is down, it waits. */
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
          if (client.status === 'ready') log.warn({ err }, 'Redis rejected the subscriptions of this node')
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
  // Unacknowledged messages may be lost, and Redis doesn't report them.
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
