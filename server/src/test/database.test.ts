import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../platform/database/database.ts'
import { createTestDatabase } from './database.ts'

test('A test database has the newest schema, is separate, refuses an older Duet, and is gone once dropped.', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
  expect(first.config.database).not.toBe(second.config.database)
  const client = new pg.Client(first.config)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(`select count(*)::int > 0 as migrated from kysely_migration`)
  expect(rows).toEqual([{ migrated: true }])
  await client.query(`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', now()::text)`)
  await client.query('drop table data_exports')
  await migrate(first.config)
  expect((await client.query(`select to_regclass('data_exports') as table`)).rows).toEqual([{ table: null }])
  await Promise.all([first.drop(), second.drop()])
  await expect(new pg.Client(first.config).connect()).rejects.toThrow('does not exist')
})
