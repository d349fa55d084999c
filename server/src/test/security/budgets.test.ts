import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../app.ts'
import { type Person, person } from '../people.ts'
import { statusesIn, talkRaw } from './raw.ts'

let app: TestApp
let ana: Person
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'silent' })
  ana = await person(app)
})
afterAll(() => app.close())

/** The pools for requests, for limits and the queue, and for jobs. */
const pools = () => app.measured.pools as unknown as Record<'app' | 'queue' | 'jobs', pg.Pool>

describe('a connection to the database', () => {
  it.each([
    ['statement_timeout', '5s'],
    ['lock_timeout', '2s'],
    ['idle_in_transaction_session_timeout', '10s'],
    ['timezone', 'UTC'],
  ])('A database connection has the expected %s.', async (name, value) => {
    const { rows } = await app.platform.pool.query(`show ${name}`)
    expect(Object.values(rows[0])).toEqual([value])
  })

  it('A database connection works with the application’s rights, not the owner’s.', async () => {
    const asked = `select current_user = $1 as owns, pg_has_role('duet_app', 'usage') as works`
    const { rows } = await app.platform.pool.query(asked, [ownerOf(app.platform).user])
    expect(rows).toEqual([{ owns: false, works: true }])
  })

  it.each([
    ['queue', '5s', '2s', '10s'],
    ['jobs', '2min', '10s', '5min'],
  ] as const)('An owner’s connection for %s has time limits.', async (name, statement, lock, idle) => {
    const pool = pools()[name]
    const shown = async (setting: string) => Object.values((await pool.query(`show ${setting}`)).rows[0])[0]
    expect(await shown('statement_timeout')).toBe(statement)
    expect(await shown('lock_timeout')).toBe(lock)
    expect(await shown('idle_in_transaction_session_timeout')).toBe(idle)
  })

  it('A connection for limits and the queue is free while requests and long jobs use all others.', async () => {
    const { app: requests, queue, jobs } = pools()
    const all = [requests, jobs].flatMap((pool) => Array.from({ length: pool.options.max }, () => pool.connect()))
    const held = await Promise.all(all)
    try {
      await app.platform.limits.spend({ name: 'of_pools', points: 5, seconds: 60 }, ana.id)
      await app.platform.jobs.add('of-pools', {})
      const counted = `select points::int from rate_limits where key like 'of_pools:%'`
      expect((await queue.query(counted)).rows).toEqual([{ points: 1 }])
    } finally {
      for (const client of held) client.release()
    }
  })

  it('A connection is released when a query takes too long, and the request gets 503.', { tags: 'long' }, async () => {
    const { query } = app.platform.pool
    const ask = query.bind(app.platform.pool) as unknown as (text: string) => Promise<unknown>
    app.platform.pool.query = (() => ask('select pg_sleep(8)')) as never
    app.platform.sessions.forget('')
    const { status, body } = await ana.call('GET /api/user/myDetails')
    app.platform.pool.query = query
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect((await ana.call('GET /api/user/myDetails')).status).toBe(200)
  })
})

describe('a connection to the server', () => {
  it('A connection to the server serves at most a thousand requests.', { tags: 'long' }, async () => {
    const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const heard = await talkRaw(app.url, one.repeat(1_020))
    const served = statusesIn(heard).filter((status) => status === 200)
    expect(served).toHaveLength(1_000)
  })
})
