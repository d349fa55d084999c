import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { backUp } from '../../platform/database/backup.ts'
import { openBackup, restoreBackup } from '../../platform/database/restore.ts'
import { createLogger } from '../../platform/logger.ts'
import { fileStorage } from '../../platform/storage/file-storage.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { fillEveryTable } from '../../test/filled.ts'
import { newDatabases, rowsIn } from '../../test/restoring.ts'
import { drill } from './drill.ts'

/**
 * Tables that are empty after a restore, as documented in docs/operators.md: sessions and related data, codes and
 * exports.
 */
const leftOut = [
  'address_changes',
  'data_exports',
  'identity_proofs',
  'push_subscriptions',
  'sessions',
  'sign_in_codes',
]

const passphrase = 'three words and more'
const databases = newDatabases()
let folder: string
let path: string
let source: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-every-table-'))
  path = join(folder, 'duet.backup')
  source = await createTestDatabase()
  const client = new pg.Client(source.config)
  await client.connect()
  await fillEveryTable(client)
  await client.end()
  const storage = fileStorage(join(folder, 'media'))
  await backUp(path, { owner: source.config, storage, log: createLogger('warn'), now: new Date(), passphrase })
})
afterAll(async () => {
  await databases.drop()
  await source.drop()
  await rm(folder, { recursive: true, force: true })
})

it('a sealed backup with rows in every table restores all rows and columns except the documented tables', async () => {
  const before = await rowsIn(source.config)
  expect([...before].flatMap(([table, rows]) => (rows.length === 0 ? [table] : []))).toEqual([])

  const database = await databases.make()
  const backup = await openBackup(path, { passphrase, workFolder: join(folder, 'work') })
  await restoreBackup(database, fileStorage(join(folder, 'elsewhere')), backup)
  await backup.close()

  const after = await rowsIn(database)
  for (const table of leftOut) before.set(table, [])
  expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before))
})

it("a drill restores the same backup in its own folder, and replays the ledger's erasures", {
  tags: 'long',
}, async () => {
  const own = await mkdtemp(join(folder, 'drill-'))
  const config = readConfig({ DATA_DIR: join(folder, 'data') })
  const { manifest, again } = await drill(config, { file: path, passphrase, ledgers: [], folder: own })
  expect(manifest.tables.filter(({ rows }) => rows === 0)).toEqual([])
  expect(again).toBe(1)
})
