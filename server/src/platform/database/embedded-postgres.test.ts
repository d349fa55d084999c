import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { postgresProcessesOf } from '../process/processes.ts'
import { type EmbeddedPostgres, joinEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { databaseUser, postgresBinaries } from './postgres-binaries.ts'
import { pathWithin } from './postgres-cluster.ts'

const slow = { timeout: 120_000 }
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const top = mkdtempSync(join(tmpdir(), 'duet-embedded-'))
const dataDir = join(top, 'data')
const folder = join(dataDir, 'postgres')
const pidFile = join(folder, 'postmaster.pid')
const holders: ChildProcess[] = []
afterAll(async () => {
  for (const holder of holders) holder.kill('SIGKILL')
  await until(() => postgresProcessesOf(folder).length === 0)
  rmSync(top, { recursive: true, force: true })
})

const start = (options: { dataDir?: string; durable?: boolean } = {}) =>
  startEmbeddedPostgres({ dataDir, log: quiet, ...options })

async function query(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

function postmaster(): number {
  return existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 60_000) throw new Error('it does not happen')
    await sleep(20)
  }
}

async function withPostgres<T>(work: (postgres: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const postgres = await start()
  try {
    return await work(postgres)
  } finally {
    await postgres.stop()
  }
}

async function hold(): Promise<{ holder: ChildProcess; connection: pg.ClientConfig }> {
  const script = fileURLToPath(new URL('../../test/postgres-holder.ts', import.meta.url))
  const holder = spawn(process.execPath, ['--import', 'tsx', script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  holders.push(holder)
  if (!holder.stdout) throw new Error('no output')
  const [line] = await once(createInterface(holder.stdout), 'line')
  return { holder, connection: JSON.parse(line) }
}

test('Rows survive a restart, in a folder that only its owner can enter', {
  ...slow,
  tags: 'long',
}, async () => {
  mkdirSync(join(dataDir, 'postgres.new-unfinished'), { recursive: true })
  await withPostgres(async ({ connection }) => {
    await query(connection, `create table kept as select 'ÄÖÜ' as word`)
    expect(await query(connection, 'select lower(word) from kept')).toEqual(['äöü'])
    expect(await query(connection, `select current_setting('listen_addresses')`)).toEqual([''])
  })
  expect(existsSync(join(dataDir, 'postgres.new-unfinished'))).toBe(false)
  expect(postmaster()).toBe(0)
  chmodSync(top, 0o755)
  expect(await withPostgres(({ connection }) => query(connection, 'select word from kept'))).toEqual(['ÄÖÜ'])
  chmodSync(top, 0o700)
})

test('A second server is refused in one line, and a command may join the first', {
  ...slow,
  tags: 'long',
}, async () => {
  const { holder } = await hold()
  await expect(start()).rejects.toThrow(/^Another Duet \(process \d+\) runs on .*DATA_DIR/)
  const joined = await joinEmbeddedPostgres({ dataDir, log: quiet })
  await joined.stop()
  expect(await query(joined.connection, 'select word from kept')).toEqual(['ÄÖÜ'])
  holder.kill('SIGTERM')
  await once(holder, 'exit')
  expect(existsSync(join(dataDir, 'postgres.lock'))).toBe(false)
})

test('A second command waits until the first command and its database have ended', {
  ...slow,
  tags: 'long',
}, async () => {
  const waiting: string[] = []
  const log = { ...quiet, warn: (line: unknown) => void waiting.push(String(line)) }
  const first = await joinEmbeddedPostgres({ dataDir, log: quiet })
  const second = joinEmbeddedPostgres({ dataDir, log })
  await until(() => waiting.length > 0)
  expect(waiting).toEqual([expect.stringMatching(/waiting for process \d+, a command that has not ended yet$/)])
  await expect(start()).rejects.toThrow(/^A command \(process \d+\) runs on .*: wait until it has ended/)
  expect(await query(first.connection, 'select word from kept')).toEqual(['ÄÖÜ'])
  await first.stop()
  const { connection, stop } = await second
  expect(await query(connection, 'select word from kept')).toEqual(['ÄÖÜ'])
  await stop()
})

test('The database stops when its parent is killed', { ...slow, tags: 'long' }, async () => {
  const { holder, connection } = await hold()
  await query(connection, `insert into kept values ('parent killed')`)
  holder.kill('SIGKILL')
  await until(() => postgresProcessesOf(folder).length === 0)
  expect(await withPostgres((again) => query(again.connection, 'select count(*)::int from kept'))).toEqual([2])
})

test('No committed row is lost when the database and its parent are killed', {
  ...slow,
  tags: 'long',
}, async () => {
  const { holder, connection } = await hold()
  await query(connection, `insert into kept select 'all killed' from generate_series(1, 1000)`)
  holder.kill('SIGKILL')
  for (const pid of postgresProcessesOf(folder)) killIfThere(pid)
  expect(await withPostgres((again) => query(again.connection, 'select count(*)::int from kept'))).toEqual([1002])
})

test('A database that outlived its parent is stopped before a new one starts', {
  ...slow,
  tags: 'long',
}, async () => {
  const runAs = databaseUser(folder)
  const args = ['-D', pathWithin(folder, runAs), '-k', '.', '-c', 'listen_addresses=']
  const leftover = spawn(join(postgresBinaries(runAs), 'bin/postgres'), args, {
    cwd: folder,
    ...runAs,
    stdio: 'ignore',
  })
  const ended = once(leftover, 'exit')
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready'))
  expect(await withPostgres(({ connection }) => query(connection, 'select count(*)::int from kept'))).toEqual([1002])
  expect((await ended)[0]).toBe(0)
})

test('A killed database restarts', { ...slow, tags: 'long' }, async () => {
  await withPostgres(async ({ connection }) => {
    const pid = postmaster()
    process.kill(pid, 'SIGKILL')
    await until(() => postmaster() !== pid && existsSync(join(folder, '.s.PGSQL.5432')))
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready'))
    expect(await query(connection, 'select count(*)::int from kept')).toEqual([1002])
  })
})

test('A database that is killed during its first starts is started again', {
  ...slow,
  tags: 'long',
}, async () => {
  const fresh = join(top, 'fresh')
  let killed = 0
  const debug = (line: unknown) => {
    if (killed > 1 || !String(line).includes('starting PostgreSQL')) return
    killed += 1
    killIfThere(Number(readFileSync(join(fresh, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]))
  }
  const log = { ...quiet, debug }
  const postgres = await startEmbeddedPostgres({ dataDir: fresh, log, durable: false })
  await until(() => killed === 2)
  await expect.poll(() => query(postgres.connection, 'select 1').catch(() => [])).toEqual([1])
  await postgres.stop()
})

test('A new database uses only the system locale C and sorts like one made with C.UTF-8', {
  ...slow,
  tags: 'long',
}, async () => {
  const older = join(top, 'older', 'postgres')
  mkdirSync(older, { recursive: true })
  const runAs = databaseUser(older)
  if (runAs.uid !== undefined) chownSync(older, runAs.uid, runAs.gid)
  const initdb = join(postgresBinaries(runAs), 'bin/initdb')
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
  const args = ['-D', pathWithin(older, runAs), '-U', 'duet', '--auth=trust', '--no-sync', ...locale]
  expect(spawnSync(initdb, args, { cwd: older, ...runAs, stdio: 'ignore' }).status).toBe(0)
  const rules = `select datlocprovider, datlocale, pg_encoding_to_char(encoding) from pg_database where datname = 'postgres'`
  const sorted = `select string_agg(word, ' ' order by word), lower('ÄΣİ'), upper('ñß'), 'É' ~* 'é', initcap('ΟΔΟΣ жук')
    from unnest(array['zebra', 'Äpfel', 'apfel', 'Zoe', 'éa', '北京', 'أمل']) word`
  const look = async (place: string) => {
    const { connection, stop } = await start({ dataDir: place, durable: false })
    const found = [await query(connection, rules), await query(connection, sorted)]
    const ofSystem = await query(connection, 'select distinct datcollate, datctype from pg_database')
    await stop()
    return { found, ofSystem }
  }
  const now = await look(join(top, 'now'))
  const before = await look(join(top, 'older'))
  expect(now.ofSystem).toEqual(['C', 'C'])
  expect(before.ofSystem).toEqual(['C.UTF-8', 'C.UTF-8'])
  expect(now.found).toEqual(before.found)
  expect(now.found[0]).toEqual(['b', 'C.UTF-8', 'UTF8'])
})

test('A data directory may have a long path', { ...slow, tags: 'long' }, async () => {
  const long = join(top, 'a-folder-with-quite-a-long-name'.repeat(4))
  const postgres = await start({ dataDir: long, durable: false })
  expect(await query(postgres.connection, 'select 1')).toEqual([1])
  await postgres.stop()
  expect(existsSync(postgres.connection.host)).toBe(false)
})
