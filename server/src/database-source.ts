import { statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from './config.ts'
import { migrate } from './platform/database/database.ts'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { requireOurSchema } from './platform/database/schema-version.ts'
import { untilAnswers } from './platform/database/until-answers.ts'
import type { Logger } from './platform/logger.ts'
import { CannotStart, claimant } from './platform/process/data-dir.ts'

export interface DatabaseSource {
  owner: pg.ClientConfig
  login?: pg.ClientConfig
  stop(): Promise<void>
}

type Settings = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>
type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Connects without migrating, for commands that check the schema before changing it. */
export async function joinAsItIs(config: Settings, log: Log): Promise<DatabaseSource> {
  const { databaseUrl, databaseDirectUrl } = config
  if (databaseUrl && databaseDirectUrl)
    return {
      owner: { connectionString: databaseDirectUrl },
      login: { connectionString: databaseUrl },
      stop: async () => {},
    }
  if (databaseUrl) return { owner: { connectionString: databaseUrl }, stop: async () => {} }
  const { connection, stop } = await joinEmbeddedPostgres({ dataDir: config.dataDir, log })
  return { owner: connection, stop }
}

const noDuet = ({ databaseUrl, dataDir }: Settings) =>
  new CannotStart(
    databaseUrl
      ? 'There is no Duet in the database of DATABASE_URL. Is it the right one? Duet fills an empty database when it starts.'
      : `There is no Duet in ${dataDir}. Is DATABASE_URL missing, or is DATA_DIR wrong?`,
  )

/** For commands. Never creates an embedded database; throws `CannotStart` if there is none. */
export async function joinExisting(config: Settings, log: Log): Promise<DatabaseSource> {
  const hasDatabase =
    config.databaseUrl ||
    statSync(join(config.dataDir, 'postgres'), { throwIfNoEntry: false }) ||
    claimant(config.dataDir)
  if (!hasDatabase) throw noDuet(config)
  return joinAsItIs(config, log)
}

async function settle(
  source: DatabaseSource,
  log: Log,
  ensure: (owner: pg.ClientConfig) => Promise<void>,
): Promise<DatabaseSource> {
  try {
    await untilAnswers(log, () => ensure(source.owner))
  } catch (error) {
    await source.stop()
    throw error
  }
  return source
}

export async function openDatabase(config: Settings, log: Log): Promise<DatabaseSource> {
  if (config.databaseUrl) return settle(await joinAsItIs(config, log), log, migrate)
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  return settle({ owner: connection, stop }, log, migrate)
}

/**
 * For commands that run beside a server: uses its embedded database. Throws `CannotStart` if the schema is for another
 * version or Duet isn't installed.
 */
export async function joinDatabase(config: Settings, log: Log): Promise<DatabaseSource> {
  return settle(await joinExisting(config, log), log, async (owner) => {
    if ((await requireOurSchema(owner)).isNew) throw noDuet(config)
  })
}

/** For `seed`, which may also fill a new database, so it creates one if there is none. */
export async function joinOrMakeDatabase(config: Settings, log: Log): Promise<DatabaseSource> {
  return settle(await joinAsItIs(config, log), log, async (owner) => {
    if ((await requireOurSchema(owner)).isNew) await migrate(owner)
  })
}
