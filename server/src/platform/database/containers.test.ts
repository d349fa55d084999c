import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claimant, claimDataDir } from '../process/data-dir.ts'
import { postgresProcessesOf } from '../process/processes.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { stopLeftover } from './postgres-cluster.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const top = mkdtempSync(join(tmpdir(), 'duet-containers-'))
const dataDir = join(top, 'data')
const folder = join(dataDir, 'postgres')
const lock = join(dataDir, 'postgres.lock')
const script = fileURLToPath(new URL('../../test/postgres-elsewhere.ts', import.meta.url))

// A PID namespace with its own /proc shows the processes a container would see.
const unshare = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const canUnshare = process.platform === 'linux' && spawnSync('unshare', [...unshare.slice(1), 'true']).status === 0
if (!canUnshare)
  process.stderr.write('Skipped: a second container on one data directory. It needs Linux, root and unshare(1).\n')

const children: ChildProcess[] = []
function elsewhere(action: string): { child: ChildProcess; line: Promise<Record<string, unknown>> } {
  const [command = '', ...options] = unshare
  const args = [...options, process.execPath, '--import', 'tsx', script, dataDir, action]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  if (!child.stdout) throw new Error('no output')
  const line = once(createInterface(child.stdout), 'line').then(([text]) => JSON.parse(text))
  return { child, line }
}
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function besideDatabase(work: () => Promise<void>): Promise<void> {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log })
  try {
    const before = marks()
    await work()
    expect(marks()).toEqual(before)
    expect(await words(connection)).toEqual([{ word: 'kept' }])
  } finally {
    await stop()
  }
}
function marks(): string[] {
  expect(existsSync(join(folder, '.s.PGSQL.5432'))).toBe(true)
  return ['postmaster.pid', '.s.PGSQL.5432.lock'].map(
    (name) => readFileSync(join(folder, name), 'utf8').split('\n')[0] ?? '',
  )
}
async function words(connection: pg.ClientConfig): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query('select word from kept')).rows
  } finally {
    await client.end()
  }
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  // Otherwise the next test would wait for the abandoned lock to expire.
  rmSync(lock, { force: true })
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

describe.skipIf(!canUnshare)('A second container with the same data directory', () => {
  beforeAll(async () => {
    const { connection, stop } = await startEmbeddedPostgres({ dataDir, log })
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(`create table kept as select 'kept' as word`)
    await client.end()
    await stop()
  })

  test('A second container starts no second database', { tags: 'long', timeout: 120_000 }, () =>
    besideDatabase(async () => {
      expect(await elsewhere('start').line).toMatchObject({
        error: expect.stringMatching(/^Another Duet \(in another container .*\) runs on .*DATA_DIR/),
      })
    }),
  )

  test(
    'A second container leaves a database that it cannot see alone, even when the claim is gone',
    { tags: 'long', timeout: 120_000 },
    () =>
      besideDatabase(async () => {
        rmSync(lock)
        for (const action of ['stopLeftover', 'start'])
          expect(await elsewhere(action).line).toMatchObject({
            error: expect.stringMatching(/in another container/),
          })
      }),
  )

  test('A command in a second container joins the running database', { timeout: 120_000 }, () =>
    besideDatabase(async () => {
      expect(await elsewhere('join').line).toEqual({ done: [{ word: 'kept' }] })
    }),
  )

  test('The host leaves the database of a container alone, although it sees its processes', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const { child, line } = elsewhere('hold')
    expect(await line).toEqual({ done: null })
    expect(postgresProcessesOf(folder)).not.toEqual([])
    await expect(stopLeftover(folder)).rejects.toThrow(/in another container/)
    expect(marks()[0]).not.toBe('')
    expect(claimant(dataDir)).toMatchObject({ isElsewhere: true })
    await expect(claimDataDir(dataDir)).rejects.toThrow(/in another container/)
    expect(postgresProcessesOf(folder)).not.toEqual([])
    await end(child, 'SIGKILL')
  })

  test('A container that is creating its database renews its claim, so the host waits', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const { child } = elsewhere('claim')
    await expect.poll(() => claimant(dataDir)?.isElsewhere).toBe(true)
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/in another container/)
    await end(child, 'SIGKILL')
  })

  test('The claim of a killed container expires and frees the data directory', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const { child, line } = elsewhere('hold')
    await line
    await end(child, 'SIGKILL')
    expect(existsSync(lock)).toBe(true)
    const { connection, stop } = await startEmbeddedPostgres({ dataDir, log })
    expect(await words(connection)).toEqual([{ word: 'kept' }])
    await stop()
  })
})

describe('A claim from elsewhere', () => {
  const other = join(top, 'other')
  const claimOf = (changes: object) => JSON.stringify({ pid: 1, identity: '1', place: 'another boot', ...changes })

  test('A claim that is old or from before a reboot expires immediately', async () => {
    ;(await claimDataDir(other)).release()
    writeFileSync(join(other, 'postgres.lock'), claimOf({ host: '/nowhere' }))
    utimesSync(join(other, 'postgres.lock'), 0, 0)
    expect(claimant(other)).toBeUndefined()
    const claim = await claimDataDir(other, { patience: 0 })
    expect(JSON.parse(readFileSync(join(other, 'postgres.lock'), 'utf8'))).toMatchObject({ pid: process.pid })
    claim.release()
    expect(readdirSync(other)).toEqual([])
  })

  test('A claim dated in the future by a clock change expires when nobody renews it', {
    tags: 'long',
    timeout: 60_000,
  }, async () => {
    ;(await claimDataDir(other)).release()
    writeFileSync(join(other, 'postgres.lock'), claimOf({}))
    const future = Date.now() / 1000 + 3_600
    utimesSync(join(other, 'postgres.lock'), future, future)
    expect(claimant(other)).toMatchObject({ isElsewhere: true })
    ;(await claimDataDir(other)).release()
    expect(readdirSync(other)).toEqual([])
  })
})
