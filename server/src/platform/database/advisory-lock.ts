import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const lock = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine'
const unlock = 'select pg_advisory_unlock(hashtextextended($1, 0))'
const againMs = 200

/** Runs `work` unless another process runs under the same name: undefined then. A process that dies lets others in. */
export async function unlessLocked<T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
): Promise<{ result: T } | undefined> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>(lock, [name])
    if (!rows[0]?.mine) return undefined
    try {
      return { result: await work() }
    } finally {
      await client.query(unlock, [name]).catch(() => undefined)
    }
  } finally {
    client.release()
  }
}

/**
 * Runs `work` while no other process runs under the same name; waits for its turn without keeping a connection. A
 * process that dies gives its turn back. Throws when `signal` ends the waiting.
 */
export async function withLock<T>(
  pool: pg.Pool,
  name: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    const done = await unlessLocked(pool, name, work)
    if (done) return done.result
    await sleep(againMs, undefined, signal ? { signal } : {})
  }
}
