import type { Transaction } from 'kysely'
import type { DB } from './database/schema.ts'
import { type RateLimits, refundedOnFailure } from './security/rate-limit.ts'

export type TxOf<P extends { db: unknown }> = Omit<P, 'db'> & {
  db: Transaction<DB>
  /**
   * Runs `task` after the commit, with a platform that is outside the transaction. Not run after a rollback; a failure
   * is logged.
   */
  afterCommit(task: (platform: P) => unknown): void
}

interface Transactional {
  db: { transaction(): { execute<T>(work: (trx: Transaction<DB>) => Promise<T>): Promise<T> } }
  log: { error(details: object, message: string): void }
  limits?: RateLimits
}

const mostTries = 3
const deadlocked = '40P01'

/**
 * After a deadlock, `work` is retried, as PostgreSQL's manual advises (13.3.4, Deadlocks): its changes were rolled
 * back, and the other transaction has continued. Counted uses of rate limits are refunded whenever the transaction
 * rolls back.
 */
export async function transaction<P extends Transactional, T>(
  platform: P,
  work: (tx: TxOf<P>) => Promise<T>,
): Promise<T> {
  const { result, tasks } = await attempt(platform, work)
  for (const task of tasks) {
    try {
      await task(platform)
    } catch (error) {
      platform.log.error({ err: error }, 'a task after a commit failed')
    }
  }
  return result
}

async function attempt<P extends Transactional, T>(platform: P, work: (tx: TxOf<P>) => Promise<T>) {
  for (let tries = 1; ; tries++) {
    const tasks: Array<(platform: P) => unknown> = []
    const afterCommit = (task: (platform: P) => unknown) => tasks.push(task)
    try {
      const run = (limits?: RateLimits) =>
        platform.db.transaction().execute((db) => work({ ...platform, ...(limits && { limits }), db, afterCommit }))
      const result = await (platform.limits ? refundedOnFailure(platform.limits, run) : run())
      return { result, tasks }
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== deadlocked || tries === mostTries) throw error
    }
  }
}
