import type { Redis } from 'ioredis'
import type { Logger } from '../logger.ts'
import { connectRedis } from './redis-address.ts'
import {
  type Connections,
  counting,
  end,
  hearing,
  immediate,
  type Publisher,
  type Subscriber,
} from './redis-connections.ts'
import { watch } from './redis-watch.ts'

/** Connects to one Redis. Never fails: one that is away is waited for. */
export function connectOne(url: string, log: Logger): Connections {
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
  // What was written and not answered yet may not have arrived, and is told of by no one.
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
