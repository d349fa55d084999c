import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobsOf } from './jobs.ts'
import { connectOwner } from './platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from './test/app.ts'

let app: TestApp
let owner: ReturnType<typeof connectOwner>
beforeAll(async () => {
  app = await startTestApp()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const patienceOf = `select sum(exp(least(attempt, 10)))::float as seconds from graphile_worker._private_jobs j,
  generate_series(1, j.max_attempts - 1) attempt where key = 'patience'`

it('Every queued email is retried for at least a day', async () => {
  const base = { platform: app.platform, asOwner: app.platform, locks: owner.pool, jobs: app.platform.jobs }
  const tasks = jobsOf(base as never, ownerOf(app.platform)).filter(({ name, cron }) => !cron && /^mail-/.test(name))
  const promised = ['mail-account-notice', 'mail-answer', 'mail-erasure', 'mail-statement']
  expect(tasks.map(({ name }) => name)).toEqual(expect.arrayContaining(promised))
  const client = await owner.pool.connect()
  try {
    for (const { name } of tasks) {
      await client.query('begin')
      await client.query(`select add_job($1, '{}'::json, 'patience')`, [name])
      const { rows } = await client.query<{ seconds: number }>(patienceOf)
      await client.query('rollback')
      expect([name, (rows[0]?.seconds ?? 0) >= 86_400]).toEqual([name, true])
    }
  } finally {
    client.release()
  }
})
