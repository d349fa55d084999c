import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { days } from '../../platform/clock.ts'
import type { Manifest } from '../../platform/database/backup.ts'
import type { BackupPlace } from '../../platform/database/backup-place.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts'
import { openBackup } from '../../platform/database/restore.ts'
import { findDrill, noteDrill } from '../../platform/database/restore-drills.ts'
import { createLogger } from '../../platform/logger.ts'
import type { Platform } from '../../platform/platform.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { ledgerFile } from './ledger.ts'
import { restoreInto } from './restoring.ts'

/** The live database has the memory and the disk: this one serves one connection, and may be lost. */
const small = { shared_buffers: '32MB', max_connections: '20', max_wal_size: '256MB', autovacuum: 'off' }

interface Drilling {
  file: string
  passphrase: string | undefined
  ledgers: readonly string[]
  /** An empty folder, which is the caller's to remove. */
  folder: string
}

/**
 * Restores a backup with a database of its own in `folder`, replaying the ledgers. Nothing of Duet is touched: the live
 * database, the store and the mail server are not even known. Files are checked and not written. Throws why it failed.
 */
export async function drill(
  config: Config,
  { file, passphrase, ledgers, folder }: Drilling,
): Promise<{ manifest: Manifest; again: number }> {
  const log = createLogger('silent')
  const apart = {
    ...{ ...config, dataDir: folder, redisUrl: undefined, storageUrl: undefined, mailUrl: undefined },
    ...{ databaseUrl: undefined, databaseDirectUrl: undefined, backup: undefined },
  }
  const backup = await openBackup(file, { passphrase, workFolder: folder })
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log, durable: false, settings: small })
    try {
      const storage = { ...openStorage(apart, log), put: async () => undefined }
      const again = await restoreInto({ config: apart, owner: postgres.connection, storage }, backup, ledgers)
      return { manifest: backup.manifest, again }
    } finally {
      await postgres.stop()
    }
  } finally {
    await backup.close()
  }
}

const sizeOfDatabase = 'select pg_database_size(current_database()) as bytes'
/** What an empty database and its log of changes take. */
const ownBytes = 512 * 2 ** 20
const inGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** Throws unless the opened backup and another database of the same size fit: a full disk would stop the live one. */
async function requireRoom(locks: Pick<pg.Pool, 'query'>, folder: string, file: string): Promise<void> {
  const { rows } = await locks.query<{ bytes: number }>(sizeOfDatabase)
  const needed = Number(rows[0]?.bytes) + (await stat(file)).size + ownBytes
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed)
    throw new Error(`DATA_DIR has ${inGigabytes(bavail * bsize)} free, and it takes ${inGigabytes(needed)}`)
}

/** Once a week, with backups that take their time. */
const dueAfter = days(6.5)

type Nightly = Pick<Platform, 'config' | 'clock' | 'log'> & { locks: pg.Pool }

/** Fetches a backup from its place and restores it beside everything. Gives why that failed, or null. */
async function tryToRestore({ config, locks }: Nightly, place: BackupPlace, name: string): Promise<string | null> {
  const folder = join(config.dataDir, 'work', 'drill')
  const file = join(folder, name)
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await place.fetch(name, file)
    await requireRoom(locks, folder, file)
    await drill(config, {
      ...{ file, folder, ledgers: [ledgerFile(config.dataDir)], passphrase: config.backup?.passphrase },
    })
    return null
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return (message || code || 'it failed without a reason').split('\n')[0] ?? ''
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Tries once a week, and after a failure every night, whether the backup that was just made can be restored, and notes how
 * that went for doctor and alerts.
 */
export async function drillWeekly(nightly: Nightly, place: BackupPlace, name: string): Promise<void> {
  const { clock, log, locks } = nightly
  const triedAt = clock.now()
  const last = await findDrill(locks)
  if (last?.fault === null && triedAt.getTime() - last.triedAt.getTime() < dueAfter) return
  await noteDrill(locks, { backup: name, triedAt, fault: 'it did not end' })
  const fault = await tryToRestore(nightly, place, name)
  await noteDrill(locks, { backup: name, triedAt, fault })
  if (fault === null) log.info({ name }, 'the backup can be restored')
  else log.error({ name, fault }, 'the backup cannot be restored')
}
