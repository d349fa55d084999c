import { runMigrations } from 'graphile-worker'
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { minutes, seconds } from '../clock.ts'
import { CannotStart } from '../process/data-dir.ts'
import { version } from '../version.ts'
import { withLock } from './advisory-lock.ts'
import { applyFunctions, raiseNeeds } from './database-functions.ts'
import { NamedClient, NamedPool } from './named-client.ts'
import type { DB } from './schema.ts'
import { type SchemaFiles, type SqlFile, schemaFiles } from './schema-files.ts'
import { compareSchema } from './schema-version.ts'

/** The application's role can read and write rows but can't make anyone an administrator. */
export const appRole = 'duet_app'

/**
 * Identifies the timeline that transaction numbers belong to. After a failover or restore, PostgreSQL assigns the same
 * numbers again to other transactions. A hash keeps the value short.
 */
export const historyOf = `(select md5(concat_ws('/', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), (select oid from pg_database where datname = current_database()))))`

export type Db = Kysely<DB>

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

type OnError = (error: Error) => void

/** Any connection, idle or busy, can fail at any time, and an unhandled `error` event would end the process. */
function hearErrors(pool: pg.Pool, onError: OnError): void {
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
}

async function requireNoOlder(pool: pg.Pool, { readNeeds }: SchemaFiles): Promise<void> {
  const [old] = await raiseNeeds(pool, await readNeeds())
  if (old)
    throw new CannotStart(
      `Nodes of Duet ${old} are still running and need something that this version removes: stop them first, or update in steps (docs/operators.md).`,
    )
}

/**
 * Statements that PostgreSQL runs only outside a transaction. A migration with such statements creates and drops
 * indexes and does nothing else.
 */
const isAlone = (text: string) => /^(create index|create unique index|drop index) concurrently /im.test(text)

const withoutComments = (text: string) => text.replace(/--.*$/gm, '')

/** No lock timeout: a concurrent index build may wait as long as needed, because it doesn't block other statements. */
async function runAlone(db: Kysely<unknown>, text: string): Promise<void> {
  await sql`set lock_timeout = 0`.execute(db)
  try {
    for (const statement of withoutComments(text)
      .split(';')
      .filter((one) => one.trim()))
      await sql.raw(statement).execute(db)
  } finally {
    await sql`reset lock_timeout`.execute(db)
  }
}

async function runMigrationsOf(
  db: Kysely<unknown>,
  files: readonly SqlFile[],
  lacks: readonly string[],
  last: string | undefined,
): Promise<void> {
  const until = last === undefined ? files.length : files.findIndex(({ name }) => name === last) + 1
  if (until === 0) throw new Error(`there is no migration ${last}`)
  const run = (text: string) => (one: Kysely<unknown>) =>
    isAlone(text)
      ? runAlone(one, text)
      : sql
          .raw(text)
          .execute(one)
          .then(() => undefined)
  const migrations = Object.fromEntries(files.map(({ name, text }) => [name, { up: run(text) }]))
  for (const { name, text } of files.slice(0, until).filter((file) => lacks.includes(file.name))) {
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db, provider, disableTransactions: isAlone(text) }).migrateTo(name)
    if (error) throw error
  }
}

/**
 * Migrates to the newest schema, or up to the migration `last`. Leaves a newer compatible schema alone. Throws
 * `CannotStart` for an incompatible schema, or if older nodes still need something that a migration removes. Can be
 * retried after a lock timeout (55P03).
 */
export async function migrate(owner: pg.ClientConfig, last?: string, schema = schemaFiles): Promise<void> {
  // A statement waiting for a table lock blocks all later ones: give up quickly, let them pass, and retry.
  const options = '-c lock_timeout=3s'
  const pool = new pg.Pool({ ...owner, max: 2, connectionTimeoutMillis: 5_000, keepAlive: true, options })
  hearErrors(pool, () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await withLock(pool, 'migrate', async () => {
      const standing = await compareSchema(pool, schema)
      if (standing.newer) return
      if (!standing.isNew) await requireNoOlder(pool, schema)
      await runMigrationsOf(db, await schema.readMigrations(), standing.lacks, last)
      if (standing.isNew) await requireNoOlder(pool, schema)
      if (last === undefined) await applyFunctions(pool)
      await runMigrations({ pgPool: pool })
    })
  } finally {
    // Not `db.destroy()`: Kysely doesn't end the pool if no query ever ran.
    await pool.end()
  }
}

