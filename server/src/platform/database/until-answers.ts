import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import { passingFault } from './database-faults.ts'

/** How long a start waits for the database, in ms. */
export interface Patience {
  /** Nothing listens where it should be: the address may as well be wrong. */
  nobody: number
  /** It recovers, has no connection free, or is cut off. */
  busy: number
  /** Between two tries. */
  again: number
}

const usual: Patience = { nobody: 15_000, busy: 120_000, again: 500 }

const nobodyCodes = /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN)$/
/** How long to go on trying after such an error; 0 for one that does not pass by itself. */
function patienceWith(error: unknown, { nobody, busy }: Patience): number {
  if (nobodyCodes.test((error as { code?: string }).code ?? '')) return nobody
  return passingFault(error) ? busy : 0
}

/**
 * Does something that needs the database, again and again while it cannot be reached, recovers or has no connection
 * free: a process that ended instead would only be started into the same. Throws what does not pass, and what has not
 * passed in time. `act` is repeated whole.
 */
export async function untilAnswers<T>(
  log: Pick<Logger, 'warn'>,
  act: () => Promise<T>,
  patience: Patience = usual,
): Promise<T> {
  // Since it failed first: what was well under way for long when the database went is not given up for that.
  let since: number | undefined
  let told = ''
  for (;;) {
    try {
      return await act()
    } catch (error) {
      since ??= performance.now()
      const left = patienceWith(error, patience) - (performance.now() - since)
      if (left <= 0) throw error
      const reason = (error as Error).message || String((error as { code?: string }).code)
      if (reason !== told)
        log.warn(`the database is not ready (${reason}): trying again for ${Math.ceil(left / 1000)} s`)
      told = reason
    }
    await sleep(patience.again)
  }
}
