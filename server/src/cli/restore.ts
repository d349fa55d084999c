import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { joinAsItIs } from '../database-source.ts'
import { ledgerFile, readLedger, replayLedger } from '../features/data-rights/data-rights.ts'
import { systemClock } from '../platform/clock.ts'
import { CannotStart } from '../platform/data-dir.ts'
import { connectOwner, migrate } from '../platform/database.ts'
import { createLogger } from '../platform/logger.ts'
import { openMailer } from '../platform/mailer.ts'
import { openStorage } from '../platform/open-storage.ts'
import { openBackup, restoreBackup } from '../platform/restore.ts'
import { reasonsOfCommand } from '../start-faults.ts'

const usage = 'usage: npm run restore -- FILE [--ledger FILE]'

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { ledger: { type: 'string' } }, allowPositionals: true })
    const [file, ...more] = positionals
    return file && more.length === 0
      ? { file: resolve(file), ledger: values.ledger && resolve(values.ledger) }
      : undefined
  } catch {
    return undefined
  }
}

/** Erases again whoever was erased since the backup, by every ledger there is. */
async function replay(config: Config, owner: Parameters<typeof connectOwner>[0], ledgers: readonly string[]) {
  const { db } = connectOwner(owner, () => undefined)
  const log = createLogger('warn')
  const mailer = openMailer(config)
  try {
    const erasing = { config, db, log, mailer, clock: systemClock, storage: openStorage(config) }
    return await replayLedger(erasing, ledgers)
  } finally {
    mailer.close()
    await db.destroy()
  }
}

/** `restore FILE`: puts a backup into an empty database and its store. */
async function restore({ file, ledger }: { file: string; ledger: string | undefined }): Promise<string> {
  const config = readConfig(process.env)
  for (const path of ledger ? [file, ledger] : [file]) {
    if (!existsSync(path)) throw new CannotStart(`There is no file ${path}.`)
  }
  const ledgers = [ledgerFile(config.dataDir), ...(ledger ? [ledger] : [])]
  // Found out afterwards, people who were erased would be back, and nobody could restore here again.
  for (const path of ledgers) await readLedger(path)
  const passphrase = process.env.BACKUP_PASSPHRASE || undefined
  const backup = await openBackup(file, { passphrase, workFolder: join(config.dataDir, 'work') })
  const database = await joinAsItIs(config, createLogger('warn')).catch(async (error: unknown) => {
    await backup.close()
    throw error
  })
  try {
    await restoreBackup(database.owner, openStorage(config), backup)
    await migrate(database.owner)
    const again = await replay(config, database.owner, ledgers)
    const { madeAt, tables, files } = backup.manifest
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return `Restored from ${madeAt}: ${rows} rows, ${files.length} files; ${again} erased again.`
  } finally {
    await backup.close()
    await database.stop()
  }
}

const wanted = readArguments()
if (!wanted) {
  console.error(usage)
  process.exit(2)
}
try {
  console.log(await restore(wanted))
  process.exit(0)
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
