import type pg from 'pg'
import type { Config } from './config.ts'
import { migrate } from './platform/database/database.ts'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { requireOurSchema } from './platform/database/schema-version.ts'
import { untilAnswers } from './platform/database/until-answers.ts'
import type { Logger } from './platform/logger.ts'

export interface DatabaseSource {
  /** How to connect as the owner, past a pooler. The schema is the newest. */
  owner: pg.ClientConfig
  /** How to connect as the application's own login, where it has one. */
  login?: pg.ClientConfig
  stop(): Promise<void>
}

type Settings = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>
type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** The database as it is, not migrated: for what must not change it before it has looked at it. */
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

/** Makes sure of the schema of a database that was opened; one that will not do is let go. */
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

/** The database of DATABASE_URL, or the embedded one, started; migrated in both cases. */
export async function openDatabase(config: Settings, log: Log): Promise<DatabaseSource> {
  if (config.databaseUrl) return settle(await joinAsItIs(config, log), log, migrate)
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  return settle({ owner: connection, stop }, log, migrate)
}

/**
 * The same for a command beside a running server: the embedded database that runs already is used, and only a new
 * database gets its schema. Throws `CannotStart` when the schema is another Duet's.
 */
export async function joinDatabase(config: Settings, log: Log): Promise<DatabaseSource> {
  return settle(await joinAsItIs(config, log), log, async (owner) => {
    if ((await requireOurSchema(owner)).isNew) await migrate(owner)
  })
}
