import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import yauzl from 'yauzl'
import { CannotStart } from '../process/data-dir.ts'
import type { Storage } from '../storage/storage.ts'
import { filePath, isBackedUp, type Manifest, manifestPath, sealPath, tablePath } from './backup.ts'
import { migrate } from './database.ts'
import { findExecuted, migrationsFor } from './schema-version.ts'
import { isSealed, openWith } from './sealed-file.ts'

export interface CheckedBackup {
  manifest: Manifest
  read(path: string): Promise<Readable>
  close(): Promise<void>
}

const broken = (why: string) =>
  new CannotStart(`This is no whole backup: ${why.replace(/\.+$/, '')}. Nothing was changed.`)

/** A wrong passphrase and a modified file give the same error, so the text names both. */
const faultIn = ({ message }: Error) =>
  message.includes('unable to authenticate data')
    ? 'it was sealed with another BACKUP_PASSPHRASE, or changed since'
    : (message.split('\n')[0] ?? '')

interface Archive {
  entries: Map<string, yauzl.Entry>
  read(path: string): Promise<Readable>
  close(): void
}

function openArchive(path: string): Promise<Archive> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) return reject(error)
      const entries = new Map<string, yauzl.Entry>()
      const read = (name: string) =>
        new Promise<Readable>((give, fail) => {
          const entry = entries.get(name)
          if (!entry) return fail(new Error(`${name} is missing`))
          zip.openReadStream(entry, (failed, stream) => (failed ? fail(failed) : give(stream)))
        })
      zip.on('entry', (entry: yauzl.Entry) => {
        entries.set(entry.fileName, entry)
        zip.readEntry()
      })
      zip.on('error', reject)
      zip.on('end', () => resolve({ entries, read, close: () => zip.close() }))
      zip.readEntry()
    })
  })
}

async function wholeOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of stream) hash.update(piece as Buffer)
  return hash.digest('hex')
}

async function check(archive: Archive): Promise<Manifest> {
  const text = await wholeOf(await archive.read(manifestPath))
  const seal = String(await wholeOf(await archive.read(sealPath)))
  if (createHash('sha256').update(text).digest('hex') !== seal) throw new Error('its manifest was changed')
  const manifest = JSON.parse(String(text)) as Manifest
  if (manifest.format !== 1) throw new Error('its format is unknown')
  const parts = [
    ...manifest.tables.map(({ name, sha256 }) => [tablePath(name), sha256] as const),
    ...manifest.files.map(({ key, sha256 }) => [filePath(key), sha256] as const),
  ]
  for (const [path, sha256] of parts) {
    if ((await hashOf(await archive.read(path))) !== sha256) throw new Error(`${path} was changed`)
  }
  return manifest
}

async function unseal(path: string, plain: string, passphrase: string | undefined): Promise<void> {
  if (!passphrase) throw new CannotStart('BACKUP_PASSPHRASE: this backup was encrypted with a passphrase; set it.')
  await mkdir(dirname(plain), { recursive: true, mode: 0o700 })
  const { stream, start } = await openWith(passphrase, path)
  await pipeline(createReadStream(path, { start }), stream, createWriteStream(plain, { mode: 0o600 }))
}

interface Opening {
  passphrase?: string | undefined
  workFolder: string
}

export async function openBackup(path: string, { passphrase, workFolder }: Opening): Promise<CheckedBackup> {
  const plain = join(workFolder, `backup-${process.pid}.zip`)
  try {
    const sealed = await isSealed(path)
    if (sealed) await unseal(path, plain, passphrase)
    const archive = await openArchive(sealed ? plain : path)
    const manifest = await check(archive).catch((error: unknown) => {
      archive.close()
      throw error
    })
    const close = async () => {
      archive.close()
      await rm(plain, { force: true })
    }
    return { manifest, read: archive.read, close }
  } catch (error) {
    await rm(plain, { force: true })
    if (error instanceof CannotStart) throw error
    throw broken(faultIn(error as Error))
  }
}

