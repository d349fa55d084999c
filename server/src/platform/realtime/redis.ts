import type { Logger } from '../logger.ts'
import { type Connections, connectToRedis, type Publisher, type Subscriber } from './redis-connections.ts'
import { createListening } from './redis-listening.ts'

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
  /** Listens on new connections: the old ones seem to be dead. */
  relisten(): void
}

export interface RedisConnections extends Pick<Connections, 'counters' | 'close'> {
  bus: Bus
  /** Resolves when this node hears the others and they hear it, or after a second without: Redis may come later. */
  settled: Promise<void>
}

const prefix = 'duet'
const everybody = `${prefix}:nodes`
const nodeChannel = (id: string) => `${prefix}:node:${id}`
const personChannel = (userId: string) => `${prefix}:person:${userId}`

/** Opens what the node `id` needs of Redis. Never fails: a Redis that is away is waited for. */
export function openRedis(url: string, id: string, log: Logger): RedisConnections {
  const { subscriber, publisher, counters, close } = connectToRedis(url, log)
  const outages = logOutages(subscriber, log)
  const own = [everybody, nodeChannel(id)]
  const bus: Bus = {
    ...createPublishing(publisher),
    ...createListening({ subscriber, own, personChannel, log }),
  }
  return {
    bus,
    counters,
    settled: new Promise((resolve) => {
      setTimeout(resolve, 1_000).unref()
      const look = () => publisher.isReady() && bus.isListening() && resolve()
      bus.onListening(look)
      publisher.onReady(look)
    }),
    async close() {
      outages.ignore()
      await close()
    },
  }
}

/** What this node sends. */
function createPublishing(publisher: Publisher): Pick<Bus, 'toAll' | 'toNode' | 'toPerson' | 'onLost'> {
  function publish(channel: string, message: object): void {
    publisher.publish(channel, JSON.stringify(message)).catch(() => undefined)
  }
  return {
    toAll: (message) => publish(everybody, message),
    toNode: (to, message) => publish(nodeChannel(to), message),
    toPerson: (userId, message) => publish(personChannel(userId), message),
    onLost: publisher.onLost,
  }
}

/** One line when Redis goes and one when it is back, however often it is tried. */
function logOutages(subscriber: Subscriber, log: Logger): { ignore(): void } {
  let away = false
  let ignored = false
  subscriber.onClose((reason) => {
    if (!away && !ignored) log.warn({ err: reason }, 'Redis cannot be reached: this node works alone until it can')
    away = true
  })
  subscriber.onReady(() => {
    if (away) log.info('Redis is back')
    away = false
  })
  return {
    ignore: () => {
      ignored = true
    },
  }
}
