import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promised } from '@duet/contract/promised.ts'
import type pg from 'pg'
import { days } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Storage } from '../storage/storage.ts'
import { backUp } from './backup.ts'
import { type BackupPlace, backupName, madeAt, removeLeft } from './backup-place.ts'

/** Keeps the newest backup of each of the last seven days and of each week, so no backup is older than 35 days. */
const kept = { days: 7, weeks: promised.backupDays / 7 }

export function outdated(names: readonly string[], now: Date): string[] {
  const periods = new Set<string>()
  return [...names]
    .sort()
    .reverse()
    .filter((name, place) => {
      const at = (madeAt(name) as Date).getTime()
      const age = (now.getTime() - at) / days(1)
      const of = [
        ...(age < kept.days ? [`day ${Math.floor(at / days(1))}`] : []),
        ...(age < 7 * kept.weeks ? [`week ${Math.floor(at / days(7))}`] : []),
      ]
      const isFirst = of.some((period) => !periods.has(period))
      for (const period of of) periods.add(period)
      return place > 0 && !isFirst
    })
}

interface Scheduled {
  owner: pg.ClientConfig
  storage: Pick<Storage, 'list' | 'open'>
  place: BackupPlace
  /** Where the backup is built before it is copied. The disk needs room for a whole backup. */
  workFolder: string
  passphrase: string
  log: Pick<Logger, 'warn'>
  now: Date
}

export async function backUpToPlace({ place, workFolder, now, ...backup }: Scheduled): Promise<string> {
  const name = backupName(now)
  const path = join(workFolder, name)
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  await removeLeft(workFolder, (left) => left.startsWith('duet-'))
  try {
    await backUp(path, { ...backup, now })
    await place.put(name, path)
  } finally {
    await rm(path, { force: true })
  }
  // Deletes old backups only after the new one is stored.
  for (const old of outdated(await place.list(), now)) await place.remove(old)
  return name
}
