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
 * Does `work` for all of `all` in parts of `size`, each as one. Where a part fails, its members are done alone, so that one
 * of them holds up no other: what fails for it is logged as `message`.
 */
export async function eachPart<T>(
  platform: { log: Pick<Logger, 'error'> },
  all: readonly T[],
  { size, message }: { size: number; message: string },
  work: (part: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < all.length; start += size) {
    const part = all.slice(start, start + size)
    await work(part).catch(() => eachOne(platform, part, message, (one) => work([one])))
  }
}

const mostInARow = 3

/**
 * Guards work that waits for something outside, such as a mail server that hangs for each of many people: after three
 * failures in a row that `isAway` recognizes, it does no more, and what is left waits for the next run.
 */
export function untilAway(isAway: (error: unknown) => boolean = () => true) {
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
