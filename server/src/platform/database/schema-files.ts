import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The first migration: all files of `schema`, in the order in which tables refer to each other. */
export const baseline = '0001_baseline'

export const baselineNouns: readonly string[] = [
  ...['roles', 'platform', 'accounts', 'second-factor', 'profiles', 'photos', 'places', 'safety', 'conversations'],
  ...['notifications', 'likes', 'matches', 'questions', 'candidates', 'matching', 'discovery', 'reports', 'moderation'],
  ...['data-rights', 'verification', 'dates', 'spam', 'settings', 'demo'],
]

export interface SqlFile {
  /** Without its folder and `.sql`. */
  name: string
  text: string
}

const here = dirname(fileURLToPath(import.meta.url))

/** `server/database` beside the sources; a build has a copy of its own. */
async function databaseFolder(): Promise<string> {
  for (const path of ['database', '../database', '../../../database']) {
    const folder = join(here, path)
    const files = await readdir(join(folder, 'schema')).catch(() => [])
    if (files.length > 0) return folder
  }
  throw new Error('the schema of the database is missing')
}

async function readFiles(folder: string): Promise<SqlFile[]> {
  const path = join(await databaseFolder(), folder)
  const files = (await readdir(path)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => ({ name: file.replace(/\.sql$/, ''), text: await readFile(join(path, file), 'utf8') })),
  )
}

/** Every migration in order, the baseline first. */
export async function readMigrations(): Promise<SqlFile[]> {
  const schema = await readFiles('schema')
  const text = baselineNouns.map((noun) => schema.find(({ name }) => name === noun)?.text).join('\n')
  return [{ name: baseline, text }, ...(await readFiles('migrations'))]
}

export interface FunctionFile extends SqlFile {
  digest: string
}

/** The functions, views and triggers as they are now, by noun. */
export async function readFunctions(): Promise<FunctionFile[]> {
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
  return (await readFiles('functions')).map((file) => ({ ...file, digest: digestOf(file.text) }))
}

const need = /^-- Needs Duet ([\d.rc-]+): /gm

/** The oldest versions of Duet that the files say still work with the schema: each of them takes something away. */
export async function readNeeds(): Promise<string[]> {
  const files = [...(await readMigrations()), ...(await readFunctions())]
  return files.flatMap(({ text }) => [...text.matchAll(need)].flatMap(([, version]) => version ?? []))
}

/** What a schema is made of; tests have others. */
export interface SchemaFiles {
  readMigrations(): Promise<SqlFile[]>
  readNeeds(): Promise<string[]>
}

export const schemaFiles: SchemaFiles = { readMigrations, readNeeds }
