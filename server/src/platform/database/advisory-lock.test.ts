import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { keptSecretKey } from '../security/secrets.ts'
import { withLock } from './advisory-lock.ts'
import { migrate } from './database.ts'
import { baseline } from './schema-files.ts'

const { host, user } = inject('postgres')

async function emptyDatabase(): Promise<pg.ClientConfig> {
  const database = `empty_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ host, user, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${database}`)
  onTestFinished(async () => {
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  })
  return { host, user, database }
}

it('Nodes that start together on an empty database create its schema once', {
  tags: ['long', 'race'],
}, async () => {
  const owner = await emptyDatabase()
  await Promise.all(Array.from({ length: 4 }, () => migrate(owner)))
  const client = new pg.Client(owner)
  await client.connect()
  const { rows } = await client.query('select name, count(*)::int as times from kysely_migration group by name')
  const { rows: views } = await client.query(`select viewname from pg_views where schemaname = 'public'`)
  await client.end()
  expect(rows).toContainEqual({ name: baseline, times: 1 })
  expect(rows.every(({ times }) => times === 1)).toBe(true)
  expect(views).toEqual([{ viewname: 'searchable' }])
})

it('Only one caller holds a lock at a time, the others take turns, and a failure releases it', {
  tags: 'long',
}, async () => {
  const pool = new pg.Pool({ ...(await emptyDatabase()), max: 8 })
  pool.on('error', () => undefined)
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await sleep(20)
    inside -= 1
    if (most < 2) throw new Error('it failed')
  }
  const turns = Array.from({ length: 5 }, () => withLock(pool, 'turn', work))
  const results = await Promise.allSettled(turns)
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(most).toBe(1)
  const stopping = new AbortController()
  const kept = withLock(pool, 'turn', () => sleep(300))
  await sleep(50)
  const waiting = withLock(pool, 'turn', work, stopping.signal)
  stopping.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await kept
  await pool.end()
})

it('Processes that start together agree on one secret key', { tags: 'race' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const dataDir = join(folder, 'data')
  const keys = await Promise.all([keptSecretKey(dataDir), keptSecretKey(dataDir), keptSecretKey(dataDir)])
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]?.length).toBeGreaterThanOrEqual(32)
})
