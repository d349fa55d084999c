import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ConfigError } from './config.ts'
import { CannotStart } from './platform/process/data-dir.ts'
import { StorageFault } from './platform/storage/storage-fault.ts'
import { reasonsOf, reasonsOfCommand } from './start-faults.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-faults-'))
let taken: Server
let port: number
beforeAll(async () => {
  writeFileSync(join(folder, 'file'), '')
  taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  port = (taken.address() as { port: number }).port
})
afterAll(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

const settings = (changes: Partial<NonNullable<Parameters<typeof reasonsOf>[1]>> = {}) => ({
  ...{ port, host: '127.0.0.1', metricsPort: undefined, dataDir: folder, databaseUrl: undefined },
  ...changes,
})
const listening = (host: string) =>
  new Promise<unknown>((resolve) => {
    const server = createServer().once('error', resolve)
    server.listen(port, host, () => server.close(resolve))
  })
const making = (path: string) => {
  try {
    mkdirSync(path, { recursive: true })
    return undefined
  } catch (error) {
    return error
  }
}
const connecting = (connectionString: string) =>
  new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 }).connect().catch((error: unknown) => error)
const system = (fields: object) => Object.assign(new Error('it failed'), fields)

it('Invalid variables and known start errors keep their own lines', () => {
  expect(reasonsOf(new ConfigError(['PORT: a', 'DEMO: b']), undefined)).toEqual(['PORT: a', 'DEMO: b'])
  expect(reasonsOf(new CannotStart('Another Duet runs.'), settings())).toEqual(['Another Duet runs.'])
})

it('A port that is in use or forbidden is reported with its variable', async () => {
  const inUse = await listening('127.0.0.1')
  expect(reasonsOf(inUse, settings())).toEqual([`PORT: ${port} is in use; stop what uses it or set another PORT`])
  expect(reasonsOf(inUse, settings({ port: 3000, metricsPort: port }))).toEqual([
    `METRICS_PORT: ${port} is in use; stop what uses it or set another METRICS_PORT`,
  ])
  const refused = system({ code: 'EACCES', syscall: 'listen', port })
  expect(reasonsOf(refused, settings())).toEqual([`PORT: this user may not open port ${port}; set another PORT`])
})

it('A HOST that is no address of this machine is reported', async () => {
  const databaseUrl = 'postgres://127.0.0.1/duet'
  for (const host of ['203.0.113.7', 'no.such.host.invalid']) {
    const fault = await listening(host)
    expect(reasonsOf(fault, settings({ host, databaseUrl }))).toEqual([
      `HOST: ${host} is not an address of this machine`,
    ])
  }
})

it('A DATA_DIR that is a file or not writable is reported', () => {
  for (const path of [join(folder, 'file'), join(folder, 'file', 'below')]) {
    expect(reasonsOf(making(path), settings({ dataDir: path }))).toEqual([
      `DATA_DIR: ${path} is not a folder; set DATA_DIR to a folder`,
    ])
  }
  const path = join(folder, 'secret-key')
  for (const code of ['EACCES', 'EROFS', 'EPERM']) {
    expect(reasonsOf(system({ code, syscall: 'open', path }), settings())).toEqual([
      `DATA_DIR: ${path} cannot be written by this user (${code}); make it writable or set another DATA_DIR`,
    ])
  }
  expect(reasonsOf(system({ code: 'ENOSPC', syscall: 'write', path }), settings())).toEqual([
    `DATA_DIR: there is no space left for ${path}`,
  ])
})

it('A DATABASE_URL that is unreachable or refuses us is reported', async () => {
  for (const databaseUrl of ['postgres://127.0.0.1:1/duet', 'postgres://no.such.host.invalid/duet']) {
    const [line, ...more] = reasonsOf(await connecting(databaseUrl), settings({ databaseUrl }))
    expect(line).toMatch(/^DATABASE_URL: the database cannot be reached \((ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\)$/)
    expect(more).toEqual([])
  }
  const refused = Object.assign(new Error('password authentication failed for user "ana"'), { severity: 'FATAL' })
  const databaseUrl = 'postgres://127.0.0.1/duet'
  expect(reasonsOf(refused, settings({ databaseUrl }))).toEqual([
    'DATABASE_URL: password authentication failed for user "ana"',
  ])
})

it('An unreachable file store is not blamed on the database', () => {
  const line = 'the store s3://photos cannot be used (connect ECONNREFUSED 127.0.0.1:9000)'
  const fault = new StorageFault(line, { cause: system({ code: 'ECONNREFUSED' }) })
  expect(reasonsOf(fault, settings({ databaseUrl: 'postgres://127.0.0.1/duet' }))).toEqual([line])
})

it('A failing command explains itself with its own environment', async () => {
  const databaseUrl = 'postgres://127.0.0.1:1/duet'
  vi.stubEnv('DATABASE_URL', databaseUrl)
  const fault = await connecting(databaseUrl)
  expect(reasonsOfCommand(fault)).toEqual(['DATABASE_URL: the database cannot be reached (ECONNREFUSED)'])
  vi.stubEnv('DATABASE_URL', 'nowhere')
  expect(reasonsOfCommand(new ConfigError(['DATABASE_URL: a']))).toEqual(['DATABASE_URL: a'])
  vi.unstubAllEnvs()
})

it('An unknown error is reported with its message or code', () => {
  expect(reasonsOf(new Error('it failed'), settings())).toEqual(['it failed'])
  expect(reasonsOf(system({ message: '', code: 'EMFILE' }), settings())).toEqual(['EMFILE'])
})
