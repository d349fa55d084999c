import type { Refusal } from '@duet/contract/errors.ts'
import type { Message } from '../messages.ts'
import type { Timers } from '../timers.ts'
import type { Unsent } from './unsent.ts'

/** How long to wait after an answer that never came, or one that says to wait but not how long. */
const pause = 1_000
/** A shorter wait is for the whole connection: it was too fast. */
const burst = 2_000
/** A longer one is more than anyone waits for without a word: the message counts as refused until then. */
const longestWait = 60_000
/** Faults of the server: the same message again, however long they last. */
const faults = new Set(['retry', 'unavailable', 'internal'])
const longestRest = 15_000
/** From this many faults on, its writer sees that something is wrong, and may give the message up. */
const triesInSilence = 4

interface PaceParts {
  unsent: Unsent
  timers: Timers
  /** Someone may be written to again. */
  wake(): void
}

/** When messages may go out again, by what came of those before: to anyone, and to each person. */
export function createPace({ unsent, timers, wake }: PaceParts) {
  const resting = new Set<string>()
  // By a clock that is never set back, as that of a device may be: in milliseconds.
  let waitUntil = 0

  function waitFor(delay: number): void {
    waitUntil = performance.now() + delay
  }

  // Messages to others go on; nothing overtakes this one on the way to the same person.
  function rest({ receiverId }: Message, delay: number): void {
    resting.add(receiverId)
    timers.later(() => {
      resting.delete(receiverId)
      wake()
    }, delay)
  }

  /** The server refused a message: it goes out again later, or its writer sees that it failed. */
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
    /** How many milliseconds nothing goes out; not above 0 when there is nothing to wait for. */
    wait: () => waitUntil - performance.now(),
    isResting: (personId: string) => resting.has(personId),
    refused,
    /** No answer came. */
    unanswered: () => waitFor(pause),
    stop: () => resting.clear(),
  }
}

export type Pace = ReturnType<typeof createPace>
