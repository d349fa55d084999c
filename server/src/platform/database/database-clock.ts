import type pg from 'pg'
import { type Clock, minutes, seconds } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { untilAnswers } from './until-answers.ts'

export interface FollowingClock extends Clock {
  stop(): void
}

const everyMs = minutes(1)
/** Further off than this, the operator is warned. */
const worthTelling = seconds(1)

const askTime = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now'

/**
 * The time of the database, which all nodes share: this machine's, moved by how far it is off. Looked at now and once a
 * minute, so that telling the time costs nothing. Waits for a database that does not answer yet.
 */
export async function followDatabase(
  pool: Pick<pg.Pool, 'query'>,
  log: Pick<Logger, 'warn' | 'debug'>,
): Promise<FollowingClock> {
  let offMs = 0

  /** The answer was made between two looks at our own clock: only what cannot be is corrected, and no jitter followed. */
  async function look(): Promise<void> {
    const before = Date.now()
    const { rows } = await pool.query<{ now: number }>(askTime)
    const now = rows[0]?.now ?? before
    const next = Math.round(Math.min(Math.max(offMs, now - Date.now() - 1), now - before))
    if (Math.abs(next - offMs) > worthTelling)
      log.warn({ offMs: next }, 'the clock of this machine is not that of the database, which is followed')
    offMs = next
  }

  // The first answer waits for a connection: the second says more.
  for (let looks = 0; looks < 2; looks++) await untilAnswers(log, look)
  const stop = lookAgain(() => look().catch((err) => log.debug({ err }, 'the time of the database is not known anew')))
  return { now: () => new Date(Date.now() + offMs), stop }
}

/** A minute after each look the next: a database that stands still is not asked again meanwhile. */
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