const findOrder = `
  with recursive refs as (
    select distinct f.conrelid::regclass::text as child, f.confrelid::regclass::text as parent
    from pg_constraint f where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.conrelid <> f.confrelid),
  depths as (
    select c.relname::text as name, 0 as depth from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    union select refs.child, depths.depth + 1 from depths join refs on refs.parent = depths.name where depths.depth < 100)
  select name from depths group by name order by max(depth), name`

const findIdentities = `
  select c.relname as "table", a.attname as "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null`

/**
 * Deleted after a restore: sessions and emailed codes, because some may have ended or been used since the backup; and
 * exports, whose files aren't backed up. Recovery codes stay, because they may be someone's only way to sign in.
 */
const leftOut = ['sessions', 'sign_in_codes', 'address_changes', 'identity_proofs', 'data_exports']

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const deleteRows = (names: readonly string[]) => names.map((name) => `delete from ${quoted(name)}`).join('; ')

async function requireEmpty(client: pg.Client, migrations: readonly string[]): Promise<void> {
  const there = await findExecuted(client)
  if (there.length === 0) return
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from accounts')
  if (rows[0]?.count) throw new CannotStart('The database is not empty: restore into a new one. Nothing was changed.')
  if (there.join() !== migrations.join())
    throw new CannotStart(
      'The schemas of the database and the backup differ: use a new, empty database. Nothing was changed.',
    )
}

async function load(client: pg.Client, { manifest, read }: CheckedBackup): Promise<void> {
  const { rows } = await client.query<{ name: string }>(findOrder)
  const order = rows.map(({ name }) => name).filter((name) => !name.startsWith('kysely_'))
  for (const name of order) await client.query(`alter table ${quoted(name)} disable trigger user`)
  // The backup also contains the rows that migrations insert.
  for (const name of order.toReversed()) await client.query(`delete from ${quoted(name)}`)
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  for (const name of order) {
    const table = tables.get(name)
    if (!table) continue
    const columns = table.columns.map(quoted).join(', ')
    await pipeline(await read(tablePath(name)), client.query(copyFrom(`copy ${quoted(name)} (${columns}) from stdin`)))
    const { rows: counted } = await client.query<{ count: string }>(
      `select count(*)::text as count from ${quoted(name)}`,
    )
    if (Number(counted[0]?.count) !== table.rows) throw new Error(`${name} has another number of rows than the backup`)
  }
  // Deleted after loading everything, so that the schema's cascades also delete the rows that reference them. An older
  // schema may lack some of these tables.
  await client.query(deleteRows(leftOut.filter((name) => order.includes(name))))
  for (const name of order) await client.query(`alter table ${quoted(name)} enable trigger user`)
  const { rows: identities } = await client.query<{ table: string; column: string; sequence: string }>(findIdentities)
  for (const { table, column, sequence } of identities) {
    await client.query(
      `select setval($1, greatest(max(${quoted(column)}), 1), max(${quoted(column)}) is not null) from ${quoted(table)}`,
      [sequence],
    )
  }
}

/**
 * Restores a verified backup into an empty database whose schema is the backup's; call `migrate` afterwards. All tables
 * load in one transaction, so a failed restore leaves no rows.
 */
export async function restoreBackup(
  owner: pg.ClientConfig,
  storage: Pick<Storage, 'put'>,
  backup: CheckedBackup,
): Promise<void> {
  const client = new pg.Client({ ...owner, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const migrations = migrationsFor(backup.manifest.migrations)
    await requireEmpty(client, migrations)
    await migrateTo(owner, migrations.at(-1))
    for (const { key } of backup.manifest.files.filter((file) => isBackedUp(file.key))) {
      await storage.put(key, await wholeOf(await backup.read(filePath(key))), 'application/octet-stream')
    }
    await client.query(`begin; set local timezone = 'UTC'`)
    await load(client, backup)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Deletes the same rows (sessions, codes, exports) from a database that was restored with PostgreSQL's own tools. */
export async function signEveryoneOut(owner: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(owner)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(deleteRows(leftOut))
  } finally {
    await client.end()
  }
}

async function migrateTo(owner: pg.ClientConfig, last: string | undefined): Promise<void> {
  await migrate(owner, last).catch((error: Error) => {
    if (!/^there is no migration/.test(error.message)) throw error
    throw new CannotStart('The backup is from a newer Duet: update first.')
  })
}
