import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The first migration: all files of `schema`, in an order that satisfies their references. */
export const baseline = '0001_baseline'

export const baselineNouns: readonly string[] = [
  ...['roles', 'platform', 'accounts', 'second-factor', 'profiles', 'photos', 'places', 'safety', 'conversations'],
  ...['notifications', 'likes', 'matches', 'questions', 'candidates', 'matching', 'discovery', 'reports', 'moderation'],
  ...['data-rights', 'verification', 'dates', 'spam', 'settings', 'demo'],
]

export interface SqlFile {
  name: string
  text: string
}

const here = dirname(fileURLToPath(import.meta.url))

/** `server/database` next to the sources; a build includes its own copy. */
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

export async function readMigrations(): Promise<SqlFile[]> {
  const schema = await readFiles('schema')
  const text = baselineNouns.map((noun) => schema.find(({ name }) => name === noun)?.text).join('\n')
  return [{ name: baseline, text }, ...(await readFiles('migrations'))]
}

export interface FunctionFile extends SqlFile {
  digest: string
}

export async function readFunctions(): Promise<FunctionFile[]> {
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
  return (await readFiles('functions')).map((file) => ({ ...file, digest: digestOf(file.text) }))
}

const need = /^-- Needs Duet ([\d.rc-]+): /gm

/** The versions in `-- Needs Duet` comments, each of which marks the removal of something that older versions use. */
export async function readNeeds(): Promise<string[]> {
  const files = [...(await readMigrations()), ...(await readFunctions())]
  return files.flatMap(({ text }) => [...text.matchAll(need)].flatMap(([, version]) => version ?? []))
}

export interface SchemaFiles {
  readMigrations(): Promise<SqlFile[]>
  readNeeds(): Promise<string[]>
}

export const schemaFiles: SchemaFiles = { readMigrations, readNeeds }
