import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import type { Subscriber } from './redis-connections.ts'

const patienceMs = 1_000

interface ListeningParts {
  subscriber: Subscriber
  own: readonly string[]
  personChannel(userId: string): string
  log: Logger
}

export function createListening({ subscriber, own, personChannel, log }: ListeningParts) {
  const listening = new Set<() => void>()
  let isListening = false
  let late: (userId: string) => void = () => undefined
  const ears = createEars({ subscriber, personChannel, late: (userId) => late(userId), log })
  subscriber.onClose(() => {
    isListening = false
  })
  const listen = async () => {
    const hears = await subscriber.subscribe([...own, ...ears.channels()])
    isListening = hears && subscriber.isReady()
    if (isListening) for (const handler of listening) handler()
  }
  subscriber.onReady(() => {
    listen().catch((err) => log.warn({ err }, 'could not catch up with the other nodes'))
  })
  return {
    ...{ hear: ears.hear, ignore: ears.ignore },
    onLate: (handler: (userId: string) => void) => {
      late = handler
    },
    onMessage: (handler: (message: unknown) => void) =>
      subscriber.onMessage((_channel, text) => handle(text, handler, log)),
    onListening: (handler: () => void) => listening.add(handler),
    isListening: () => isListening,
    relisten: subscriber.renew,
  }
}

interface EarParts extends Pick<ListeningParts, 'subscriber' | 'personChannel' | 'log'> {
  late(userId: string): void
}

/** Counts subscriptions per person. `late` is called for people whose subscription took too long. */
function createEars({ subscriber, personChannel, late, log }: EarParts) {
  const asked = new Map<string, number>()
  return {
    channels: () => [...asked.keys()].map(personChannel),
    async hear(userId: string): Promise<void> {
      asked.set(userId, (asked.get(userId) ?? 0) + 1)
      const answered = subscriber.subscribe([personChannel(userId)])
      // Without a connection, don't wait: reconnecting subscribes to everything, and every client then resyncs.
      if (!subscriber.isReady()) return
      const isLate = await Promise.race([answered.then(() => false), sleep(patienceMs, true, { ref: false })])
      if (isLate)
        answered
          .then((hears) => hears && late(userId))
          .catch((err) => log.warn({ err }, 'a device could not be told to resync'))
    },
    ignore(userId: string): void {
      const left = (asked.get(userId) ?? 0) - 1
      if (left > 0) {
        asked.set(userId, left)
        return
      }
      asked.delete(userId)
      subscriber.unsubscribe(personChannel(userId))
    },
  }
}

/** A malformed message in our channels must not end the process, so log it. */
function handle(text: string, handler: (message: unknown) => void, log: Logger): void {
  try {
    handler(JSON.parse(text))
  } catch (err) {
    log.warn({ err }, 'could not parse a message of another node')
  }
}