export async function isUsed(owner: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'Duet %' limit 1`,
    )
    return rows.length > 0
  } finally {
    await client.end()
  }
}

export interface Pools {
  db: Kysely<DB>
  pool: pg.Pool
}

/** Limits are in milliseconds. */
interface Terms {
  max: number
  role?: string
  statement: number
  lock: number
  idleInTransaction: number
  /** A read replica is enough, because nothing is written. */
  onlyReads?: boolean
}

function optionsOf({ role, statement, lock, idleInTransaction }: Terms): string {
  const settings = {
    ...(role && { role }),
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idleInTransaction,
    timezone: 'UTC',
    jit: 'off',
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

const askTerms = `select current_user as role, current_setting('transaction_read_only') = 'on' as "readOnly",
  (select setting::integer from pg_settings where name = 'statement_timeout') as statement`

const replica = () => Object.assign(new Error('the database is read-only: it is a replica'), { code: '25006' })

/**
 * Throws unless a new connection has the role and limits we asked for. Behind a pooler that drops connection options,
 * the application would run as the owner without timeouts. A replica would reject every write.
 */
async function requireTerms(client: pg.ClientBase, terms: Terms): Promise<void> {
  const { rows } = await client.query<{ role: string; readOnly: boolean; statement: number }>(askTerms)
  const [found] = rows
  if (found?.readOnly && !terms.onlyReads) throw replica()
  const hasRole = terms.role === undefined || found?.role === terms.role
  if (!hasRole || found?.statement !== terms.statement)
    throw new CannotStart(
      `The database ignores the options of connections (working as ${found?.role}, statement_timeout ${found?.statement} ms): connect without a pooler, or give the application its own login (DATABASE_DIRECT_URL).`,
    )
}

/**
 * Settings that the application's login role must have: a pooler drops connection options, but role settings still
 * apply.
 */
const loginSettings = {
  statement_timeout: '5s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  TimeZone: 'UTC',
  jit: 'off',
}

const askLogin = `select current_user as role, current_setting('transaction_read_only') = 'on' as "readOnly",
  pg_has_role(current_user, '${appRole}', 'usage') as works,
  (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
    or pg_has_role(current_user, (select relowner from pg_class where oid = 'public.accounts'::regclass), 'usage') as owns,
  array[${Object.keys(loginSettings).map((name) => `current_setting('${name}')`)}] as settings`

interface Login {
  role: string
  readOnly: boolean
  works: boolean
  owns: boolean
  settings: string[]
}

async function requireAppLogin(client: pg.ClientBase, onlyReads: boolean): Promise<void> {
  const { rows } = await client.query<Login>(askLogin)
  const { role, readOnly, works, owns, settings } = rows[0] as Login
  const name = onlyReads ? 'DATABASE_READ_URL' : 'DATABASE_URL'
  if (readOnly && !onlyReads) throw replica()
  if (owns)
    throw new CannotStart(
      `${name}: ${role} may change tables and make roles; with DATABASE_DIRECT_URL, it must be a login that has only the application's rights (docs/operators.md).`,
    )
  const missing = Object.entries(loginSettings).filter(([, value], place) => settings[place] !== value)
  if (!works || missing.length > 0)
    throw new CannotStart(
      `${name}: run this as the owner of the database, then restart the pooler if there is one: ${[
        ...(works ? [] : [`grant ${appRole} to "${role}"`]),
        ...missing.map(([name, value]) => `alter role "${role}" set ${name} = '${value}'`),
      ].join('; ')};`,
    )
}

/** Milliseconds after which a replica counts as lost. Kept short, because the primary could answer instead. */
const replicaPatience = { connect: seconds(2), answer: seconds(6) }

interface Opening extends Pick<Terms, 'max' | 'statement' | 'onlyReads'> {
  options?: string
  require(client: pg.ClientBase): Promise<void>
}

function open(config: pg.ClientConfig, onError: OnError, opening: Opening): Pools {
  const { max, statement, options } = opening
  // When the network fails, the server can't cancel the statement, so the client must give up.
  const usual = { connect: seconds(5), answer: statement && statement + seconds(10) }
  const patience = opening.onlyReads ? replicaPatience : usual
  const pool = new NamedPool({
    // Lets a newer version see which older nodes still run.
    application_name: `Duet ${version}`,
    ...config,
    Client: NamedClient,
    max,
    connectionTimeoutMillis: patience.connect,
    query_timeout: patience.answer,
    keepAlive: true,
    ...(options && { options }),
    // The pool awaits this function, although its type doesn't show that, and an error rejects the connection.
    onConnect: opening.require,
  })
  hearErrors(pool, onError)
  return { pool, db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }) }
}

const openAsOwner = (owner: pg.ClientConfig, onError: OnError, terms: Terms): Pools =>
  open(owner, onError, { ...terms, options: optionsOf(terms), require: (client) => requireTerms(client, terms) })

const short = { statement: seconds(5), lock: seconds(2), idleInTransaction: seconds(10) }

/**
 * Connects as the application's own login. A pooler may run each transaction on a different connection, so the limits
 * are set on the role.
 */
export function connectLogin(login: pg.ClientConfig, onError: OnError, max = 10, onlyReads = false): Pools {
  const require = (client: pg.ClientBase) => requireAppLogin(client, onlyReads)
  return open(login, onError, { max, onlyReads, statement: short.statement, require })
}

export function connect(owner: pg.ClientConfig, onError: OnError, max = 10, onlyReads = false): Pools {
  return openAsOwner(owner, onError, { max, onlyReads, role: appRole, ...short })
}

/** A few owner connections for work that must not wait: rate limit counters, the clock and the job queue. */
export function connectQueue(owner: pg.ClientConfig, onError: OnError): Pools {
  return openAsOwner(owner, onError, { max: 5, ...short })
}

/** A few owner connections for long jobs, and for deletions that the application role isn't allowed. */
export function connectJobs(owner: pg.ClientConfig, onError: OnError): Pools {
  return openAsOwner(owner, onError, {
    max: 4,
    statement: minutes(2),
    lock: seconds(10),
    idleInTransaction: minutes(5),
  })
}

/** Owner connections without timeouts, for commands in a terminal. */
export function connectOwner(owner: pg.ClientConfig, onError: OnError): Pools {
  return openAsOwner(owner, onError, { max: 5, statement: 0, lock: 0, idleInTransaction: 0 })
}
