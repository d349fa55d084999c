import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const lock = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine'
const unlock = 'select pg_advisory_unlock(hashtextextended($1, 0))'
const againMs = 200

/**
 * Runs `work` while holding the lock, or returns undefined if another process holds it. The lock is released if the
 * process dies.
 */
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
 * Runs `work` once the lock is free. Polls instead of blocking, so waiting occupies no connection. Throws when `signal`
 * aborts the wait.
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
