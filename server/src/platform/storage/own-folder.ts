import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { minutes } from '../clock.ts'

/** Cleanup jobs delete folders that weren't modified for hours, so touch the folder this often. */
const touchedMs = minutes(10)

/**
 * Runs `act` with a new folder whose path starts with `prefix`. The folder is removed afterwards and on process exit,
 * because it may contain decrypted data.
 */
export async function inOwnFolder<R>(prefix: string, act: (folder: string) => Promise<R>): Promise<R> {
  await mkdir(dirname(prefix), { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(prefix)
  // A database in the folder may still have backends that write.
  const removal = { recursive: true, force: true, maxRetries: 10 }
  const removeNow = () => rmSync(folder, removal)
  process.once('exit', removeNow)
  const touching = setInterval(() => {
    const now = new Date()
    utimes(folder, now, now).catch(() => undefined)
  }, touchedMs)
  try {
    return await act(folder)
  } finally {
    clearInterval(touching)
    await rm(folder, removal)
    process.off('exit', removeNow)
  }
}
