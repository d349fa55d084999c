import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { joinDatabase, joinOrMakeDatabase, openDatabase } from './database-source.ts'
import { migrate } from './platform/database/database.ts'
import { readMigrations } from './platform/database/schema-files.ts'
import { CannotStart } from './platform/process/data-dir.ts'
import { createEmptyDatabase, type TestDatabase } from './test/database.ts'

const slow = { timeout: 240_000 }
const log = { debug() {}, info() {}, warn() {}, error() {} }
const dataDir = mkdtempSync(join(tmpdir(), 'duet-source-'))
const newest = (await readMigrations()).at(-1)?.name
let database: TestDatabase
beforeEach(async () => {
  database = await createEmptyDatabase()
})
afterEach(() => database.drop())
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

function settings() {
  const { host, user, database: name } = database.config
  const databaseUrl = `postgres:///${name}?${new URLSearchParams({ host, user })}`
  return { dataDir, databaseUrl, databaseDirectUrl: undefined }
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.config)
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}
const executed = () => query('select name from kysely_migration order by name desc limit 1')

const command = (name: string, ...args: string[]) =>
  commandIn({ DATA_DIR: dataDir, DATABASE_URL: settings().databaseUrl }, name, ...args)

async function commandIn(environment: Record<string, string>, name: string, ...args: string[]) {
  const file = fileURLToPath(new URL(`./cli/${name}.ts`, import.meta.url))
  const env = { PATH: process.env.PATH ?? '', ...environment }
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, stdout, stderr }
}

test('A command refuses an older schema in one line and does not change it', { ...slow, tags: 'long' }, async () => {
  await migrate(database.config)
  await query(`comment on table kysely_migration is '{"version":"0.9.0","digests":{}}'`)
  const line =
    'The database is from an older Duet (it lacks the functions of accounts): start this version once to update it, or run this command with the older version.'
  await expect(joinDatabase(settings(), log)).rejects.toThrow(line)
  for (const [name = '', ...args] of [
    ['backup', join(dataDir, 'x.backup')],
    ['audit', 'verify'],
    ['admin', 'grant', 'a@b.org'],
  ])
    expect(await command(name, ...args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
  expect(await query(`select obj_description('kysely_migration'::regclass)::json ->> 'version'`)).toEqual(['0.9.0'])
  expect(readdirSync(dataDir)).toEqual([])
})

test('A database from before 1.0 is refused unchanged, in one line that explains how to migrate it', {
  ...slow,
  tags: 'long',
}, async () => {
  await query('create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)')
  await query(`insert into kysely_migration values ('0001_accounts', ''), ('0034_learning', '')`)
  const line =
    'The database is from a Duet before 1.0: back it up with that version (npm run backup) and restore the backup with this version into an empty database (npm run restore -- FILE, with another DATA_DIR or DATABASE_URL).'
  await expect(openDatabase(settings(), log)).rejects.toThrow(new CannotStart(line))
  await expect(joinDatabase(settings(), log)).rejects.toThrow(new CannotStart(line))
  expect(await command('backup', join(dataDir, 'x.backup'))).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
  expect((await command('doctor')).stdout).toContain(`failed  database: ${line}\n`)
  expect(
    await query(`select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`),
  ).toEqual(['kysely_migration'])
})

test('A command accepts a newer compatible schema and refuses an incompatible one', slow, async () => {
  await migrate(database.config)
  await query(`insert into kysely_migration values ('9999_later', now()::text)`)
  await (await joinDatabase(settings(), log)).stop()
  expect((await command('migrate', '--plan')).stdout).toBe(
    'The database is from a newer Duet (it has 9999_later) that this version works with.\n',
  )
  expect(await executed()).toEqual(['9999_later'])
  await query(`comment on table kysely_migration is '{"version":"9.0.0","needs":"8.0.0","digests":{}}'`)
  await expect(joinDatabase(settings(), log)).rejects.toThrow(
    'The database is from a newer Duet (it has 9999_later) and needs version 8.0.0: start that one instead.',
  )
  await query(`delete from kysely_migration where name = '9999_later'`)
  await expect(joinDatabase(settings(), log)).rejects.toThrow('(it has the functions of 9.0.0) and needs version 8.0.0')
})

test('The plan of a migration lists its steps and changes nothing', { ...slow, tags: 'long' }, async () => {
  const plan = await command('migrate', '--plan')
  expect(plan.stdout).toMatch(/^run 0001_baseline\nrun 0002_/)
  expect(await query(`select to_regclass('kysely_migration')`)).toEqual([null])
  expect((await command('migrate')).stdout).toBe(`${plan.stdout}Done.\n`)
  expect(await executed()).toEqual([newest])
  await query(`comment on table kysely_migration is '{"version":"0.9.0","digests":{}}'`)
  expect((await command('migrate', '--plan')).stdout).toMatch(/^replace the functions of accounts\n/)
  expect((await command('migrate')).code).toBe(0)
  expect((await command('migrate', '--plan')).stdout).toBe('The schema is up to date.\n')
  expect(await command('migrate', '--all')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'usage: npm run migrate [-- --plan]\n',
  })
})

test('A newer schema that lacks one of our migrations is refused', slow, async () => {
  await migrate(database.config)
  await query(`insert into kysely_migration values ('9999_later', now()::text)`)
  await query(`delete from kysely_migration where name = '${newest}'`)
  await expect(joinDatabase(settings(), log)).rejects.toThrow(
    '(it has 9999_later) and needs that version: start that one',
  )
})

test('A command accepts the newest schema', slow, async () => {
  await migrate(database.config)
  await (await joinDatabase(settings(), log)).stop()
  expect(await executed()).toEqual([newest])
})

test('A command creates no database and says in one line that there is none', { ...slow, tags: 'long' }, async () => {
  const missing = join(dataDir, 'missing')
  const away = `There is no Duet in ${missing}. Is DATABASE_URL missing, or is DATA_DIR wrong?\n`
  const empty =
    'There is no Duet in the database of DATABASE_URL. Is it the right one? Duet fills an empty database when it starts.\n'
  for (const [name = '', ...args] of [
    ['backup', join(dataDir, 'x.backup')],
    ['audit', 'verify'],
    ['admin', 'grant', 'a@b.org'],
  ]) {
    expect(await commandIn({ DATA_DIR: missing }, name, ...args)).toEqual({ code: 1, stdout: '', stderr: away })
    expect(await command(name, ...args)).toEqual({ code: 1, stdout: '', stderr: empty })
  }
  expect(await commandIn({ DATA_DIR: missing }, 'migrate', '--plan')).toEqual({ code: 1, stdout: '', stderr: away })
  expect((await commandIn({ DATA_DIR: missing, PORT: '0' }, 'doctor')).stdout).toContain(
    `ok      data directory: ${missing}, created on the first start\n`,
  )
  expect(existsSync(missing)).toBe(false)
  expect(await query(`select to_regclass('kysely_migration')`)).toEqual([null])
})

test('The seed command may fill a new database', { ...slow, tags: 'long' }, async () => {
  await (await joinOrMakeDatabase(settings(), log)).stop()
  expect(await executed()).toEqual([newest])
})
