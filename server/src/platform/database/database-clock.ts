import type pg from 'pg'
import { type Clock, minutes, seconds } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { untilAnswers } from './until-answers.ts'

export interface FollowingClock extends Clock {
  stop(): void
}

const everyMs = minutes(1)
const worthTelling = seconds(1)

const askTime = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now'

/**
 * Follows the database's clock, which all nodes share, by adding a measured offset to this machine's clock. The offset
 * is measured at the start and once a minute, so reading the clock costs no query. Waits for a database that isn't
 * ready.
 */
export async function followDatabase(
  pool: Pick<pg.Pool, 'query'>,
  log: Pick<Logger, 'warn' | 'debug'>,
): Promise<FollowingClock> {
  let offMs = 0

  /**
   * The database read its clock between our two readings, so any offset in that range is possible. Change the offset
   * only when it falls outside the range; then network jitter doesn't move it.
   */
  async function look(): Promise<void> {
    const before = Date.now()
    const { rows } = await pool.query<{ now: number }>(askTime)
    const now = rows[0]?.now ?? before
    const next = Math.round(Math.min(Math.max(offMs, now - Date.now() - 1), now - before))
    if (Math.abs(next - offMs) > worthTelling)
      log.warn({ offMs: next }, 'the clock of this machine differs from that of the database, which is used instead')
    offMs = next
  }

  // The first measurement includes opening a connection; the second is more exact.
  for (let looks = 0; looks < 2; looks++) await untilAnswers(log, look)
  const stop = lookAgain(() => look().catch((err) => log.debug({ err }, 'the time of the database could not be read')))
  return { now: () => new Date(Date.now() + offMs), stop }
}

/** Waits a minute after each measurement ends, so that measurements of a hanging database don't overlap. */
function lookAgain(look: () => Promise<void>): () => void {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const plan = () => {
    // biome-ignore lint/plugin/void: `look` catches its own failures.
    if (!isOver) timer = setTimeout(() => void look().finally(plan), everyMs).unref()
  }
  plan()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
