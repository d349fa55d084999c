import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis, RedisOptions } from 'ioredis'
import type { Logger } from '../logger.ts'
import { connectRedis } from './redis-address.ts'

/** Messages between nodes. What cannot be sent at once is dropped, and `onLost` tells when sending works again. */
export interface Bus {
  toAll(message: object): void
  toNode(id: string, message: object): void
  /** To the nodes that listen for what is sent to a person. */
  toPerson(userId: string, message: object): void
  /** Listens for that, too, until it has been told to stop as often. Resolves when it does, or Redis does not answer. */
  hear(userId: string): Promise<void>
  ignore(userId: string): void
  onMessage(handler: (message: unknown) => void): void
  /** What is sent to a person is heard only from now on, though their device may think that it is connected. */
  onLate(handler: (userId: string) => void): void
  /** This node hears the others, from now on or again. */
  onListening(handler: () => void): void
  onLost(handler: () => void): void
  isListening(): boolean
  /** Listens on a new connection: the old one seems to be dead. */
  relisten(): void
}

export interface RedisConnections {
  bus: Bus
  /** For counters: a command is refused at once without a connection, and after a quarter of a second without an answer. */
  counters: Redis
  /** Resolves when this node hears the others and they hear it, or after a second without: Redis may come later. */
  settled: Promise<void>
  close(): Promise<void>
}

const prefix = 'duet'
const everybody = `${prefix}:nodes`
const channelOf = (id: string) => `${prefix}:node:${id}`
const personPrefix = `${prefix}:person:`
const personChannel = (userId: string) => personPrefix + userId
/** How long a new connection waits for Redis at most. */
const patienceMs = 1_000

const common: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  maxRetriesPerRequest: null,
  retryStrategy: (attempt) => Math.min(2_000, attempt * 100) * (0.5 + randomInt(500) / 1_000),
}
// What waits for a connection that is gone would pile up, and be late.
const immediate: RedisOptions = { ...common, enableOfflineQueue: false, autoResendUnfulfilledCommands: false }

/** Opens what the node `id` needs of Redis. Never fails: a Redis that is away is waited for. */
export function openRedis(url: string, id: string, log: Logger): RedisConnections {
  // What it listens to is told anew on every connection; asked for one by one, it would pile up while Redis is away.
  const subscriber = connectRedis(url, { ...immediate, autoResubscribe: false })
  const publisher = connectRedis(url, immediate)
  // Without enableAutoPipelining: a command that is defined meanwhile would end the process (redis/ioredis#1931).
  const counters = connectRedis(url, { ...immediate, commandTimeout: 250 })
  const clients = [subscriber, publisher, counters]
  for (const client of clients) client.on('error', (err) => log.debug({ err }, 'Redis'))
  const outages = logOutages(subscriber, log)
  const stopWatching = watch([publisher, counters], log)
  const bus = createBus({ subscriber, publisher, id, log })
  return {
    bus,
    counters,
    settled: new Promise((resolve) => {
      setTimeout(resolve, 1_000).unref()
      const look = () => publisher.status === 'ready' && bus.isListening() && resolve()
      bus.onListening(look)
      publisher.on('ready', look)
    }),
    async close() {
      stopWatching()
      outages.ignore()
      for (const client of clients) {
        if (client.status === 'ready') await client.quit().catch(() => client.disconnect())
        else client.disconnect()
      }
    },
  }
}

function createBus(parts: BusParts): Bus {
  return { ...createPublishing(parts), ...createListening(parts) }
}

/** What this node sends. */
function createPublishing({ publisher }: BusParts): Pick<Bus, 'toAll' | 'toNode' | 'toPerson' | 'onLost'> {
  let isLost = false
  function publish(channel: string, message: object): void {
    publisher.publish(channel, JSON.stringify(message)).catch(() => {
      isLost = true
    })
  }
  // What was written and not answered yet may not have arrived, and is told of by no one.
  publisher.on('close', () => {
    isLost = true
  })
  return {
    toAll: (message) => publish(everybody, message),
    toNode: (to, message) => publish(channelOf(to), message),
    toPerson: (userId, message) => publish(personChannel(userId), message),
    onLost: (handler) =>
      void publisher.on('ready', () => {
        if (!isLost) return
        isLost = false
        handler()
      }),
  }
}

