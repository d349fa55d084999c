import type pg from 'pg'
import type { Config } from '../../config.ts'
import { systemClock } from '../../platform/clock.ts'
import { connectOwner, migrate } from '../../platform/database/database.ts'
import { type CheckedBackup, restoreBackup } from '../../platform/database/restore.ts'
import { createLogger } from '../../platform/logger.ts'
import { openMailer } from '../../platform/mailer.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { replayLedger } from './replay.ts'

/** Where to restore to. `config` contains the mail settings and the ledger of the new installation. */
export interface Target {
  config: Config
  owner: pg.ClientConfig
  storage: Storage
}

/** Replays all ledgers' decisions about accounts since `madeAt`. Returns how many people it erased again. */
export async function replayInto(
  { config, owner, storage }: Target,
  ledgers: readonly string[],
  madeAt: Date,
): Promise<number> {
  const { db } = connectOwner(owner, () => undefined)
  const mailer = openMailer(config)
  try {
    const erasing = { config, db, log: createLogger('warn'), mailer, clock: systemClock, storage }
    return await replayLedger(erasing, ledgers, madeAt)
  } finally {
    mailer.close()
    await db.destroy()
  }
}

/** Restores a verified backup into an empty database and file store, migrates the database, and replays the ledgers. */
export async function restoreInto(target: Target, backup: CheckedBackup, ledgers: readonly string[]): Promise<number> {
  await restoreBackup(target.owner, target.storage, backup)
  await migrate(target.owner)
  return replayInto(target, ledgers, new Date(backup.manifest.madeAt))
}
