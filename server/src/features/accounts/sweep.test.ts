import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { connectJobs } from '../../platform/database/database.ts'
import { batchSize } from '../../platform/database/in-batches.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { people } from '../../test/people.ts'
import { forgetExpired } from './accounts.ts'

let database: TestDatabase
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  app = await startTestApp({}, { database })
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

it('the sweep removes all expired rows, keeps live ones, and announces only sessions that were ended', async () => {
  const { pool, db } = connectJobs(database.config, () => undefined)
  onTestFinished(() => pool.end())
  const [ana] = await people(app, 1)
  const many = 2 * batchSize + 1
  await pool.query(
    `insert into sessions (token_hash, user_id, device, created_at, authenticated_at, last_seen_at, idle_expires_at, expires_at)
     select sha256(n::text::bytea), $1, 'Old', now() - interval '9 days', now(), now(), now() - interval '1 day', now() + interval '1 day'
     from generate_series(1, $2::integer) n`,
    [ana?.id, many],
  )
  await pool.query(
    `insert into rate_limits (key, points, expire) select 'old:' || n, 1, 1 from generate_series(1, $1::integer) n`,
    [many],
  )
  await pool.query(`insert into rate_limits (key, points, expire) values ('new', 1, 99999999999999)`)
  const listener = new pg.Client(database.config)
  const told: unknown[] = []
  listener.on('notification', ({ payload }) => told.push(payload))
  await listener.connect()
  onTestFinished(() => listener.end())
  await listener.query('listen session_ended')

  await forgetExpired({ db, clock: app.clock })

  const { rows } = await pool.query(
    `select (select count(*)::integer from sessions) as sessions, (select array_agg(key) from rate_limits where key in ('old:1', 'new')) as keys`,
  )
  expect(rows).toEqual([{ sessions: 1, keys: ['new'] }])
  const ended = await pool.query('delete from sessions where user_id = $1 returning id', [ana?.id])
  await expect.poll(() => told).toEqual(ended.rows.map(({ id }) => id))
})

it('sweeps find expired rows by an index', async () => {
  const client = new pg.Client(database.config)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('set enable_seqscan = off')
  const planOf = async (text: string) => JSON.stringify((await client.query(`explain (format json) ${text}`)).rows)
  expect(
    await planOf('select token_hash from sessions where idle_expires_at < now() order by idle_expires_at limit 9'),
  ).toContain('sessions_expiry')
  expect(await planOf('select key from rate_limits where expire < 9 order by expire limit 9')).toContain(
    'rate_limits_expiry',
  )
  expect(
    await planOf('select ctid from candidate_changes where changed_at < now() order by changed_at limit 9'),
  ).toContain('candidate_changes_age')
})
