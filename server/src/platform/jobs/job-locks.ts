import type pg from 'pg'
import { seconds } from '../clock.ts'
import type { Logger } from '../logger.ts'

const roundMs = seconds(15)
/** After this many rounds without renewal, the lock's worker is considered dead. */
const mostRounds = 5

const renew = 'update graphile_worker._private_jobs set locked_at = now() where locked_by = any($1)'
const findLocks = `
  select locked_by as worker, max(locked_at)::text as renewed from graphile_worker._private_jobs
  where locked_by is not null and locked_by <> all($1) group by locked_by`
const unlock = 'select graphile_worker.force_unlock_workers($1)'

interface Lock {
  worker: string
  renewed: string
}

/**
 * Releases the locks of dead workers, for which Graphile Worker itself waits four hours. Counts rounds instead of
 * comparing times, so that a wrong clock or a long outage doesn't make a live worker look dead.
 */
export function watchLocks(
  pool: pg.Pool,
  log: Pick<Logger, 'debug' | 'warn'>,
  living: ReadonlySet<string>,
  everyMs = roundMs,
): () => void {
  let seen = new Map<string, Lock & { rounds: number }>()

  async function round(): Promise<void> {
    const own = [...living]
    await pool.query(renew, [own])
    const { rows } = await pool.query<Lock>(findLocks, [own])
    const before = seen
    seen = new Map(
      rows.map((lock) => {
        const known = before.get(lock.worker)
        return [lock.worker, { ...lock, rounds: known?.renewed === lock.renewed ? known.rounds + 1 : 0 }]
      }),
    )
    const dead = [...seen.values()].filter(({ rounds }) => rounds >= mostRounds).map(({ worker }) => worker)
    if (dead.length === 0) return
    await pool.query(unlock, [dead])
    log.warn({ workers: dead.length }, 'the jobs of dead workers will run again')
  }

  let timer: NodeJS.Timeout
  let isOver = false
  const plan = () => {
    if (isOver) return
    timer = setTimeout(() => {
      void round()
        .catch((err) => {
          // Nobody could renew a lock during the outage, so start counting again.
          seen = new Map()
          log.debug({ err }, 'job locks could not be checked')
        })
        .finally(plan)
    }, everyMs).unref()
  }
  plan()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
