import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { standstillMs } from '../../test/standstill.ts'
import { version } from '../version.ts'
import { isUsed, migrate } from './database.ts'
import { schemaFiles } from './schema-files.ts'

const schema = (...needs: string[]) => ({ ...schemaFiles, readNeeds: async () => needs })
const narrower = schema('0.9.9', '1.0.0-rc.1', '0.9.10')

let database: TestDatabase
let owner: pg.Client
beforeEach(async () => {
  database = await createEmptyDatabase()
  owner = new pg.Client(database.config)
  await owner.connect()
})
afterEach(async () => {
  await owner.end()
  await database.drop()
})

const recorded = async () =>
  (
    await owner.query<{ needs: string | null }>(
      `select obj_description('kysely_migration'::regclass)::json ->> 'needs' as needs`,
    )
  ).rows[0]?.needs

async function startNode(name: string) {
  const node = new pg.Client({ ...database.config, application_name: name })
  node.on('error', () => undefined)
  await node.connect()
  return node
}

it('A new database records the oldest version that works with it', async () => {
  await migrate(database.config, undefined, narrower)
  expect(await recorded()).toBe('1.0.0-rc.1')
})

it('Only Duet’s own connections count as another Duet on the database', async () => {
  const other = await startNode('psql')
  expect(await isUsed(database.config)).toBe(false)
  const duet = await startNode(`Duet ${version}`)
  expect(await isUsed(database.config)).toBe(true)
  for (const node of [other, duet]) await node.end()
})

it('An update that removes something is refused while older nodes need it', async () => {
  await migrate(database.config, undefined, schema())
  expect(await recorded()).toBeNull()
  const old = await startNode('Duet 1.0.0-rc.0')
  const present = await startNode(`Duet ${version}`)
  await expect(migrate(database.config, undefined, narrower)).rejects.toThrow(
    'Nodes of Duet 1.0.0-rc.0 are still running and need something that this version removes: stop them first, or update in steps (docs/operators.md).',
  )
  expect(await recorded()).toBeNull()
  await old.end()
  await vi.waitFor(() => migrate(database.config, undefined, narrower), { timeout: standstillMs })
  expect(await recorded()).toBe('1.0.0-rc.1')
  await present.end()
})

it('The oldest working version is recorded and survives later updates of functions', async () => {
  await migrate(database.config, undefined, narrower)
  await owner.query(`comment on table kysely_migration is '{"version":"0.9.0","needs":"0.9.10","digests":{}}'`)
  await migrate(database.config, undefined, narrower)
  expect(await recorded()).toBe('1.0.0-rc.1')
  await migrate(database.config, undefined, schema('0.9.9'))
  expect(await recorded()).toBe('1.0.0-rc.1')
})

it('An older version is refused once the database records that it needs a newer one', async () => {
  await migrate(database.config)
  await owner.query(
    `do $$ begin execute format('comment on table kysely_migration is %L',
      jsonb_set(obj_description('kysely_migration'::regclass)::jsonb, '{needs}', '"9.0.0"')::text); end $$`,
  )
  await expect(migrate(database.config)).rejects.toThrow(
    'The database is from a newer Duet and needs version 9.0.0: start that one instead.',
  )
})

it('A migration leaves no connection open, whether or not it changed anything', async () => {
  const count = `select count(*)::int as count from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
  for (let turn = 0; turn < 2; turn++) {
    await migrate(database.config)
    await expect.poll(async () => (await owner.query(count)).rows).toEqual([{ count: 0 }])
  }
})
