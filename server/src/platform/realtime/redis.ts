import type { Logger } from '../logger.ts'
import { type Connections, connectToRedis, type Publisher, type Subscriber } from './redis-connections.ts'
import { createListening } from './redis-listening.ts'

/**
 * Messages between nodes. A message that can't be sent immediately is dropped, and `onLost` fires once sending works
 * again.
 */
export interface Bus {
  toAll(message: object): void
  toNode(id: string, message: object): void
  toPerson(userId: string, message: object): void
  /**
   * Subscribes to a person's messages until `ignore` has been called as many times as `hear`. Resolves when subscribed,
   * or when Redis doesn't answer.
   */
  hear(userId: string): Promise<void>
  ignore(userId: string): void
  onMessage(handler: (message: unknown) => void): void
  /**
   * Called when a subscription was late: the person's messages arrive only from now on, although their device may
   * already consider itself connected.
   */
  onLate(handler: (userId: string) => void): void
  onListening(handler: () => void): void
  onLost(handler: () => void): void
  isListening(): boolean
  relisten(): void
}

export interface RedisConnections extends Pick<Connections, 'counters' | 'close'> {
  bus: Bus
  /** Resolves when sending and receiving work, or after a second if they don't; Redis may connect later. */
  settled: Promise<void>
}

const prefix = 'duet'
const everybody = `${prefix}:nodes`
const nodeChannel = (id: string) => `${prefix}:node:${id}`
const personChannel = (userId: string) => `${prefix}:person:${userId}`

/** Never fails; if Redis is down, it waits. */
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

function logOutages(subscriber: Subscriber, log: Logger): { ignore(): void } {
  let away = false
  let ignored = false
  subscriber.onClose((reason) => {
    if (!away && !ignored) log.warn({ err: reason }, 'Redis cannot be reached; this node works alone until it is back')
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
