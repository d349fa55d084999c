import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { spreadBy } from './plan-keys.ts'
import { reasonsAgainst } from './spread.ts'

/** Those that are asked or written to all the time. */
const hotTables = [
  ...['conversations', 'messages', 'attachments', 'matches'],
  ...['accounts', 'profiles', 'photos', 'locations', 'candidates', 'standings'],
  ...['decisions', 'blocks', 'impressions', 'notifications', 'sessions'],
]

describe('the tables that would be spread over several machines', () => {
  let database: TestDatabase
  let pool: pg.Pool
  beforeAll(async () => {
    database = await createTestDatabase()
    pool = new pg.Pool(database.config)
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })

  it('are told with what keeps each on one', async () => {
    const page = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8')
    const told: string[] = []
    for (const table of hotTables) {
      const reasons = await reasonsAgainst(pool, table)
      told.push(`| ${table} | \`${spreadBy(table)}\` | ${reasons.join(', ') || 'nothing'} |`)
    }
    expect(page, 'the table in docs/scaling.md').toContain(told.join('\n'))
  })

  it('are refused for each kind of reason, and for nothing else', async () => {
    await pool.query(`
      create table other (user_id uuid primary key);
      create table everywhere (id int primary key);
      create table spread (user_id uuid references other, id int references everywhere, mark xid8, unique (id), unique (id, user_id));
      create trigger watched before update on spread for each row execute function suppress_redundant_updates_trigger()`)
    expect(await reasonsAgainst(pool, 'other')).toEqual([])
    expect(await reasonsAgainst(pool, 'spread')).toEqual([
      'trigger `watched`',
      'unique `spread_id_key`',
      '`id` of everywhere',
      'cursor `mark`',
    ])
  })
})
