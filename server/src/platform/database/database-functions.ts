import type pg from 'pg'
import { version as ours } from '../version.ts'
import { type FunctionFile, readFunctions } from './schema-files.ts'

interface Applied {
  version: string
  /**
   * The oldest version of Duet that works with this database. If unset, any version that knows its migrations works.
   */
  needs?: string
  /** Keyed by the name of the file in `functions`. */
  digests: Record<string, string>
}

const askApplied = `select obj_description('kysely_migration'::regclass, 'pg_class') as text`

/** Parses 1.2.3 or 1.2.3-rc.4. A release sorts after its candidates. */
function numbersOf(version: string): number[] {
  const [release = '', candidate] = version.split('-rc.')
  return [...release.split('.').map(Number), candidate === undefined ? Number.POSITIVE_INFINITY : Number(candidate)]
}

export function isNewer(version: string, other: string): boolean {
  const others = numbersOf(other)
  const [mine, theirs] = numbersOf(version)
    .map((number, place) => [number, others[place] ?? 0] as const)
    .find(([one, another]) => one !== another) ?? [0, 0]
  return mine > theirs
}

async function findApplied(client: Pick<pg.ClientBase, 'query'>): Promise<Applied> {
  const { rows } = await client.query<{ text: string | null }>(askApplied)
  return JSON.parse(rows[0]?.text ?? '{"version":"0.0.0","digests":{}}') as Applied
}

interface Difference {
  changed: FunctionFile[]
  /** Set only when a newer version of Duet has replaced functions. */
  newer: string | undefined
  needs: string | undefined
}

export async function compareFunctions(client: Pick<pg.ClientBase, 'query'>): Promise<Difference> {
  const { version, needs, digests } = await findApplied(client)
  const changed = (await readFunctions()).filter(({ name, digest }) => digests[name] !== digest)
  return { changed, newer: changed.length > 0 && isNewer(version, ours) ? version : undefined, needs }
}

const record = (client: pg.ClientBase, applied: Applied) =>
  client.query(`comment on table kysely_migration is ${client.escapeLiteral(JSON.stringify(applied))}`)

async function replace(client: pg.ClientBase, { name, text, digest }: FunctionFile): Promise<void> {
  const { needs, digests } = await findApplied(client)
  // Functions may call functions created later.
  await client.query('begin; set local check_function_bodies = off')
  await client.query(text)
  await record(client, { version: ours, ...(needs && { needs }), digests: { ...digests, [name]: digest } })
  await client.query('commit')
}

const functionsIn = ({ text }: FunctionFile) =>
  text
    .split(/^create or replace function /m)
    .slice(1)
    .map((rest) => `create function ${rest.split('$$;', 1)[0]}$$;`)

/**
 * Creates missing functions before replacing any file: earlier files may call functions of later ones, and the update
 * may stop halfway. Takes no lock that blocks readers or writers of tables.
 */
async function createMissing(client: pg.ClientBase, files: readonly FunctionFile[]): Promise<void> {
  await client.query('begin; set local check_function_bodies = off')
  for (const one of files.flatMap(functionsIn))
    await client.query(`do $missing$ begin ${one} exception when duplicate_function then null; end $missing$`)
  await client.query('commit')
}

/**
 * Replaces the functions, views and triggers of changed files. Each file has its own transaction, which keeps table
 * locks short and lets the next start resume where this one failed.
 */
export async function applyFunctions(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { changed } = await compareFunctions(client)
    await createMissing(client, changed)
    for (const file of changed) await replace(client, file)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

const askVersions = `select distinct substr(application_name, 6) as version from pg_stat_activity
  where datname = current_database() and application_name like 'Duet %'`

/**
 * Before a migration removes anything, records the newest of `needs` as the oldest version that works with the
 * database. If older nodes still run, records nothing and returns their versions.
 */
export async function raiseNeeds(pool: pg.Pool, needs: readonly string[]): Promise<string[]> {
  const needed = needs.reduce((newest, one) => (isNewer(one, newest) ? one : newest), '')
  const client = await pool.connect()
  try {
    const applied = await findApplied(client)
    if (!needed || (applied.needs && !isNewer(needed, applied.needs))) return []
    const { rows } = await client.query<{ version: string }>(askVersions)
    const old = rows.map(({ version }) => version).filter((version) => isNewer(needed, version))
    if (old.length === 0) await record(client, { ...applied, needs: needed })
    return old
  } finally {
    client.release()
  }
}
