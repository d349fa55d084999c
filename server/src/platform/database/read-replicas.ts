import type pg from 'pg'
import { seconds } from '../clock.ts'
import type { Logger } from '../logger.ts'

/** Answers statements that only read. It may lag behind the primary: check there what it finds before anyone sees it. */
export type Reads = Pick<pg.Pool, 'query'>

/** How long the primary answers alone after a replica failed. */
const restMs = seconds(10)

/** PostgreSQL's code for a statement that took too long: it would on the primary as well. */
const tooLong = '57014'

/**
 * Asks the replicas, and the primary while they fail. After each rest a single statement tries a replica, so a replica
 * that hangs holds up one request and not all of them.
 */
export function readsFrom(
  replicas: pg.Pool | undefined,
  primary: pg.Pool,
  log: Pick<Logger, 'warn' | 'info'>,
  now: () => number = () => performance.now(),
): Reads {
  if (!replicas) return primary
  let restsUntil = 0
  async function query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (now() < restsUntil) return primary.query(statement)
    const isRetry = restsUntil > 0
    if (isRetry) restsUntil = now() + restMs
    try {
      const result = await replicas!.query(statement)
      if (isRetry) log.info({}, 'a read replica answers again')
      if (isRetry) restsUntil = 0
      return result
    } catch (err) {
      if ((err as { code?: string }).code === tooLong) throw err
      restsUntil = now() + restMs
      log.warn({ err }, 'a read replica failed; the primary answers its queries for ten seconds')
      return primary.query(statement)
    }
  }
  return { query } as Reads
}
