import type pg from 'pg'
import { CannotStart } from '../process/data-dir.ts'
import { version as ours } from '../version.ts'
import { type FunctionFile, readFunctions } from './schema-files.ts'

/** What a database has: the digest of each file of functions, and the version of Duet that last replaced any. */
interface Applied {
  version: string
  digests: Record<string, string>
}

const askApplied = `select obj_description('kysely_migration'::regclass, 'pg_class') as text`

/** The numbers of a version such as 1.2.3 or 1.2.3-rc.4; a release comes after its candidates. */
function numbersOf(version: string): number[] {
  const [release = '', candidate] = version.split('-rc.')
  return [...release.split('.').map(Number), candidate === undefined ? Number.POSITIVE_INFINITY : Number(candidate)]
}

/** Whether one version of Duet comes after another. */
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
  /** The files that a database does not have as they are here. */
  changed: FunctionFile[]
  /** The version of Duet whose functions it has, when that is newer than this one. */
  newer: string | undefined
}

/** How the functions, views and triggers of a database, which has a schema, differ from those of this Duet. */
export async function compareFunctions(client: Pick<pg.ClientBase, 'query'>): Promise<Difference> {
  const { version, digests } = await findApplied(client)
  const changed = (await readFunctions()).filter(({ name, digest }) => digests[name] !== digest)
  return { changed, newer: changed.length > 0 && isNewer(version, ours) ? version : undefined }
}

/** Replaces what is in one file, all of it or nothing, and records that. */
async function replace(client: pg.ClientBase, { name, text, digest }: FunctionFile): Promise<void> {
  const { digests } = await findApplied(client)
  const applied: Applied = { version: ours, digests: { ...digests, [name]: digest } }
  // Functions may call those of files that come later.
  await client.query('begin; set local check_function_bodies = off')
  await client.query(text)
  await client.query(`comment on table kysely_migration is ${client.escapeLiteral(JSON.stringify(applied))}; commit`)
}

/**
 * Replaces the functions, views and triggers whose files have changed, each file in a transaction of its own: tables in use
 * are locked for as short as can be, and a start that is tried again goes on. Throws `CannotStart` where a newer Duet has
 * replaced them: an old node that starts again during an update must not bring its own back.
 */
export async function applyFunctions(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { changed, newer } = await compareFunctions(client)
    if (newer)
      throw new CannotStart(
        `The database is of a newer Duet than this one (its functions are of ${newer}): start that one instead.`,
      )
    for (const file of changed) await replace(client, file)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
