import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tools/ports.ts'
import { postgresProcessesOf } from './platform/process/processes.ts'
import { holdPort } from './platform/process/starting.ts'
import { createEmptyDatabase } from './test/database.ts'

const slow = { timeout: 240_000 }
const top = mkdtempSync(join(tmpdir(), 'duet-main-'))
const dataDir = join(top, 'first')
const postmaster = () => readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
const children: ChildProcess[] = []

function start(environment: Record<string, string>) {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const { PATH = '' } = process.env
  const env = { PATH, DEMO: 'off', LOG_LEVEL: 'silent', ...environment }
  const child = spawn(process.execPath, ['--import', 'tsx', main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const ended = once(child, 'exit').then(async ([code]) => ({
    code,
    stdout: (await output)[0],
    stderr: (await output)[1],
  }))
  return { child, ended }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(100)
}

const isReady = (port: string) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

let port: string
let metricsPort: string
let first: ReturnType<typeof start>
beforeAll(async () => {
  port = String(await freePort())
  metricsPort = String(await freePort())
  first = start({ PORT: port, METRICS_PORT: metricsPort, DATA_DIR: dataDir })
  await until(() => isReady(port))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await until(() => postgresProcessesOf(join(dataDir, 'postgres')).length === 0)
  // An interrupted start may still be writing its last files.
  rmSync(top, { recursive: true, force: true, maxRetries: 40, retryDelay: 100 })
})

async function besideFirst(second: () => Promise<void>): Promise<void> {
  const before = postmaster()
  await second()
  expect(postmaster()).toBe(before)
  expect(await isReady(port)).toBe(true)
}

test('A second Duet on a taken port says so in one line and changes nothing', { ...slow, tags: 'long' }, () =>
  besideFirst(async () => {
    const other = join(top, 'second')
    expect(await start({ PORT: port, DATA_DIR: other }).ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `PORT: ${port} is in use; stop what uses it or set another PORT\n`,
    })
    const metrics = { PORT: String(await freePort()), METRICS_PORT: metricsPort, DATA_DIR: other }
    expect(await start(metrics).ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `METRICS_PORT: ${metricsPort} is in use; stop what uses it or set another METRICS_PORT\n`,
    })
    expect(existsSync(other)).toBe(false)
  }),
)

test('A second Duet on a taken port does not touch an external database', {
  ...slow,
  tags: 'long',
}, async () => {
  const { config, drop } = await createEmptyDatabase()
  const url = `postgres:///${config.database}?${new URLSearchParams({ host: config.host, user: config.user })}`
  const { code } = await start({ PORT: port, DATA_DIR: join(top, 'second'), DATABASE_URL: url }).ended
  const client = new pg.Client(config)
  await client.connect()
  const { rows } = await client.query(`select count(*)::int as tables from pg_tables where schemaname = 'public'`)
  await client.end()
  await drop()
  expect({ code, rows }).toEqual({ code: 1, rows: [{ tables: 0 }] })
})

test(
  'A second Duet on the same data directory names the first in one line and changes nothing',
  { ...slow, tags: 'long' },
  () =>
    besideFirst(async () => {
      const { code, stdout, stderr } = await start({ PORT: String(await freePort()), DATA_DIR: dataDir }).ended
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(
        `Another Duet (process ${first.child.pid}) runs on ${dataDir}: stop it first, or set DATA_DIR to another folder.\n`,
      )
    }),
)

test('A signal during the start ends Duet and releases its claim', { ...slow, tags: 'long' }, async () => {
  const other = join(top, 'interrupted')
  const lock = join(other, 'postgres.lock')
  const { child, ended } = start({ PORT: String(await freePort()), DATA_DIR: other })
  await expect.poll(() => existsSync(lock), { timeout: 60_000, interval: 20 }).toBe(true)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(143)
  expect(existsSync(lock)).toBe(false)
})

test('Stopping Duet also stops its database', slow, async () => {
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
  expect(postgresProcessesOf(join(dataDir, 'postgres'))).toEqual([])
  expect(existsSync(join(dataDir, 'postgres.lock'))).toBe(false)
})

test('While Duet starts, its port answers health checks and rejects everything else', async () => {
  const own = await freePort()
  const free = await holdPort(own, '127.0.0.1')
  const ask = async (path: string) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${own}${path}`)
    return [status, headers.get('content-type'), headers.get('retry-after')]
  }
  expect(await ask('/healthz')).toEqual([200, 'application/json', null])
  for (const path of ['/readyz', '/home', '/api/user/myDetails'])
    expect(await ask(path)).toEqual([503, 'application/problem+json', '5'])
  await expect(holdPort(own, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' })
  await free()
  await (await holdPort(own, '127.0.0.1'))()
})
