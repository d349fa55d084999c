import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { stopLeftover } from '../database/postgres-cluster.ts'
import { claimant, claimDataDir } from './data-dir.ts'
import { postgresProcessesOf, processIdentity, processPlace } from './processes.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'duet-claims-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('Only one of several processes that claim a data directory together gets it', {
  tags: ['long', 'race'],
  timeout: 120_000,
}, async () => {
  const script = fileURLToPath(new URL('../../test/postgres-elsewhere.ts', import.meta.url))
  const args = ['--import', 'tsx', script, dataDir, 'compete']
  const outcomes = await Promise.all(
    [1, 2, 3].map(async () => {
      const { stdout } = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      return JSON.parse(await text(stdout))
    }),
  )
  expect(outcomes).toEqual(Array(3).fill({ done: { won: 40, shared: 0 } }))
  expect(readdirSync(dataDir)).toEqual([])
})

test('Ending a process releases its claim, and the claim of a killed process does not count', async () => {
  const lock = join(dataDir, 'postgres.lock')
  const claim = await claimDataDir(dataDir)
  expect(claimant(dataDir)).toMatchObject({ pid: process.pid, isElsewhere: false })
  await expect(claimDataDir(dataDir, { patience: 0 })).rejects.toThrow(`Another Duet (process ${process.pid}) runs on`)
  claim.release()
  writeFileSync(lock, JSON.stringify({ pid: process.pid, identity: 'of another', place: processPlace() }))
  writeFileSync(join(dataDir, 'postgres.claim-left'), '{')
  expect(claimant(dataDir)).toBeUndefined()
  ;(await claimDataDir(dataDir, { patience: 0 })).release()
  expect(readdirSync(dataDir)).toEqual([])
})

test('A claim without a place counts as made on this machine', async () => {
  const lock = join(dataDir, 'postgres.lock')
  writeFileSync(lock, JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid), host: '/nowhere' }))
  expect(claimant(dataDir)).toMatchObject({ isElsewhere: false })
  rmSync(lock)
})

test('The identity of a process does not depend on language or time zone', () => {
  const inZone = (zone: string, language: string) => {
    vi.stubEnv('TZ', zone)
    vi.stubEnv('LANG', language)
    vi.stubEnv('LC_ALL', language)
    try {
      return processIdentity(process.pid, 'ps')
    } finally {
      vi.unstubAllEnvs()
    }
  }
  const here = inZone('UTC', 'C')
  expect(here).toMatch(/\d\d:\d\d:\d\d/)
  expect(inZone('Asia/Tokyo', 'ja_JP.UTF-8')).toBe(here)
  expect(inZone('America/New_York', 'de_DE.UTF-8')).toBe(here)
  expect(processIdentity(2 ** 30, 'ps')).toBeUndefined()
})

test('A database is not confused with one in a folder whose name starts the same', async () => {
  const folder = join(dataDir, 'postgres')
  mkdirSync(folder)
  const pretend = spawn('/bin/sh', ['-c', 'read -r line', `/bin/postgres -D ${folder}-other -c fsync=on`])
  await expect.poll(() => postgresProcessesOf(`${folder}-other`, 'ps')).toEqual([pretend.pid])
  expect(postgresProcessesOf(folder, 'ps')).toEqual([])
  pretend.stdin.end('over\n')
})

test('A database whose socket answers is left alone even if its process is invisible', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(dataDir, 'unseen-'))
  const socket = join(folder, '.s.PGSQL.5432')
  writeFileSync(join(folder, 'postmaster.pid'), '1\n')
  const server = createServer().listen(socket)
  await once(server, 'listening')
  await expect(stopLeftover(folder)).rejects.toThrow(`A database runs on ${folder} in another container`)
  expect(readdirSync(folder).sort()).toEqual(['.s.PGSQL.5432', 'postmaster.pid'])
  server.close()
  await once(server, 'close')
  // A socket file that no process listens on.
  writeFileSync(socket, '')
  await stopLeftover(folder)
  expect(readdirSync(folder)).toEqual([])
})
