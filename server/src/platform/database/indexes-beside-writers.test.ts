import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { migrate } from './database.ts'
import { passingFault } from './database-faults.ts'
import { schemaFiles } from './schema-files.ts'

const later = {
  name: '9999_index_of_dates',
  text: `-- No query uses it: only its creation matters.
drop index concurrently if exists accounts_later;
create index concurrently accounts_later on accounts (created_at);`,
}

const schema = { ...schemaFiles, readMigrations: async () => [...(await schemaFiles.readMigrations()), later] }

let database: TestDatabase
let client: pg.Client
let other: pg.Client
beforeEach(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.config)
  other = new pg.Client(database.config)
  await Promise.all([client.connect(), other.connect()])
})
afterEach(async () => {
  await Promise.all([client.end(), other.end()])
  await database.drop()
})

const addOne = (by: pg.Client) =>
  by.query(
    `insert into accounts (email, terms_accepted_at, created_at) values (gen_random_uuid() || '@a.org', now(), now())`,
  )
const isValid = `select indisvalid as valid from pg_index where indexrelid = to_regclass('accounts_later')`

it('An index is built while others write, however long their transactions take', async () => {
  await client.query('begin')
  await addOne(client)
  const migrating = migrate(database.config, undefined, schema)
  await expect.poll(async () => (await other.query(isValid)).rows).toEqual([{ valid: false }])
  // Together longer than the lock timeout of a migration that runs in a transaction.
  for (let turn = 0; turn < 8; turn++) {
    await addOne(other)
    await other.query('select pg_sleep(0.5)')
  }
  await client.query('commit')
  await migrating
  expect((await other.query(isValid)).rows).toEqual([{ valid: true }])
})

it('An interrupted index build is dropped and retried', async () => {
  await client.query('begin')
  await addOne(client)
  const migrating = migrate(database.config, undefined, schema).catch((error: Error) => error)
  await expect.poll(async () => (await other.query(isValid)).rows).toEqual([{ valid: false }])
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~ '^\\s*create index'`,
  )
  expect(passingFault(await migrating)).toBeDefined()
  await client.query('commit')
  expect((await other.query(isValid)).rows).toEqual([{ valid: false }])
  await migrate(database.config, undefined, schema)
  expect((await other.query(isValid)).rows).toEqual([{ valid: true }])
})
