import { readdir, readFile, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import server from '../../../package.json' with { type: 'json' }
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { bare, faultsInFunctions, statementsOf } from '../../test/migration-rules.ts'
import { migrate } from './database.ts'
import { isNewer } from './database-functions.ts'
import { baselineNouns, readFunctions, readMigrations, type SqlFile } from './schema-files.ts'

let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client(database.config)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const made = /^create (?:or replace )?(function|view|trigger) (\w+)/

const releasedFile = new URL('../../test/released-functions.txt', import.meta.url)

const definedIn = (files: readonly SqlFile[]) =>
  files
    .flatMap(({ text }) => statementsOf(text))
    .flatMap((statement) => {
      const [, kind, name] = made.exec(bare(statement)) ?? []
      return kind ? [`${kind} ${name}`] : []
    })
    .sort()

async function names(query: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(query)
  return rows.map(({ name }) => name).sort()
}

describe('The SQL files', () => {
  it('The baseline runs every file of the schema folder', async () => {
    const files = await readdir(new URL('../../../database/schema/', import.meta.url))
    expect(files.sort()).toEqual(baselineNouns.map((noun) => `${noun}.sql`).sort())
  })

  it('Every function, view and trigger is defined exactly once', async () => {
    const everything = await names(`
      select 'function ' || proname as name from pg_proc where pronamespace = 'public'::regnamespace
      union all select 'view ' || viewname from pg_views where schemaname = 'public'
      union all select 'trigger ' || tgname from pg_trigger join pg_class c on c.oid = tgrelid
        where not tgisinternal and c.relnamespace = 'public'::regnamespace`)
    expect(definedIn([...(await readMigrations()), ...(await readFunctions())])).toEqual(everything)
  })

  it('Only functions that columns depend on are defined beside the tables', async () => {
    const needed = await names(`
      select distinct 'function ' || proname as name from pg_depend d join pg_proc p on p.oid = d.refobjid
      where d.refclassid = 'pg_proc'::regclass and p.pronamespace = 'public'::regnamespace
        and d.classid in ('pg_attrdef'::regclass, 'pg_constraint'::regclass, 'pg_class'::regclass)`)
    expect(definedIn(await readMigrations())).toEqual(needed)
  })

  it('Function files are idempotent and their functions valid', async () => {
    const files = await readFunctions()
    expect(files.flatMap(({ name, text }) => faultsInFunctions(text).map((fault) => `${name}: ${fault}`))).toEqual([])
    await owner.query('begin; set local check_function_bodies = on')
    for (const { text } of files) await owner.query(text)
    await owner.query('rollback')
  })

  // Each release updates the file with `UPDATE_RELEASED=yes npx vitest run database-functions`.
  it('Function files replace or drop every function of the last release', async () => {
    const shapes = await names(`
      select concat('function ', proname, '(', pg_get_function_arguments(oid), ') ', pg_get_function_result(oid)) as name
        from pg_proc where pronamespace = 'public'::regnamespace
      union all select concat('trigger ', tgname, ' on ', relname) from pg_trigger join pg_class c on c.oid = tgrelid
        where not tgisinternal and relnamespace = 'public'::regnamespace
      union all select concat('view ', table_name, ' ', lpad(ordinal_position::text, 2, '0'), ' ', column_name, ' ', data_type)
        from information_schema.columns join information_schema.views using (table_schema, table_name)
        where table_schema = 'public'`)
    if (process.env.UPDATE_RELEASED) await writeFile(releasedFile, `${shapes.join('\n')}\n`)
    const released = (await readFile(releasedFile, 'utf8')).trim().split('\n')
    const statements = (await readFunctions()).flatMap(({ text }) => statementsOf(text).map(bare))
    const stranded = released.filter((shape) => {
      const [kind, name] = /^\w+ \w+/.exec(shape)?.[0].split(' ') ?? []
      const dropped = new RegExp(`^drop ${kind} if exists ${name}\\b`)
      return !shapes.includes(shape) && !statements.some((statement) => dropped.test(statement))
    })
    expect(stranded).toEqual([])
    expect(released.length).toBeGreaterThan(50)
  })

  it.each([
    'create function f() returns integer language sql as $$ select 1; $$;',
    'drop function if exists f(uuid);',
    '-- Rolling update: nothing calls it.\ndrop function if exists f(uuid);',
    '-- Needs Duet 1.2.0: nothing calls it.\ndrop function f(uuid);',
    'update people set age = 0;',
    'create table people ();',
  ])('A function file may not contain %s', (statement) => {
    expect(faultsInFunctions(statement)).toHaveLength(1)
  })

  it('A function file may drop a function that nothing calls anymore', () => {
    const removal = '-- Needs Duet 1.2.0: f_of is called instead.\ndrop function if exists f(uuid);'
    expect(faultsInFunctions(removal)).toEqual([])
  })
})

describe('Updating functions', () => {
  const askApplied = `select obj_description('kysely_migration'::regclass, 'pg_class') as name`
  const record = (applied: { version: string; digests: object }) =>
    owner.query(`comment on table kysely_migration is ${owner.escapeLiteral(JSON.stringify(applied))}`)
  const asItWas = async () => JSON.parse((await names(askApplied))[0] ?? '') as { version: string; digests: object }
  const source = () => names(`select prosrc as name from pg_proc where proname = 'is_blocked'`)
  const replaced = `create or replace function is_blocked(a uuid, b uuid) returns boolean language sql as 'select true'`
  let now: { version: string; digests: object }
  let asItIs: string[]
  beforeEach(async () => {
    await migrate(database.config)
    now = await asItWas()
    asItIs = await source()
  })

  it('Only functions of changed files are replaced', async () => {
    await owner.query(replaced)
    await migrate(database.config)
    expect(await source()).not.toEqual(asItIs)
    await record({ ...now, digests: { ...now.digests, safety: 'another' } })
    const lockPair = `select xmin::text as name from pg_proc where proname = 'lock_pair'`
    const before = await names(lockPair)
    await migrate(database.config)
    expect([await source(), await asItWas(), await names(lockPair)]).toEqual([asItIs, now, before])
  })

  it('An older version leaves the functions of a newer one alone', async () => {
    const newer = { version: '1.0.1', digests: { ...now.digests, safety: 'newer' } }
    await owner.query(replaced)
    await record(newer)
    await migrate(database.config)
    expect(await asItWas()).toEqual(newer)
    expect(await source()).toEqual(['select true'])
    await record({ ...newer, version: '1.0.0-rc.0' })
    await migrate(database.config)
    expect(await source()).toEqual(asItIs)
  })

  it('A start is refused in one line when the database needs a newer version', async () => {
    const newer = { version: '1.2.0', needs: '1.1.0', digests: { ...now.digests, safety: 'newer' } }
    await record(newer)
    await expect(migrate(database.config)).rejects.toThrow(
      /^The database is from a newer Duet \(it has the functions of 1\.2\.0\) and needs version 1\.1\.0: start that one instead\.$/,
    )
    expect(await asItWas()).toEqual(newer)
    await record(now)
  })

  it('A version starts on a newer one’s database when their functions are the same', async () => {
    await record({ ...now, version: '9.0.0' })
    await migrate(database.config)
    expect((await asItWas()).version).toBe('9.0.0')
    await record({ ...now, version: server.version })
  })

  it('All new functions exist before any function is replaced, wherever the update stops', async () => {
    const all = definedIn(await readFunctions()).filter((one) => one.startsWith('function '))
    const there = () =>
      names(`select distinct 'function ' || proname as name from pg_proc where pronamespace = 'public'::regnamespace`)
    const released = await readFile(releasedFile, 'utf8')
    const added = all.filter((one) => !released.includes(`${one}(`))
    for (const one of added) await owner.query(`drop ${one} cascade`)
    await owner.query('alter view searchable rename to seen; create table searchable ()')
    await record({ ...now, digests: {} })
    await expect(migrate(database.config)).rejects.toThrow('searchable')
    expect(Object.keys((await asItWas()).digests)).toEqual(['accounts'])
    expect(await there()).toEqual(expect.arrayContaining(all))
    await owner.query('drop table searchable; alter view seen rename to searchable')
    await migrate(database.config)
    expect(await asItWas()).toEqual(now)
  })

  it('The functions of a file are replaced together or not at all, and the next start resumes there', async () => {
    const isSeen = () => names(`select prosrc as name from pg_proc where proname = 'wide_cell'`)
    const seen = await isSeen()
    await record({ ...now, digests: {} })
    await owner.query(`create or replace function wide_cell(cell text) returns bigint language sql as 'select 1::bigint';
      ${replaced}; drop view searchable cascade; create table searchable ()`)
    await expect(migrate(database.config)).rejects.toThrow('searchable')
    expect([await isSeen(), await source()]).toEqual([['select 1::bigint'], ['select true']])
    expect(Object.keys((await asItWas()).digests)).toEqual(['accounts'])
    await owner.query('drop table searchable')
    await migrate(database.config)
    expect([await isSeen(), await source(), await asItWas()]).toEqual([seen, asItIs, now])
  })
})

it.each([
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0-rc.10', '1.0.0-rc.9', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0-rc.1', '1.9.9', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0-rc.1', '1.0.0-rc.1', false],
  ['1.0.0-rc.1', '1.0.0', false],
  ['0.9.9', '1.0.0-rc.1', false],
])('Whether %s is newer than %s: %s', (version, other, after) => {
  expect(isNewer(version, other)).toBe(after)
})
