import { setTimeout as sleep } from 'node:timers/promises'
import { hours, minutes, seconds } from '../clock.ts'
import { type BackupPlace, newestBackup } from './backup-place.ts'

/** Listing a bucket costs money, so do it rarely; retry a failed listing sooner. */
const every = { found: hours(1), failed: minutes(1) }

interface Log {
  warn(details: object, message: string): void
}

/**
 * Returns the time of the newest backup known so far. An unreachable store doesn't delay the caller, and a hanging one
 * does for at most `patienceMs`.
 */
export function watchNewest(
  place: Pick<BackupPlace, 'list'>,
  log: Log,
  { patienceMs = seconds(3), givenUpMs = minutes(1) } = {},
): () => Promise<Date | undefined> {
  let known: Date | undefined
  let next = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  async function look(): Promise<void> {
    try {
      const late = sleep(givenUpMs, undefined, { ref: false }).then(() => {
        throw new Error('the store does not answer')
      })
      known = (await Promise.race([newestBackup(place), late]))?.madeAt
      next = performance.now() + every.found
    } catch (err) {
      log.warn({ err }, 'backups could not be listed')
      next = performance.now() + every.failed
    }
    looking = undefined
  }
  return async () => {
    if (performance.now() >= next) looking ??= look()
    if (looking) await Promise.race([looking, sleep(patienceMs, undefined, { ref: false })])
    return known
  }
}
