import { existsSync } from 'node:fs'
import { stat, symlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { type Config, readConfig } from '../config.ts'
import { joinAsItIs } from '../database-source.ts'
import { faultOf, sizeOfDatabase, type Trial, tryToRestore } from '../features/data-rights/drill.ts'
import { ledgerFile, readLedger } from '../features/data-rights/ledger.ts'
import { replayInto, restoreInto } from '../features/data-rights/restoring.ts'
import { findAdministrators } from '../features/moderation/rights.queries.ts'
import type { Manifest } from '../platform/database/backup.ts'
import { newestBackup, openBackupPlace } from '../platform/database/backup-place.ts'
import { connectOwner, migrate } from '../platform/database/database.ts'
import { openBackup, signEveryoneOut } from '../platform/database/restore.ts'
import { noteDrill } from '../platform/database/restore-drills.ts'
import { requireSchema } from '../platform/database/schema-version.ts'
import { createLogger } from '../platform/logger.ts'
import { CannotStart, claimant } from '../platform/process/data-dir.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { inOwnFolder } from '../platform/storage/own-folder.ts'
import { reasonsOfCommand } from '../start-faults.ts'

const usage = 'usage: npm run restore -- FILE [--ledger FILE], or --drill [FILE], or --point TIME [--ledger FILE]'

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        ledger: { type: 'string' },
        drill: { type: 'boolean', default: false },
        point: { type: 'string' },
      },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    const { drill, point } = values
    const ways = [point !== undefined, drill || file !== undefined].filter((isWanted) => isWanted)
    if (ways.length !== 1 || more.length > 0) return undefined
    return { file: file && resolve(file), ledger: values.ledger && resolve(values.ledger), drill, point }
  } catch {
    return undefined
  }
}

async function administratorsIn(owner: Parameters<typeof connectOwner>[0]): Promise<string[]> {
  const { db } = connectOwner(owner, () => undefined)
  try {
    return await findAdministrators(db)
  } finally {
    await db.destroy()
  }
}

const codesLine =
  'Recovery codes that a ledger lists as used stay used; the others work. Address changes can be undone for at least a day.'

const restoredLine = ({ madeAt, tables, files }: Manifest, again: number) =>
  `Restored from ${madeAt}: ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows, ${files.length} files; ${again} erased again.`

const administratorsLine = (administrators: readonly string[]) =>
  `Super administrators: ${administrators.join(', ') || 'none'}. If you have revoked anyone's rights since, revoke them again.`

interface Wanted {
  file: string
  ledgers: string[]
}

async function restore(config: Config, { file, ledgers }: Wanted): Promise<string[]> {
  // Check the ledgers first: if one turned out to be unreadable after the restore, erased people would be back, and a
  // second attempt would need another empty database.
  for (const path of ledgers) await readLedger(path)
  return inOwnFolder(join(config.dataDir, 'work', 'restore-'), (folder) => restoreIn(folder, config, { file, ledgers }))
}

async function restoreIn(workFolder: string, config: Config, { file, ledgers }: Wanted): Promise<string[]> {
  const passphrase = process.env.BACKUP_PASSPHRASE || undefined
  const backup = await openBackup(file, { passphrase, workFolder })
  const database = await joinAsItIs(config, createLogger('warn')).catch(async (error: unknown) => {
    await backup.close()
    throw error
  })
  try {
    const storage = openStorage(config, createLogger('warn'))
    const again = await restoreInto({ config, owner: database.owner, storage }, backup, ledgers)
    return [
      restoredLine(backup.manifest, again),
      'Everyone is signed out. Passwords, consents and blocks are as in the backup.',
      codesLine,
      administratorsLine(await administratorsIn(database.owner)),
    ]
  } finally {
    await backup.close()
    await database.stop()
  }
}

function momentOf(point: string): Date {
  const moment = new Date(point)
  if (!/[zZ]$|[+-]\d\d:?\d\d$/.test(point) || !(moment.getTime() <= Date.now()))
    throw new CannotStart('TIME must be in the past, with its zone: 2030-01-31T18:00:00Z.')
  return moment
}

