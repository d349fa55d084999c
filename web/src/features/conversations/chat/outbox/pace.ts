import type { Refusal } from '@duet/contract/errors.ts'
import type { Message } from '../messages.ts'
import type { Timers } from '../timers.ts'
import type { Unsent } from './unsent.ts'

/** In milliseconds, after a missing answer or one that gives no length. */
const pause = 1_000
/** A rate limit of up to this many milliseconds applies to the whole connection. */
const burst = 2_000
/** In milliseconds. With a longer wait, the message counts as failed. */
const longestWait = 60_000
/** Server faults are retried for as long as they last. */
const faults = new Set(['retry', 'unavailable', 'internal'])
const longestRest = 15_000
/** After this many faults the author sees a problem and may give the message up. */
const triesInSilence = 4

interface PaceParts {
  unsent: Unsent
  timers: Timers
  wake(): void
}

export function createPace({ unsent, timers, wake }: PaceParts) {
  const resting = new Set<string>()
  // In milliseconds of `performance.now()`, because the device's clock may be set back.
  let waitUntil = 0

  function waitFor(delay: number): void {
    waitUntil = performance.now() + delay
  }

  // Messages to others continue; none overtakes this one to the same person.
  function rest({ receiverId }: Message, delay: number): void {
    resting.add(receiverId)
    timers.later(() => {
      resting.delete(receiverId)
      wake()
    }, delay)
  }

  function refused(message: Message, { code, retryAfterMs: wait = 0 }: Refusal): void {
    const isLimit = code === 'rate_limited'
    if (wait > longestWait) {
      const retryAt = new Date(Date.now() + wait).toISOString()
      unsent.keep({ ...message, delivery: 'failed', refusal: code, retryAt })
    } else if (isLimit && wait <= burst) waitFor(wait || pause)
    else if (isLimit) rest(message, wait)
    else if (faults.has(code)) tryLater(message, code, wait)
    else unsent.keep({ ...message, delivery: 'failed', refusal: code })
  }

  function tryLater(message: Message, code: string, wait: number): void {
    const tried = unsent.countFault(message)
    rest(message, Math.max(wait, Math.min(longestRest, pause * 2 ** (tried - 1))))
    if (tried === triesInSilence) unsent.keep({ ...message, refusal: code })
  }

  return {
    /** In milliseconds; zero or negative if there is nothing to wait for. */
    wait: () => waitUntil - performance.now(),
    isResting: (personId: string) => resting.has(personId),
    refused,
    unanswered: () => waitFor(pause),
    stop: () => resting.clear(),
  }
}

export type Pace = ReturnType<typeof createPace>
