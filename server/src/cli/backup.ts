import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { joinDatabase } from '../database-source.ts'
import { backUp } from '../platform/database/backup.ts'
import { createLogger } from '../platform/logger.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { reasonsOfCommand } from '../start-faults.ts'

/** `backup [FILE]`: writes everything to one file while Duet runs, encrypted if BACKUP_PASSPHRASE is set. */
async function backup(wanted: string | undefined): Promise<string[]> {
  const config = readConfig(process.env)
  const now = new Date()
  const path = resolve(
    wanted ?? join(config.dataDir, `duet-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.backup`),
  )
  const log = createLogger('warn')
  const database = await joinDatabase(config, log)
  try {
    const passphrase = process.env.BACKUP_PASSPHRASE || undefined
    const { tables, files } = await backUp(path, {
      owner: database.owner,
      storage: openStorage(config, log),
      log,
      now,
      passphrase,
    })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const { size } = await stat(path)
    return [
      `${path}: ${rows} rows of ${tables.length} tables and ${files.length} files in ${Math.ceil(size / 1024)} KiB.`,
      passphrase
        ? 'It is encrypted: without the passphrase it cannot be restored.'
        : 'It is not encrypted: set BACKUP_PASSPHRASE to encrypt it.',
    ]
  } finally {
    await database.stop()
  }
}

const [wanted, ...more] = process.argv.slice(2)
if (more.length > 0 || wanted?.startsWith('-')) {
  console.error('usage: npm run backup -- [FILE]')
  process.exit(2)
}
try {
  for (const line of await backup(wanted)) console.log(line)
  process.exit(0)
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
