import type { Transaction } from 'kysely'
import type { DB } from './schema.ts'

/** The same platform inside a transaction, and what to do once it has committed. */
export type Tx<P extends { db: unknown }> = Omit<P, 'db'> & {
  db: Transaction<DB>
  /** Runs `task` after the commit on the platform as it is outside, and never when there is none. Its failure is logged. */
  afterCommit(task: (platform: P) => unknown): void
}

interface Transactional {
  db: { transaction(): { execute<T>(work: (trx: Transaction<DB>) => Promise<T>): Promise<T> } }
  log: { error(details: object, message: string): void }
}

/** Runs `work` in one transaction: all of it is kept, or none. What was put off with `afterCommit` runs afterwards. */
export async function transaction<P extends Transactional, T>(
  platform: P,
  work: (tx: Tx<P>) => Promise<T>,
): Promise<T> {
  const tasks: Array<(platform: P) => unknown> = []
  const result = await platform.db
    .transaction()
    .execute((db) => work({ ...platform, db, afterCommit: (task: (platform: P) => unknown) => tasks.push(task) }))
  for (const task of tasks) {
    try {
      await task(platform)
    } catch (error) {
      platform.log.error({ err: error }, 'a task after a commit failed')
    }
  }
  return result
}
