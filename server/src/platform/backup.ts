import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import yazl from 'yazl'
import { sealWith } from './sealed-file.ts'
import type { Storage } from './storage.ts'

/** What a backup says of itself: everything in it is checked against this before anything is changed. */
export interface Manifest {
  format: 1
  madeAt: string
  /** Every migration the database had, in order. */
  migrations: string[]
  tables: { name: string; columns: string[]; rows: number; sha256: string }[]
  files: { key: string; sha256: string }[]
}

export const tablePath = (name: string) => `tables/${name}.copy`
export const filePath = (key: string) => `files/${key}`
export const manifestPath = 'manifest.json'
/** The SHA-256 of the manifest, since zips are read without a check of their own. */
export const sealPath = 'manifest.sha256'

/** What is made anew, or is of no use elsewhere: counters, files to be fetched within a day. */
const isTransient = (key: string) => key.startsWith('exports/') || key === 'probe'

/** Every table with the columns that are kept: not those the database makes, and not the numbers of its transactions. */
const findTables = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely_%'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
  group by c.relname order by c.relname`

/** Passes on what it gets; afterwards tells its hash and how many lines it had. */
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
  storage: Pick<Storage, 'keys' | 'open'>
  now: Date
  passphrase?: string | undefined
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

function addTables(
  zip: yazl.ZipFile,
  client: pg.Client,
  manifest: Manifest,
  tables: { name: string; columns: string[] }[],
) {
  for (const { name, columns } of tables) {
    zip.addReadStreamLazy(tablePath(name), (give) => {
      const counted = counting()
      const text = `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`
      const copied = client.query(copyTo(text))
      copied.on('error', (error) => counted.stream.destroy(error))
      counted.stream.on('end', () => {
        const { sha256, lines: rows } = counted.result()
        manifest.tables.push({ name, columns, rows, sha256 })
      })
      give(null, copied.pipe(counted.stream))
    })
  }
}

async function addFiles(zip: yazl.ZipFile, storage: Backup['storage'], manifest: Manifest): Promise<void> {
  for await (const key of storage.keys()) {
    if (isTransient(key)) continue
    zip.addReadStreamLazy(filePath(key), { compress: false }, (give) => {
      storage.open(key).then(
        (opened) => {
          // Removed meanwhile: an empty part that the manifest does not know.
          if (!opened) return give(null, Readable.from([]))
          const counted = counting()
          opened.stream.on('error', (error) => counted.stream.destroy(error))
          counted.stream.on('end', () => manifest.files.push({ key, sha256: counted.result().sha256 }))
          give(null, opened.stream.pipe(counted.stream))
        },
        (error: Error) => give(error, Readable.from([])),
      )
    })
  }
}

async function write(client: pg.Client, path: string, { storage, now, passphrase }: Backup): Promise<Manifest> {
  const { rows: migrations } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(findTables)
  const manifest: Manifest = {
    ...{ format: 1, madeAt: now.toISOString(), migrations: migrations.map(({ name }) => name), tables: [], files: [] },
  }
  const zip = new yazl.ZipFile()
  const written = createWriteStream(path, { mode: 0o600 })
  zip.on('error', (error: Error) => written.destroy(error))
  addTables(zip, client, manifest, tables)
  await addFiles(zip, storage, manifest)
  // The last parts: by then everything else has been read.
  const text = () => Buffer.from(JSON.stringify(manifest))
  zip.addReadStreamLazy(manifestPath, (give) => give(null, Readable.from([text()])))
  zip.addReadStreamLazy(sealPath, (give) => {
    give(null, Readable.from([Buffer.from(createHash('sha256').update(text()).digest('hex'))]))
  })
  zip.end()
  const sealed = passphrase === undefined ? new PassThrough() : await sealWith(passphrase)
  await pipeline(zip.outputStream, sealed, written)
  return manifest
}

/**
 * Writes every table, all as they were at one moment, and every file of the store into one file, while everything goes on.
 * The file is there whole or not at all. Throws when the database or the store cannot be read.
 */
export async function backUp(path: string, backup: Backup): Promise<Manifest> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`
  const client = new pg.Client({ ...backup.owner, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`begin isolation level repeatable read read only; set local timezone = 'UTC'`)
    const manifest = await write(client, unfinished, backup)
    await client.query('commit')
    await rename(unfinished, path)
    return manifest
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await client.end()
  }
}
