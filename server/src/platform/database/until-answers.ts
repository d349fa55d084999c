import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import { passingFault } from './database-faults.ts'

/** How long a start waits for the database, in milliseconds. */
export interface Patience {
  /** How long to wait if nothing listens at the address, which may be wrong. */
  nobody: number
  /** How long to wait if the database is recovering, has no free connection or dropped ours. */
  busy: number
  again: number
}

const usual: Patience = { nobody: 15_000, busy: 120_000, again: 500 }

const nobodyCodes = /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN)$/
function patienceWith(error: unknown, { nobody, busy }: Patience): number {
  if (nobodyCodes.test((error as { code?: string }).code ?? '')) return nobody
  return passingFault(error) ? busy : 0
}

/**
 * Retries the whole of `act` while the database is unreachable, recovering or out of connections: if the process exited
 * instead, it would only restart into the same fault.
 */
export async function untilAnswers<T>(
  log: Pick<Logger, 'warn'>,
  act: () => Promise<T>,
  patience: Patience = usual,
): Promise<T> {
  // Measured from the first failure, so that a long `act` interrupted by the database still gets its retries.
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