/**
 * `restore --point TIME`: run it after restoring the database to a point in time with PostgreSQL's own tools. Signs
 * everyone out and replays later erasures and used recovery codes. Safe to repeat.
 */
async function resume(config: Config, at: Date, ledgers: readonly string[]): Promise<string[]> {
  for (const path of ledgers) await readLedger(path)
  const database = await joinAsItIs(config, createLogger('warn'))
  try {
    await requireSchema(database.owner)
    // Must happen before Duet starts, because erased people are back until the ledger is replayed.
    await migrate(database.owner)
    await signEveryoneOut(database.owner)
    const storage = openStorage(config, createLogger('warn'))
    const again = await replayInto({ config, owner: database.owner, storage }, ledgers, at)
    return [
      `Resumed from ${at.toISOString()}: ${again} erased again.`,
      'Everyone is signed out. Passwords, consents and blocks are as they were then.',
      codesLine,
      administratorsLine(await administratorsIn(database.owner)),
    ]
  } finally {
    await database.stop()
  }
}

async function inLive<R>(config: Config, act: (pool: pg.Pool) => Promise<R>): Promise<R | undefined> {
  if (!config.databaseUrl && !claimant(config.dataDir)) return undefined
  try {
    const source = await joinAsItIs(config, createLogger('silent'))
    const { db, pool } = connectOwner(source.owner, () => undefined)
    return await act(pool).finally(() => db.destroy().then(() => source.stop()))
  } catch {
    return undefined
  }
}

const placeOf = (file: string): Trial['place'] => ({
  sizeOf: async () => (await stat(file)).size,
  fetch: (_name, path) => symlink(file, path),
})

async function findNewest({ backup }: Config): Promise<Pick<Trial, 'place' | 'name'>> {
  if (!backup) throw new CannotStart('Name a FILE, or set BACKUP_TO.')
  const place = openBackupPlace(backup.to)
  const newest = await newestBackup(place)
  if (!newest) throw new CannotStart(`There is no backup in ${backup.to}.`)
  return { place, name: newest.name }
}

/**
 * `restore --drill [FILE]`: restores everything into a temporary folder. Without a file, it counts as the weekly drill.
 */
async function tryOut(config: Config, file: string | undefined, ledgers: string[]): Promise<string[]> {
  const triedAt = new Date()
  const began = performance.now()
  const backup = file ? { place: placeOf(file), name: basename(file) } : await findNewest(config)
  const note = async (fault: string | null) => {
    if (!file) await inLive(config, (pool) => noteDrill(pool, { backup: backup.name, triedAt, fault }))
  }
  const passphrase = process.env.BACKUP_PASSPHRASE || undefined
  const databaseBytes = (await inLive(config, sizeOfDatabase)) ?? 0
  const tried = tryToRestore(config, { ...backup, passphrase, ledgers, databaseBytes })
  await note(await tried.then(() => null, faultOf))
  const { manifest, again } = await tried
  const seconds = Math.round((performance.now() - began) / 1000)
  return [`The drill went well, in ${seconds} s: ${backup.name} can be restored.`, restoredLine(manifest, again)]
}

async function run({ file, ledger, drill: isDrill, point }: NonNullable<ReturnType<typeof readArguments>>) {
  const config = readConfig(process.env)
  for (const path of [file, ledger]) if (path && !existsSync(path)) throw new CannotStart(`There is no file ${path}.`)
  const ledgers = [ledgerFile(config.dataDir), ...(ledger ? [ledger] : [])]
  if (point !== undefined) return resume(config, momentOf(point), ledgers)
  return isDrill ? tryOut(config, file, ledgers) : restore(config, { file: file as string, ledgers })
}

const wanted = readArguments()
if (!wanted) {
  console.error(usage)
  process.exit(2)
}
// Exit regularly, which removes the decrypted files.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
try {
  for (const line of await run(wanted)) console.log(line)
  process.exit(0)
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
