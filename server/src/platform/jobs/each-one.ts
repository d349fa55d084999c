import type { Logger } from '../logger.ts'

/**
 * Does `work` for each of `all`, one after the other. What fails for one of them is logged as `message` and does not hold
 * up the others. Gives how many failed.
 */
export async function eachOne<T>(
  { log }: { log: Pick<Logger, 'error'> },
  all: Iterable<T>,
  message: string,
  work: (one: T) => Promise<unknown>,
): Promise<number> {
  let failed = 0
  for (const one of all) {
    try {
      await work(one)
    } catch (err) {
      failed += 1
      log.error({ err }, message)
    }
  }
  return failed
}

/**
 * Runs `work` for all items in batches of `size`. If a batch fails, its items run one by one, so that one failing item
 * doesn't stop the others; each failure is logged as `message`. Returns the number of failures.
 */
export async function eachPart<T>(
  platform: { log: Pick<Logger, 'error'> },
  all: readonly T[],
  { size, message }: { size: number; message: string },
  work: (part: readonly T[]) => Promise<unknown>,
): Promise<number> {
  let failed = 0
  for (let start = 0; start < all.length; start += size) {
    const part = all.slice(start, start + size)
    try {
      await work(part)
    } catch {
      failed += await eachOne(platform, part, message, (one) => work([one]))
    }
  }
  return failed
}

/**
 * Runs the steps of a job one after the other. A failed step doesn't stop the others; the first failure fails the job at
 * the end.
 */
export async function eachStep(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const faults: unknown[] = []
  for (const step of steps) await step().catch((fault: unknown) => faults.push(fault))
  if (faults.length > 0) throw faults[0]
}

const mostInARow = 3

/**
 * Guards work that waits for something outside, such as a mail server that hangs for each of many people: after three
 * failures in a row that `isAway` recognizes, it does no more, and what is left waits for the next run.
 */
export function createAwayGuard(isAway: (error: unknown) => boolean = () => true) {
  let inARow = 0
  const isOver = () => inARow >= mostInARow
  return {
    isOver,
    async run(work: () => Promise<unknown>): Promise<void> {
      if (isOver()) return
      try {
        await work()
        inARow = 0
      } catch (error) {
        inARow = isAway(error) ? inARow + 1 : 0
        throw error
      }
    },
  }
}
