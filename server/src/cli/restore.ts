import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { joinAsItIs } from '../database-source.ts'
import { ledgerFile, readLedger } from '../features/data-rights/ledger.ts'
import { replayLedger } from '../features/data-rights/replay.ts'
import { findAdministrators } from '../features/moderation/rights.queries.ts'
import { systemClock } from '../platform/clock.ts'
import { newestBackup, openBackupPlace } from '../platform/database/backup-place.ts'
import { connectOwner, migrate } from '../platform/database/database.ts'
import { openBackup, restoreBackup, signEveryoneOut } from '../platform/database/restore.ts'
import { requireSchema } from '../platform/database/schema-version.ts'
import { createLogger } from '../platform/logger.ts'
import { openMailer } from '../platform/mailer.ts'
import { CannotStart } from '../platform/process/data-dir.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
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

interface Replayed {
  again: number
  administrators: string[]
}

/** Does again what people decided about their accounts since the backup, by every ledger there is. */
async function replay(
  config: Config,
  owner: Parameters<typeof connectOwner>[0],
  ledgers: readonly string[],
  madeAt: Date,
): Promise<Replayed> {
  const { db } = connectOwner(owner, () => undefined)
  const log = createLogger('warn')
  const mailer = openMailer(config)
  try {
    const erasing = { config, db, log, mailer, clock: systemClock, storage: openStorage(config, log) }
    const again = await replayLedger(erasing, ledgers, madeAt)
    return { again, administrators: await findAdministrators(db) }
  } finally {
    mailer.close()
    await db.destroy()
  }
}

const codesLine =
  'Recovery codes that the ledgers name as used stay used; the others work. An address change can be undone for a day at least.'

const administratorsLine = (administrators: readonly string[]) =>
  `Super administrators: ${administrators.join(', ') || 'none'}. If the rights of one were revoked since, revoke them again.`

interface Wanted {
  file: string
  ledgers: string[]
}

/** `restore FILE`: puts a backup into an empty database and its store. */
async function restore(config: Config, { file, ledgers }: Wanted): Promise<string[]> {
  // Found out afterwards, people who were erased would be back, and no one could restore here again.
  for (const path of ledgers) await readLedger(path)
  const passphrase = process.env.BACKUP_PASSPHRASE || undefined
  const backup = await openBackup(file, { passphrase, workFolder: join(config.dataDir, 'work') })
  const database = await joinAsItIs(config, createLogger('warn')).catch(async (error: unknown) => {
    await backup.close()
    throw error
  })
  try {
    await restoreBackup(database.owner, openStorage(config, createLogger('warn')), backup)
    await migrate(database.owner)
    const { madeAt, tables, files } = backup.manifest
    const { again, administrators } = await replay(config, database.owner, ledgers, new Date(madeAt))
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return [
      `Restored from ${madeAt}: ${rows} rows, ${files.length} files; ${again} erased again.`,
      'Everyone is signed out. Passwords, consents and blocks are those of the backup.',
      codesLine,
      administratorsLine(administrators),
    ]
  } finally {
    await backup.close()
    await database.stop()
  }
}

/** The moment of `--point`. Throws `CannotStart` for what is none, and for one to come. */
function momentOf(point: string): Date {
  const moment = new Date(point)
  if (!/[zZ]$|[+-]\d\d:?\d\d$/.test(point) || !(moment.getTime() <= Date.now()))
    throw new CannotStart('TIME is a moment that is over, with its zone: 2030-01-31T18:00:00Z.')
  return moment
}

/**
 * `restore --point TIME`: what has to follow when the database was put back to a moment by its own tools. Everyone is
 * signed out, and what people decided about their accounts since is done again. Safe to repeat.
 */
async function resume(config: Config, at: Date, ledgers: readonly string[]): Promise<string[]> {
  for (const path of ledgers) await readLedger(path)
  const database = await joinAsItIs(config, createLogger('warn'))
  try {
    await requireSchema(database.owner)
    // Before Duet starts: until the ledger has been read, those who were erased are back.
    await migrate(database.owner)
    await signEveryoneOut(database.owner)
    const { again, administrators } = await replay(config, database.owner, ledgers, at)
    return [
      `Went on from ${at.toISOString()}: ${again} erased again.`,
      'Everyone is signed out. Passwords, consents and blocks are those of that moment.',
      codesLine,
      administratorsLine(administrators),
    ]
  } finally {
    await database.stop()
  }
}

/** The newest backup of the place where they go every night, in a file. */
async function fetchNewest({ backup }: Config, folder: string): Promise<string> {
  if (!backup) throw new CannotStart('Name a FILE, or set BACKUP_TO.')
  const place = openBackupPlace(backup.to)
  const newest = await newestBackup(place)
  if (!newest) throw new CannotStart(`There is no backup in ${backup.to}.`)
  const file = join(folder, newest.name)
  await place.fetch(newest.name, file)
  return file
}

/**
 * `restore --drill [FILE]`: does all of it in a folder of its own with a database of its own, which are removed afterwards.
 * Nothing of Duet is touched, and no mail leaves.
 */
async function drill(config: Config, file: string | undefined, ledgers: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-drill-'))
  const began = performance.now()
  try {
    const backup = file ?? (await fetchNewest(config, folder))
    const apart = { ...config, dataDir: folder, databaseUrl: undefined, storageUrl: undefined, mailUrl: undefined }
    const told = await restore(apart, { file: backup, ledgers })
    const seconds = Math.round((performance.now() - began) / 1000)
    return [`The drill went well, in ${seconds} s: ${basename(backup)} can be restored.`, told[0] ?? '']
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run({ file, ledger, drill: isDrill, point }: NonNullable<ReturnType<typeof readArguments>>) {
  const config = readConfig(process.env)
  for (const path of [file, ledger]) if (path && !existsSync(path)) throw new CannotStart(`There is no file ${path}.`)
  const ledgers = [ledgerFile(config.dataDir), ...(ledger ? [ledger] : [])]
  if (point !== undefined) return resume(config, momentOf(point), ledgers)
  return isDrill ? drill(config, file, ledgers) : restore(config, { file: file as string, ledgers })
}

const wanted = readArguments()
if (!wanted) {
  console.error(usage)
  process.exit(2)
}
try {
  for (const line of await run(wanted)) console.log(line)
  process.exit(0)
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
