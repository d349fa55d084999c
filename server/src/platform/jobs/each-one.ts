import type { Logger } from '../logger.ts'

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
 * Runs `work` for all items in batches of `size`. If a batch fails, its items run one by one, so that a failing item
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

export async function eachStep(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const faults: unknown[] = []
  for (const step of steps) await step().catch((fault: unknown) => faults.push(fault))
  if (faults.length > 0) throw faults[0]
}

const mostInARow = 3

/**
 * Guards calls to an external service, such as a mail server that hangs for every recipient. After three failures in a
 * row that match `isAway`, it skips the remaining calls until the next run.
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
