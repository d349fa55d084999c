import { LRUCache } from 'lru-cache'
import { minutes } from '../../platform/clock.ts'
import { createLanes } from '../../platform/database/lanes.ts'
import { createInOrder } from '../../platform/in-order.ts'
import type { Platform } from '../../platform/platform.ts'
import { refundedOnFailure } from '../../platform/security/rate-limit.ts'
import { upTo } from '../../platform/up-to.ts'
import type { Gate } from '../conversations/hooks.ts'
import { noteAlike } from './alike.ts'
import { spendNewcomerLimits } from './newcomers.ts'
import type { Shadow } from './shadow.ts'
import { type Attempt, type Before, findBefore } from './spam.queries.ts'

type Looking = Pick<Platform, 'db' | 'limits' | 'clock' | 'config'>

/**
 * Pairs who have both written are cached, and their messages pass with one lookup. All other messages of a sender are
 * checked one at a time. While receivers haven't answered, each check waits until the previous message is stored. A
 * person who writes nearly the same to many people who don't answer is restricted before the message is stored.
 */
export function createGate(platform: Looking, restrict: Shadow['restrict']): Gate {
  // Pairs of people who have both written.
  const talking = new LRUCache<string, true>({ ...upTo(50_000), ttl: minutes(10) })
  const waiting = new Map<string, number>()
  const inOrder = createInOrder()
  const lookups = createLanes<Attempt, Before>({
    flush: (attempts) => findBefore(platform.db, attempts, platform.clock.now()),
  })

  /**
   * Returns the promise in an array, so that the caller can await the check without awaiting the sent message. The
   * check itself awaits it only if the receiver hasn't answered.
   */
  async function passOne<T>(attempt: Attempt, send: () => Promise<T>): Promise<[Promise<T>]> {
    const { senderId, receiverId } = attempt
    const before = await lookups.push(senderId, attempt)
    if (before.kept) return [send()]
    return refundedOnFailure(platform.limits, async (limits) => {
      await spendNewcomerLimits({ ...platform, limits }, attempt, before)
      const alike = before.answered ? undefined : await noteAlike(platform, attempt, before.name ?? '')
      if (alike) await restrict(senderId, alike)
      const sent = send()
      if (before.answered) talking.set(senderId + receiverId, true)
      else await sent
      return [sent] as [Promise<T>]
    })
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
      const isKnown = talking.has(senderId + receiverId) && !waiting.has(senderId)
      return isKnown ? send() : passInOrder(attempt, send)
    },
  }
}
