import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hours, minutes } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { fileStorage } from '../storage/file-storage.ts'
import { s3Storage } from '../storage/s3-storage.ts'

export async function tryBackupPlace(to: string): Promise<void> {
  if (to.startsWith('s3:')) return s3Storage(to).verify()
  // Don't create the folder: if the backup disk isn't mounted, it would be created on the disk below.
  await access(to)
  await fileStorage(to).verify()
}

const patience = minutes(1)
const every = { written: hours(1), failed: minutes(5) }

/**
 * Returns whether the last attempt to write to the backup place succeeded. Logs an error when writing starts to fail.
 */
export function watchBackupPlace(to: string, log: Pick<Logger, 'error'>): () => Promise<boolean> {
  let isWritable = true
  let next = Number.NEGATIVE_INFINITY
  let trying: Promise<void> | undefined
  const tryIt = to.startsWith('s3:') ? () => tryBackupPlace(to) : oneAtATime(() => tryBackupPlace(to))
  const attempt = async () => {
    const late = sleep(patience, undefined, { ref: false }).then(() => {
      throw new Error('it does not answer')
    })
    const fault = await Promise.race([tryIt(), late]).then(
      () => undefined,
      (error: Error) => error,
    )
    if (fault && isWritable)
      log.error({ err: fault }, `BACKUP_TO cannot be written, so no backup is made: ${fault.message}`)
    isWritable = !fault
    next = performance.now() + (fault ? every.failed : every.written)
    trying = undefined
  }
  return async () => {
    if (performance.now() >= next) trying ??= attempt()
    if (trying) await Promise.race([trying, sleep(3_000, undefined, { ref: false })])
    return isWritable
  }
}
