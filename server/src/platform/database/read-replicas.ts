import type pg from 'pg'
import { seconds } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { isOutage } from './database-faults.ts'

/**
 * For statements that only read. A replica may lag behind, so check the results on the primary before showing them to
 * anyone.
 */
export type Reads = Pick<pg.Pool, 'query'>

/** After a replica fails, all reads go to the primary for this long. */
const restMs = seconds(10)

/** PostgreSQL's code for a statement timeout; the same statement would also time out on the primary. */
const tooLong = '57014'

/** Waiting for a free connection took too long: the replica is busy, not lost. */
const isBusy = (pool: pg.Pool, err: unknown) =>
  pool.totalCount >= pool.options.max && /when trying to connect/.test((err as Error).message)

/**
 * Reads from the replicas, or from the primary while they fail. After each pause a single statement tries a replica, so
 * a hanging replica delays only one request.
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
      const isLost = isOutage(err) && !isBusy(replicas!, err)
      restsUntil = isLost ? now() + restMs : isRetry ? 0 : restsUntil
      if ((err as { code?: string }).code === tooLong) throw err
      if (isLost) log.warn({ err }, 'a read replica failed; the primary answers its queries for ten seconds')
      return primary.query(statement)
    }
  }
  return { query } as Reads
}