/** What this node listens to. */
function createListening({ subscriber, id, log }: BusParts) {
  const own = channelOf(id)
  const listening = new Set<() => void>()
  let isListening = false
  let late: (userId: string) => void = () => undefined
  const subscribe = (...channels: string[]) =>
    subscriber.subscribe(...channels).then(
      () => true,
      (err: unknown) => {
        if (subscriber.status === 'ready') log.warn({ err }, 'Redis does not let this node listen to others')
        return false
      },
    )
  const ears = createEars({ subscriber, subscribe, late: (userId) => late(userId), log })
  subscriber.on('close', () => {
    isListening = false
  })
  const listen = async () => {
    const hears = await subscribe(everybody, own, ...ears.channels())
    isListening = hears && subscriber.status === 'ready'
    if (isListening) for (const handler of listening) handler()
  }
  subscriber.on('ready', () => {
    listen().catch((err) => log.warn({ err }, 'others could not be asked again'))
  })
  return {
    ...{ hear: ears.hear, ignore: ears.ignore },
    onLate: (handler: (userId: string) => void) => {
      late = handler
    },
    onMessage: (handler: (message: unknown) => void) =>
      void subscriber.on('message', (channel: string, text: string) => {
        if (channel === everybody || channel === own || channel.startsWith(personPrefix)) handle(text, handler, log)
      }),
    onListening: (handler: () => void) => void listening.add(handler),
    isListening: () => isListening,
    relisten: () => subscriber.disconnect(true),
  }
}

interface EarParts {
  subscriber: Redis
  /** Whether Redis has said yes. */
  subscribe(...channels: string[]): Promise<boolean>
  late(userId: string): void
  log: Logger
}

/** Whose channels this node listens to. `late` hears of those that were late. */
function createEars({ subscriber, subscribe, late, log }: EarParts) {
  const asked = new Map<string, number>()
  return {
    channels: () => [...asked.keys()].map(personChannel),
    async hear(userId: string): Promise<void> {
      asked.set(userId, (asked.get(userId) ?? 0) + 1)
      const answered = subscribe(personChannel(userId))
      // Without a connection no one waits: all channels are asked for when there is one, and everyone asks again.
      if (subscriber.status !== 'ready') return
      const isLate = await Promise.race([answered.then(() => false), sleep(patienceMs, true, { ref: false })])
      if (isLate)
        answered
          .then((hears) => hears && late(userId))
          .catch((err) => log.warn({ err }, 'a device could not be told to ask again'))
    },
    ignore(userId: string): void {
      const left = (asked.get(userId) ?? 0) - 1
      if (left > 0) {
        asked.set(userId, left)
        return
      }
      asked.delete(userId)
      subscriber.unsubscribe(personChannel(userId)).catch(() => undefined)
    },
  }
}

/** A foreign message in our channels must not end the process. */
function handle(text: string, handler: (message: unknown) => void, log: Logger): void {
  try {
    handler(JSON.parse(text))
  } catch (err) {
    log.warn({ err }, 'a message of another node could not be understood')
  }
}

interface BusParts {
  subscriber: Redis
  publisher: Redis
  id: string
  log: Logger
}

/** One line when Redis goes and one when it is back, however often it is tried. */
function logOutages(client: Redis, log: Logger): { ignore(): void } {
  let away = false
  let ignored = false
  let reason: Error | undefined
  client.on('error', (err) => {
    reason = err
  })
  client.on('close', () => {
    if (!away && !ignored) log.warn({ err: reason }, 'Redis cannot be reached: this node works alone until it can')
    away = true
  })
  client.on('ready', () => {
    if (away) log.info('Redis is back')
    away = false
  })
  return {
    ignore: () => {
      ignored = true
    },
  }
}

/**
 * A connection that does not answer within two seconds is given up, in its handshake as well: what waits for it would grow
 * without bound, or be refused for as long as the other side stands still.
 */
function watch(clients: Redis[], log: Logger): () => void {
  const unanswered = new Set<Redis>()
  for (const client of clients) client.on('ready', () => unanswered.delete(client))
  const timer = setInterval(() => {
    for (const client of clients) {
      const isReady = client.status === 'ready'
      if (!isReady && client.status !== 'connect') unanswered.delete(client)
      else if (unanswered.has(client)) {
        unanswered.delete(client)
        log.warn('Redis does not answer: its connection is made anew')
        client.disconnect(true)
      } else {
        unanswered.add(client)
        if (!isReady) continue
        client.ping().then(
          () => unanswered.delete(client),
          () => undefined,
        )
      }
    }
  }, 2_000)
  timer.unref()
  return () => clearInterval(timer)
}
