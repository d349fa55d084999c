import type { Refusal } from '@duet/contract/errors.ts'
import type { Message } from '../messages.ts'
import type { Timers } from '../timers.ts'
import type { Unsent } from './unsent.ts'

/** The pause in milliseconds after a missing response, or one that doesn't specify a wait. */
const pause = 1_000
/**
 * A rate limit of up to this many milliseconds pauses all sending; a longer one pauses only messages to that person.
 */
const burst = 2_000
/** If the wait is longer than this many milliseconds, the message counts as failed. */
const longestWait = 60_000
/** These server errors are retried until they stop. */
const faults = new Set(['retry', 'unavailable', 'internal'])
const longestRest = 15_000
/** After this many server errors in a row, the author sees a warning and may give up on the message. */
const triesInSilence = 4

interface PaceParts {
  unsent: Unsent
  timers: Timers
  wake(): void
}

export function createPace({ unsent, timers, wake }: PaceParts) {
  const resting = new Set<string>()
  // In terms of `performance.now()`, because the system clock may be set back.
  let waitUntil = 0

  function waitFor(delay: number): void {
    waitUntil = performance.now() + delay
  }

  // Pauses messages to this person, so that none overtakes the refused one. Messages to others continue.
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
    /** Zero or negative if there is no pause. */
    wait: () => waitUntil - performance.now(),
    isResting: (personId: string) => resting.has(personId),
    refused,
    unanswered: () => waitFor(pause),
    stop: () => resting.clear(),
  }
}

export type Pace = ReturnType<typeof createPace>
