import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tablePath } from '../../platform/database/backup.ts'
import { migrate } from '../../platform/database/database.ts'
import { openBackup, restoreBackup } from '../../platform/database/restore.ts'
import { fileStorage } from '../../platform/storage/file-storage.ts'
import { startTestApp } from '../../test/app.ts'
import { caller } from '../../test/people.ts'
import { newDatabases, runCommand } from '../../test/restoring.ts'

/** A backup from the last version before 1.0. Every table that backups include has rows. */
const path = fileURLToPath(new URL('../../test/before-1.0.backup', import.meta.url))
const databases = newDatabases()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-carry-over-'))
})
afterAll(async () => {
  await databases.drop()
  await rm(folder, { recursive: true, force: true })
})

const open = () => openBackup(path, { workFolder: join(folder, 'work') })
const rowsOf = async (stream: Readable) => (await text(stream)).split('\n').slice(0, -1).sort()

it('a backup from before 1.0 is restored row for row; people can sign in and their photos are there', {
  tags: 'long',
}, async () => {
  const [database, dataDir] = [await databases.make(), join(folder, 'data')]
  expect(await runCommand('restore', [path], dataDir, database)).toMatchObject({ code: 0, stderr: '' })

  const backup = await open()
  const client = new pg.Client(database)
  await client.connect()
  await client.query(`set timezone = 'UTC'`)
  const empty: string[] = []
  // A restore drops sessions, codes and exports, and in-memory indexes are rebuilt.
  const ended = ['candidate_changes', 'data_exports', 'sessions', 'sign_in_codes']
  for (const { name, columns } of backup.manifest.tables) {
    const before = await rowsOf(await backup.read(tablePath(name)))
    const now = await rowsOf(client.query(copyTo(`copy (select ${columns.join(', ')} from "${name}") to stdout`)))
    if (now.length === 0) empty.push(name)
    else expect(now, name).toEqual(before)
  }
  expect(empty).toEqual(ended)
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely_%' order by 1`,
  )
  // Tables added since that version are empty.
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(backup.manifest.tables.map(({ name }) => name)))
  const { rows } = await client.query<{ email: string; file: string }>(
    `select email, file_name as file from accounts join photos on user_id = accounts.id where password_hash is not null`,
  )
  await client.end()
  await backup.close()

  const app = await startTestApp({ DATA_DIR: dataDir }, { database: { config: database } })
  const [ben] = rows
  const body = { email: ben?.email ?? '', password: 'A long password 7' }
  const signedIn = await caller(app.url).call('POST /api/user/authenticate', { body })
  const { body: seen } = await caller(app.url, signedIn.body.token).call('GET /api/user/:id', {
    params: { id: signedIn.body.id },
  })
  const photo = await fetch(app.url + (seen.photos[0]?.url ?? ''))
  expect([signedIn.status, photo.status, photo.headers.get('content-type')]).toEqual([200, 200, 'image/webp'])
  await app.close()
})

it('a backup with a schema older than the last version before 1.0 is refused in one line, and nothing changes', async () => {
  const [backup, database] = [await open(), await databases.make()]
  const early = { ...backup, manifest: { ...backup.manifest, migrations: ['0001_accounts', '0024_fair_moderation'] } }
  await expect(restoreBackup(database, fileStorage(join(folder, 'none')), early)).rejects.toThrow(
    'The backup is of an early Duet: restore it with the last version before 1.0, start that once, and back it up again. Nothing was changed.',
  )
  await backup.close()
  const client = new pg.Client(database)
  await client.connect()
  const { rowCount } = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
  await client.end()
  expect(rowCount).toBe(0)
})

it('restoring a backup with a push subscription signs everyone out', async () => {
  const pushed = fileURLToPath(new URL('../../test/pushed.backup', import.meta.url))
  const database = await databases.make()
  const backup = await openBackup(pushed, { workFolder: join(folder, 'pushed') })
  await restoreBackup(database, fileStorage(join(folder, 'none')), backup)
  await backup.close()
  await migrate(database)
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query(`select (select count(*)::int from accounts) as accounts,
    (select count(*)::int from sessions) as sessions, (select count(*)::int from push_subscriptions) as pushed`)
  await client.end()
  const kept = (name: string) => backup.manifest.tables.find((table) => table.name === name)?.rows
  expect([kept('accounts'), kept('sessions'), kept('push_subscriptions')]).toEqual([1, 1, 1])
  expect(rows).toEqual([{ accounts: 1, sessions: 0, pushed: 0 }])
})
