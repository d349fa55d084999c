import pg from 'pg'
import { CannotStart } from '../process/data-dir.ts'
import { version } from '../version.ts'
import { compareFunctions, isNewer } from './database-functions.ts'
import { baseline, type SchemaFiles, schemaFiles } from './schema-files.ts'

/** The baseline has the same tables as the last migration before 1.0. */
const beforeRelease = { first: '0001_accounts', last: '0034_learning' }

export async function findExecuted(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('public.kysely_migration') is not null as there`,
  )
  if (!tables[0]?.there) return []
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

function requireReleased(executed: readonly string[]): void {
  if (executed.includes(beforeRelease.first))
    throw new CannotStart(
      'The database is from a Duet before 1.0: back it up with that version (npm run backup) and restore the backup with this version into an empty database (npm run restore -- FILE, with another DATA_DIR or DATABASE_URL).',
    )
}

/**
 * The migrations that match a backup's rows: the ones it was made with, or the baseline for a backup from before 1.0.
 * Throws `CannotStart` if its schema is older than the last one before 1.0.
 */
export function migrationsFor(executed: readonly string[]): string[] {
  if (!executed.includes(beforeRelease.first)) return [...executed]
  if (executed.at(-1) === beforeRelease.last) return [baseline]
  throw new CannotStart(
    'The backup is of an early Duet: restore it with the last version before 1.0, start that once, and back it up again. Nothing was changed.',
  )
}

export interface SchemaState {
  isNew: boolean
  newer?: string | undefined
  lacks: string[]
}

export async function compareSchema(
  client: Pick<pg.ClientBase, 'query'>,
  { readMigrations }: SchemaFiles = schemaFiles,
): Promise<SchemaState> {
  const ours = (await readMigrations()).map(({ name }) => name)
  const executed = await findExecuted(client)
  if (executed.length === 0) return { isNew: true, lacks: ours }
  requireReleased(executed)
  const functions = await compareFunctions(client)
  const newer =
    executed.find((name) => !ours.includes(name)) ?? (functions.newer && `the functions of ${functions.newer}`)
  const waiting = ours.filter((name) => !executed.includes(name))
  const isTooOld = isNewer(functions.needs ?? '', version)
  if (isTooOld || (newer && waiting.length > 0))
    throw new CannotStart(
      `The database is from a newer Duet${newer ? ` (it has ${newer})` : ''} and needs ${isTooOld ? `version ${functions.needs}` : 'that version'}: start that one instead.`,
    )
  if (newer) return { isNew: false, newer, lacks: [] }
  return { isNew: false, lacks: [...waiting, ...functions.changed.map(({ name }) => `the functions of ${name}`)] }
}

/**
 * For commands that run beside a server and must not change its schema. Connects as the owner. Throws `CannotStart` if
 * the schema is incompatible or out of date.
 */
export async function requireOurSchema(owner: pg.ClientConfig): Promise<SchemaState> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const standing = await compareSchema(client)
    const [first] = standing.lacks
    if (first && !standing.isNew)
      throw new CannotStart(
        `The database is from an older Duet (it lacks ${first}): start this version once to update it, or run this command with the older version.`,
      )
    return standing
  } finally {
    await client.end()
  }
}

export async function requireSchema(owner: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    if ((await compareSchema(client)).isNew)
      throw new CannotStart('There is no Duet in this database: restore it first.')
  } finally {
    await client.end()
  }
}
