import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { days } from '../../platform/clock.ts'
import type { Manifest } from '../../platform/database/backup.ts'
import type { BackupPlace } from '../../platform/database/backup-place.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded-postgres.ts'
import { openBackup } from '../../platform/database/restore.ts'
import { findDrill, noteDrill, unended } from '../../platform/database/restore-drills.ts'
import { createLogger } from '../../platform/logger.ts'
import type { Platform } from '../../platform/platform.ts'
import { leastFree, spaceOf } from '../../platform/storage/free-space.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { inOwnFolder } from '../../platform/storage/own-folder.ts'
import { ledgerFile } from './ledger.ts'
import { restoreInto } from './restoring.ts'

/** Leaves memory and disk to the live database. The drill's database has one client and may lose its data. */
const small = { shared_buffers: '32MB', max_connections: '20', max_wal_size: '256MB', autovacuum: 'off' }

interface Drilling {
  file: string
  passphrase: string | undefined
  ledgers: readonly string[]
  /** Must be empty. The caller removes it afterwards. */
  folder: string
}

interface Restored {
  manifest: Manifest
  again: number
}

/**
 * Restores a backup into a temporary database in `folder` and replays the ledgers. Has no access to the live database,
 * the file store or the mail server, so it can't change them. Checks files without writing them. Throws the reason for
 * a failure.
 */
export async function drill(config: Config, { file, passphrase, ledgers, folder }: Drilling): Promise<Restored> {
  const log = createLogger('silent')
  const apart = {
    ...config,
    dataDir: folder,
    redisUrl: undefined,
    storageUrl: undefined,
    mailUrl: undefined,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseReadUrl: undefined,
    backup: undefined,
  }
  const backup = await openBackup(file, { passphrase, workFolder: folder })
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log, durable: false, settings: small })
    try {
      const files = openStorage(apart, log)
      // Only checks that the file store would accept each key.
      const storage = { ...files, put: async (key: string) => void (await files.addressOf(key)) }
      const again = await restoreInto({ config: apart, owner: postgres.connection, storage }, backup, ledgers)
      return { manifest: backup.manifest, again }
    } finally {
      await postgres.stop()
    }
  } finally {
    await backup.close()
  }
}

export async function sizeOfDatabase(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes)
}

/** The disk space of an empty database with its write-ahead log. */
const ownBytes = 512 * 2 ** 20
const inGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** Throws unless this many bytes fit without using reserved disk space: a full disk would stop the live database. */
async function requireRoom(folder: string, bytes: number): Promise<void> {
  const space = await spaceOf(folder)
  if (space && space.free < bytes + leastFree(space))
    throw new Error(
      `DATA_DIR has ${inGigabytes(space.free)} free, and it takes ${inGigabytes(bytes)} beside ${inGigabytes(leastFree(space))} that have to stay free`,
    )
}

export interface Trial {
  place: Pick<BackupPlace, 'sizeOf' | 'fetch'>
  name: string
  passphrase: string | undefined
  ledgers: readonly string[]
  databaseBytes: number
}

export async function tryToRestore(config: Config, trial: Trial): Promise<Restored> {
  const { place, name, passphrase, ledgers, databaseBytes } = trial
  return inOwnFolder(join(config.dataDir, 'work', 'drill-'), async (folder) => {
    // Space for two copies of the backup, fetched and decrypted.
    await requireRoom(folder, 2 * (await place.sizeOf(name)) + databaseBytes + ownBytes)
    const file = join(folder, 'fetched')
    await place.fetch(name, file)
    return drill(config, { file, folder, passphrase, ledgers })
  })
}

export function faultOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return (message || code || 'it failed without a reason').split('\n')[0] ?? ''
}

/** Slightly less than a week, because backups take a while. */
const dueAfter = days(6.5)

type Nightly = Pick<Platform, 'config' | 'clock' | 'log'> & { locks: pg.Pool }

/**
 * Test-restores the latest backup once a week, and every night after a failure. Stores the result for `doctor` and for
 * alerts.
 */
export async function drillWeekly(nightly: Nightly, place: Trial['place'], name: string): Promise<void> {
  const { config, clock, log, locks } = nightly
  const triedAt = clock.now()
  const last = await findDrill(locks)
  if (last?.fault === null && triedAt.getTime() - last.triedAt.getTime() < dueAfter) return
  await noteDrill(locks, { backup: name, triedAt, fault: unended })
  const databaseBytes = await sizeOfDatabase(locks)
  const ledgers = [ledgerFile(config.dataDir)]
  const trial = { place, name, passphrase: config.backup?.passphrase, ledgers, databaseBytes }
  const fault = await tryToRestore(config, trial).then(() => null, faultOf)
  await noteDrill(locks, { backup: name, triedAt, fault })
  if (fault === null) log.info({ name }, 'the backup can be restored')
  else log.error({ name, fault }, 'the backup cannot be restored')
}
