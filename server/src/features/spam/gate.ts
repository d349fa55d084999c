import { LRUCache } from 'lru-cache'
import { minutes } from '../../platform/clock.ts'
import { createInOrder } from '../../platform/in-order.ts'
import { createLanes } from '../../platform/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import { noteAlike } from './alike.ts'
import { countMessage, countNewcomer, newUntil } from './newcomers.ts'
import type { Shadow } from './shadow.ts'
import { type Attempt, type Before, findBefore } from './spam.queries.ts'

/** What messages to people who have not answered have to pass. */
export interface Gate {
  /**
   * Sends a message that nothing speaks against. What somebody sends keeps its order. Throws `rate_limited`,
   * `validation_failed`.
   */
  pass<T>(attempt: Attempt, send: () => Promise<T>): Promise<T>
}

type Looking = Pick<Platform, 'db' | 'limits' | 'clock' | 'config'>

/**
 * Nothing is asked for people who talk: what is known of them is remembered for a while, and a message costs one look at
 * it. All others pass one at a time, each after the one before is kept. Whoever writes nearly the same to many who do
 * not answer is restricted before that message is kept.
 */
export function createGate(platform: Looking, restrict: Shadow['restrict']): Gate {
  // Of sender and receiver, until when their messages count: 0 for those who are not new, or matched.
  const talking = new LRUCache<string, number>({ max: 50_000, ttl: minutes(10) })
  const waiting = new Map<string, number>()
  const inOrder = createInOrder()
  const lookups = createLanes<Attempt, Before>({
    flush: (attempts) => findBefore(platform.db, attempts),
    mayBeOne: () => false,
  })

  async function sendCounted<T>(senderId: string, until: number, send: () => Promise<T>): Promise<T> {
    if (until > platform.clock.now().getTime()) await countNewcomer(platform, senderId)
    return send()
  }

  function remember(pair: string, before: Before): void {
    const until = newUntil(before)
    talking.set(pair, before.matched || until <= platform.clock.now().getTime() ? 0 : until)
  }

  /** In a box, since only those who were not answered have to wait until the message before theirs is kept. */
  async function passOne<T>(attempt: Attempt, send: () => Promise<T>): Promise<[Promise<T>]> {
    const { senderId, receiverId } = attempt
    const before = await lookups.push(senderId, attempt)
    if (before.kept) return [send()]
    const takeBack = await countMessage(platform, attempt, before)
    const alike = before.answered ? undefined : await noteAlike(platform, attempt, before.name ?? '')
    if (alike) await restrict(senderId, alike)
    const sent = send()
    if (before.answered) remember(senderId + receiverId, before)
    else await sent.catch(takeBack)
    return [sent]
  }

  async function passInOrder<T>(attempt: Attempt, send: () => Promise<T>): Promise<T> {
    const { senderId } = attempt
    waiting.set(senderId, (waiting.get(senderId) ?? 0) + 1)
    try {
      const [sent] = await inOrder(senderId, () => passOne(attempt, send))
      return await sent
    } finally {
      const left = (waiting.get(senderId) ?? 1) - 1
      if (left === 0) waiting.delete(senderId)
      else waiting.set(senderId, left)
    }
  }

  return {
    pass(attempt, send) {
      const { senderId, receiverId } = attempt
      const until = talking.get(senderId + receiverId)
      if (until === undefined || waiting.has(senderId)) return passInOrder(attempt, send)
      return until === 0 ? send() : sendCounted(senderId, until, send)
    },
  }
}
