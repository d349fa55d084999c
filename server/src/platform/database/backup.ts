import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import yazl from 'yazl'
import type { Logger } from '../logger.ts'
import { syncFile, syncFolder } from '../storage/durable.ts'
import { fileKindOf, type Storage } from '../storage/storage.ts'
import { sealWith } from './sealed-file.ts'

export interface Manifest {
  format: 1
  madeAt: string
  migrations: string[]
  tables: { name: string; columns: string[]; rows: number; sha256: string }[]
  files: { key: string; sha256: string }[]
}

export const tablePath = (name: string) => `tables/${name}.copy`
export const filePath = (key: string) => `files/${key}`
export const manifestPath = 'manifest.json'
/** The file with the manifest's SHA-256: reading a zip doesn't verify its checksums. */
export const sealPath = 'manifest.sha256'

/**
 * Skips exports, which last only a day, and files that aren't Duet's: they may be earlier backups, and each backup
 * would then contain all the previous ones.
 */
export function isBackedUp(key: string): boolean {
  const kind = fileKindOf(key)
  return kind !== undefined && kind !== 'exports'
}

/**
 * All tables and their columns, except generated columns and transaction numbers, which have no meaning in another
 * cluster.
 */
const findTables = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns, c.relkind = 'p' as parted
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely_%'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
  group by c.relname, c.relkind order by c.relname`

function counting() {
  const hash = createHash('sha256')
  let lines = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      for (const byte of chunk) if (byte === 10) lines++
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ sha256: hash.digest('hex'), lines }) }
}

interface Backup {
  owner: pg.ClientConfig
  storage: Pick<Storage, 'list' | 'open'>
  log: Pick<Logger, 'warn'>
  now: Date
  passphrase?: string | undefined
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Adds a stream to the zip and resolves once it has been read. The zip reads one stream at a time. */
function addPart(zip: yazl.ZipFile, path: string, stream: Readable, compress: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('end', resolve).once('error', reject)
    zip.addReadStream(stream, path, { compress })
  })
}

async function addTables(zip: yazl.ZipFile, client: pg.Client, manifest: Manifest): Promise<void> {
  const { rows: tables } = await client.query<{ name: string; columns: string[]; parted: boolean }>(findTables)
  for (const { name, columns, parted } of tables) {
    const list = columns.map(quoted).join(', ')
    // COPY can't read a partitioned table directly, only a query on it.
    const source = parted ? `(select ${list} from ${quoted(name)})` : `${quoted(name)} (${list})`
    const text = `copy ${source} to stdout`
    const { stream, result } = counting()
    const copied = client.query(copyTo(text)).on('error', (error) => stream.destroy(error))
    await addPart(zip, tablePath(name), copied.pipe(stream), true)
    const { sha256, lines: rows } = result()
    manifest.tables.push({ name, columns, rows, sha256 })
  }
}

/**
 * A few files may be deleted between listing and reading. If more are missing than this, or all of them, the store must
 * be unreadable.
 */
const fewMissing = (listed: number) => Math.max(20, listed / 100)

async function addFiles(zip: yazl.ZipFile, { storage, log }: Backup, manifest: Manifest): Promise<void> {
  let missing = 0
  let foreign = 0
  for await (const { key } of storage.list()) {
    if (!fileKindOf(key)) foreign++
    if (!isBackedUp(key)) continue
    const opened = await storage.open(key)
    if (!opened) {
      missing++
      continue
    }
    const { stream, result } = counting()
    opened.stream.on('error', (error) => stream.destroy(error))
    await addPart(zip, filePath(key), opened.stream.pipe(stream), false)
    manifest.files.push({ key, sha256: result().sha256 })
  }
  if (foreign > 0) log.warn({ files: foreign }, "files in the store that aren't Duet's were not backed up")
  const listed = manifest.files.length + missing
  if (missing > fewMissing(listed) || (missing > 0 && missing === listed)) {
    throw new Error(`${missing} of ${listed} files of the store cannot be read. No backup was written.`)
  }
}

/** Writes the tables first, so that the database snapshot closes before the files are copied, which can take hours. */
async function addAll(zip: yazl.ZipFile, client: pg.Client, backup: Backup): Promise<Manifest> {
  await client.query(`begin isolation level repeatable read read only; set local timezone = 'UTC'`)
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const migrations = rows.map(({ name }) => name)
  const manifest: Manifest = { format: 1, madeAt: backup.now.toISOString(), migrations, tables: [], files: [] }
  await addTables(zip, client, manifest)
  await client.query('commit')
  await addFiles(zip, backup, manifest)
  const text = Buffer.from(JSON.stringify(manifest))
  zip.addBuffer(text, manifestPath)
  zip.addBuffer(Buffer.from(createHash('sha256').update(text).digest('hex')), sealPath)
  zip.end()
  return manifest
}

async function write(client: pg.Client, path: string, backup: Backup): Promise<Manifest> {
  const zip = new yazl.ZipFile()
  const sealed = backup.passphrase === undefined ? new PassThrough() : await sealWith(backup.passphrase)
  const written = createWriteStream(path, { mode: 0o600 })
  zip.on('error', (error: Error) => written.destroy(error))
  const writing = pipeline(zip.outputStream, sealed, written)
  const adding = addAll(zip, client, backup).catch((error: Error) => {
    written.destroy(error)
    throw error
  })
  // Rejects with the first error; the second is only a consequence.
  const [manifest] = await Promise.all([adding, writing])
  return manifest
}

/**
 * Writes a consistent snapshot of all tables and all stored files into one file while the server runs. A failed backup
 * leaves no file. Throws when the database or the store can't be read.
 */
export async function backUp(path: string, backup: Backup): Promise<Manifest> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`
  const client = new pg.Client({ ...backup.owner, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const manifest = await write(client, unfinished, backup)
    await syncFile(unfinished)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return manifest
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await client.end()
  }
}
