import type pg from 'pg'
import type { Config } from './config.ts'
import { migrate } from './platform/database.ts'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import type { Logger } from './platform/logger.ts'
import { untilAnswers } from './platform/until-answers.ts'

export interface DatabaseSource {
  /** How to connect as the owner. The schema is the newest. */
  owner: pg.ClientConfig
  stop(): Promise<void>
}

type Settings = Pick<Config, 'databaseUrl' | 'dataDir'>
type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** The database as it is, not migrated: for what must not change it before it has looked at it. */
export async function joinAsItIs(config: Settings, log: Log): Promise<DatabaseSource> {
  if (config.databaseUrl) return { owner: { connectionString: config.databaseUrl }, stop: async () => {} }
  const { connection, stop } = await joinEmbeddedPostgres({ dataDir: config.dataDir, log })
  return { owner: connection, stop }
}

async function open(config: Settings, log: Log, start: typeof startEmbeddedPostgres): Promise<DatabaseSource> {
  if (config.databaseUrl) {
    const owner = { connectionString: config.databaseUrl }
    await untilAnswers(log, () => migrate(owner))
    return { owner, stop: async () => {} }
  }
  const { connection, stop } = await start({ dataDir: config.dataDir, log })
  try {
    await untilAnswers(log, () => migrate(connection))
  } catch (error) {
    await stop()
    throw error
  }
  return { owner: connection, stop }
}

/** The database of DATABASE_URL, or the embedded one, started; migrated in both cases. */
export function openDatabase(config: Settings, log: Log): Promise<DatabaseSource> {
  return open(config, log, startEmbeddedPostgres)
}

/** The same for a command beside a running server: the embedded database that runs already is used. */
export function joinDatabase(config: Settings, log: Log): Promise<DatabaseSource> {
  return open(config, log, joinEmbeddedPostgres)
}
