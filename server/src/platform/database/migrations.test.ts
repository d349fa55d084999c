import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { dangersIn } from '../../test/migration-rules.ts'
import { migrate } from './database.ts'
import { baseline, readMigrations } from './schema-files.ts'
import { untilAnswers } from './until-answers.ts'

async function connected(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  await client.connect()
  return client
}

it('An update that waits for a table does not block others and finishes once the table is free', {
  tags: 'long',
}, async () => {
  const { config, drop } = await createTestDatabase()
  onTestFinished(drop)
  const admin = await connected(config)
  // As if an older version of Duet had written the functions.
  await admin.query('comment on table kysely_migration is null')
  const old = await connected(config)
  await old.query('begin')
  await old.query('lock table sessions in row exclusive mode')

  const lines: unknown[] = []
  const migrating = untilAnswers({ warn: (line: unknown) => void lines.push(line) } as never, () => migrate(config))
  await expect.poll(() => lines).toEqual([expect.stringContaining('lock timeout')])
  // The waiting update doesn't block this statement, because it has withdrawn its lock request.
  const other = await connected({ ...config, lock_timeout: 60_000 })
  await other.query('delete from sessions')
  await other.end()
  await old.query('commit')
  await old.end()
  await migrating
  const { rows } = await admin.query(
    `select obj_description('kysely_migration'::regclass, 'pg_class') is not null as done`,
  )
  expect(rows).toEqual([{ done: true }])
  await admin.end()
})

describe('Migrations', () => {
  it('Migrations contain no functions and nothing unexplained that breaks or blocks older nodes', async () => {
    const later = (await readMigrations()).filter(({ name }) => name !== baseline)
    expect(later.flatMap(({ name, text }) => dangersIn(text).map((one) => `${name}: ${one}`))).toEqual([])
  })

  it.each([
    'create function f() returns integer language sql as $$ select 1; $$;',
    'create or replace view adults as select * from people;',
    'create trigger t after insert on people execute function f();',
    'drop table people;',
    'drop function f(int);',
    'alter table people drop column name;',
    'alter table people rename column name to names;',
    'alter table people alter column age type bigint;',
    'alter table people alter age set not null;',
    'alter table people add column age integer not null;',
    'alter table people add age integer not null;',
    'alter table people add constraint adult check (age >= 18);',
    'alter table people add foreign key (a) references b;',
    'create index people_age on people (age);',
    'create unique index people_age on people (age);',
    'update people set age = 0;',
    '-- Only a comment.\ndelete from people where age < 18;',
    'create index concurrently people_age on people (age);',
    'drop index concurrently if exists people_age; alter table people add age integer;',
  ])('The migration check reports: %s', (statement) => {
    expect(dangersIn(statement)).toHaveLength(1)
  })

  it.each([
    'alter table people add column age integer;',
    'alter table people add column age integer not null default 18;',
    'alter table people add constraint adult check (age >= 18) not valid;',
    'create table people (age integer); create index people_age on people (age); insert into people values (1);',
    'comment on table people is $$ delete from people; drop table people; $$;',
    '-- Rolling update: it has three rows.\ncreate index people_age on people (age);',
    '-- Needs Duet 1.2.0: names is read instead.\nalter table people drop column name;',
    'drop index concurrently if exists people_age; create index concurrently people_age on people (age);',
  ])('The migration check accepts: %s', (statement) => {
    expect(dangersIn(statement)).toEqual([])
  })
})
