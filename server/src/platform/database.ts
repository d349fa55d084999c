import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runMigrations } from 'graphile-worker'
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { withLock } from './advisory-lock.ts'
import { CannotStart } from './data-dir.ts'
import type { DB } from './schema.ts'

/** The role the application works as: it reads and writes rows, but cannot make an administrator. */
export const appRole = 'duet_app'

/** A connection or a transaction: what queries run on. */
export type Db = Kysely<DB>

// Counters fit a double; dates without time stay text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const here = dirname(fileURLToPath(import.meta.url))

/** Where the migrations are: beside the sources, and beside the built server alike. */
async function migrationFolder(): Promise<string> {
  for (const folder of [
    join(here, '../../migrations'),
    join(here, '../migrations'),
    join(here, '../../../migrations'),
  ]) {
    const files = await readdir(folder).catch(() => [])
    if (files.some((file) => file.endsWith('.sql'))) return folder
  }
  throw new Error('the migrations are missing')
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const folder = await migrationFolder()
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, file), 'utf8')
    return [file.replace(/\.sql$/, ''), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** A connection may be lost at any time, idle or busy; unheard, that would end the process. */
function hearErrors(pool: pg.Pool, onError: (error: Error) => void): void {
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
}

/** What to do about a database that has migrations nobody here knows; undefined for any other fault. */
function newerThanThis(error: unknown): CannotStart | undefined {
  const [, name] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? []
  return name === undefined
    ? undefined
    : new CannotStart(`The database is of a newer Duet than this one (it has ${name}): start that one instead.`)
}

/**
 * Brings the database to the newest schema, or up to the migration `last`, as its owner. Throws when a migration fails;
 * nothing of it is kept then. Nodes that start at the same time wait for each other.
 */
export async function migrate(owner: pg.ClientConfig, last?: string): Promise<void> {
  const pool = new pg.Pool({ ...owner, max: 2, connectionTimeoutMillis: 5_000, keepAlive: true })
  hearErrors(pool, () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await withLock(pool, 'migrate', async () => {
      const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
      const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
      if (error) throw newerThanThis(error) ?? error
      await runMigrations({ pgPool: pool })
    })
  } finally {
    await db.destroy()
  }
}

export interface Pools {
  db: Kysely<DB>
  /** The same connections, for prepared statements on hot paths. */
  pool: pg.Pool
}

/** Connections that work as the application role. `onError` hears of connections lost while idle. */
export function connect(owner: pg.ClientConfig, onError: (error: Error) => void, max = 10): Pools {
  const pool = new pg.Pool({
    ...owner,
    max,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    keepAlive: true,
    options: `-c role=${appRole} -c statement_timeout=5s -c lock_timeout=2s -c idle_in_transaction_session_timeout=10s -c timezone=UTC -c jit=off`,
  })
  hearErrors(pool, onError)
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) }
}

/** A few connections as the owner, for jobs, counters and what the application role may not do. */
export function connectOwner(owner: pg.ClientConfig, onError: (error: Error) => void): Pools {
  const pool = new pg.Pool({ ...owner, max: 5, connectionTimeoutMillis: 5_000, keepAlive: true })
  hearErrors(pool, onError)
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) }
}
