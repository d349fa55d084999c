import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../platform/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'

let database: TestDatabase
let owner: pg.Client
let app: pg.Pool
let reader: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client(database.config)
  await owner.connect()
  app = connect(database.config, () => undefined, 2).pool
  reader = new pg.Client({ ...database.config, options: '-c role=duet_reader' })
  await reader.connect()
})
afterAll(async () => {
  await reader.end()
  await app.end()
  await owner.end()
  await database.drop()
})

async function grantsOf(role: string): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; rights: string }>(
    `select table_name as name, string_agg(lower(privilege_type), ' ' order by privilege_type) as rights
     from information_schema.role_table_grants where grantee = $1 and table_schema = 'public' group by table_name`,
    [role],
  )
  return Object.fromEntries(rows.map(({ name, rights }) => [name, rights]))
}

/** Rights to single columns of tables on which the role doesn't have the right as a whole. */
async function columnGrantsOf(role: string, right: string): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(column_name, ' ' order by column_name) as columns
     from information_schema.column_privileges c where grantee = $1 and table_schema = 'public' and privilege_type = $2
       and not exists (select from information_schema.role_table_grants t where t.grantee = $1
         and t.table_schema = 'public' and t.table_name = c.table_name and t.privilege_type = $2)
     group by table_name order by table_name`,
    [role, right],
  )
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
}

const everything = 'delete insert select update'
/** Tables on which the application may not read and write all rows. */
const less = {
  accounts: 'delete select',
  audit_log: 'insert select',
  consents: 'insert select',
  deletion_ledger: 'insert select',
  rate_limits: 'delete select',
  reports: 'delete insert select',
}

describe('the role of the application', () => {
  it('The application’s role has exactly these rights.', async () => {
    const grants = await grantsOf('duet_app')
    const tables = Object.keys(grants).filter((name) => !/^kysely_/.test(name))
    expect(tables.length).toBeGreaterThan(25)
    for (const [name, rights] of Object.entries(less)) expect([name, grants[name]]).toEqual([name, rights])
    const others = tables.filter((name) => !(name in less) && grants[name] !== everything)
    // Tests of other features cover their own restrictions.
    for (const name of others)
      expect([
        name,
        everything.includes(grants[name] ?? 'x') || /^(insert )?select( update)?$/.test(grants[name] ?? ''),
      ]).toEqual([name, true])
    expect(tables.filter((name) => /truncate|references|trigger/.test(grants[name] ?? ''))).toEqual([])
  })

  it('The application’s role may write only these columns of restricted tables.', async () => {
    expect((await columnGrantsOf('duet_app', 'INSERT')).accounts).toBe(
      'created_at email id password_hash terms_accepted_at',
    )
    const update = await columnGrantsOf('duet_app', 'UPDATE')
    expect(update.accounts).toBe(
      'email erase_at language news_mailed_at password_hash password_set_at standing standing_until terms_accepted_at unseen',
    )
    expect(update.consents).toBe('withdrawn_at')
    expect(update.audit_log).toBeUndefined()
    expect(update.deletion_ledger).toBeUndefined()
  })

  it.each([
    'update accounts set is_super_admin = true',
    "insert into accounts (email, is_super_admin, terms_accepted_at, created_at) values ('a@example.com', true, now(), now())",
    'update accounts set id = gen_random_uuid()',
    'update accounts set created_at = now()',
    'update audit_log set reason = null',
    'delete from audit_log',
    'truncate audit_log',
    'alter table audit_log disable trigger all',
    'update deletion_ledger set erased_at = now()',
    'delete from deletion_ledger',
    'delete from consents',
    "update consents set version = '0'",
    "update reports set evidence = '{}'",
    'update rate_limits set points = 0',
    'truncate accounts cascade',
    'drop table messages',
    'alter table accounts add column x text',
    'create table x (a text)',
    'create view x as select 1',
    'create function x() returns int language sql as $$ select 1 $$',
    'create role x superuser',
    'alter role duet_app superuser',
    'create extension dblink',
    "alter system set log_statement = 'all'",
    'set session_replication_role = replica',
    "copy (select 1) to program 'true'",
    "copy accounts to '/tmp/x'",
    "select pg_read_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    'select * from graphile_worker._private_jobs',
    'grant duet_app to duet_reader',
    'vacuum full',
  ])('The application’s role can’t run: %s', async (statement) => {
    const client = await app.connect()
    try {
      await client.query('begin')
      const code = await client.query(statement).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
      expect(['42501', '25001']).toContain(code)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('the role of reports', () => {
  it('The reporting role reads counts and times, and nothing about any person.', { tags: 'long' }, async () => {
    expect(await grantsOf('duet_reader')).toEqual({})
    const columns = await columnGrantsOf('duet_reader', 'SELECT')
    expect(Object.keys(columns).length).toBeGreaterThan(15)
    const told = Object.values(columns).join(' ').split(' ')
    const personal =
      /(^|_)(id|name|email|hash|token|body|text|note|details|statement|evidence|bio|cell|latitude|longitude|file|words|device|params|link|target|item|item_text|comment|gender|faith|diet|birth_date)($|_)/
    expect(told.filter((column) => personal.test(column))).toEqual([])
    for (const right of ['INSERT', 'UPDATE']) expect(await columnGrantsOf('duet_reader', right)).toEqual({})
  })

  it.each([
    'select body from messages',
    'select email from accounts',
    'select id from accounts',
    'select * from sign_in_codes',
    'select token_hash from sessions',
    'select device from sessions',
    'select * from locations',
    'select * from profiles',
    'select birth_date from profiles',
    'select file_name from photos',
    'select evidence from reports',
    'select statement from sanctions',
    'select text from appeals',
    'select details from audit_log',
    'select * from second_factors',
    'select user_id from deletion_ledger',
    'delete from accounts',
    "update accounts set standing = 'good'",
    'create table x (a text)',
    'set role duet_app',
  ])('The reporting role can’t run: %s', async (statement) => {
    const asked = reader.query(statement)
    if (statement.startsWith('set role')) {
      // The owner may use the reader role; a login that has only the application role may not.
      const { rows } = await owner.query("select pg_has_role('duet_reader', 'duet_app', 'member') as may")
      expect(rows).toEqual([{ may: false }])
      return void (await asked.then(() => reader.query('set role duet_reader')))
    }
    await expect(asked).rejects.toMatchObject({ code: '42501' })
  })

  it('The reporting role can count people.', async () => {
    const { rows } = await reader.query(
      `select (select count(created_at)::int from accounts) as accounts, (select count(*)::int from messages) as messages,
        (select max(created_at) from reports where state = 'open') as oldest`,
    )
    expect(rows).toEqual([{ accounts: 0, messages: 0, oldest: null }])
  })
})
