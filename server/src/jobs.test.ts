import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobsOf } from './jobs.ts'
import { minutes, seconds } from './platform/clock.ts'
import { connectOwner, type Pools } from './platform/database/database.ts'
import type { JobRunner, JobSpec } from './platform/jobs/jobs.ts'
import { ownerOf, startTestApp, stoppedClock, type TestApp } from './test/app.ts'
import { people } from './test/people.ts'

const due = 200
const hanging = seconds(10)

let app: TestApp
let owner: Pools
let specs: JobSpec[]
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'silent' }, { clock: stoppedClock() })
  // Otherwise scheduled check-in emails would also advance the clock.
  await (app.platform.jobs as JobRunner).rest()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
  const { platform } = app
  const base = { platform, asOwner: { ...platform, db: owner.db }, locks: owner.pool, jobs: platform.jobs as never }
  specs = jobsOf(base, ownerOf(platform))
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const name = (ending: string, bytes = 16) => `${randomBytes(bytes).toString('base64url')}.${ending}`
const names = (ending: string, bytes = 16) => Array.from({ length: due }, () => name(ending, bytes))

async function haveWorkDue(): Promise<void> {
  const [now, run] = [app.clock.now(), (text: string, values: unknown[]) => owner.pool.query(text, values)]
  const ids = (await people(app, due)).map(({ id }) => id)
  const leaving = (await people(app, due)).map(({ id }) => id)
  const [one = '', other = ''] = [...ids].sort()
  const conversation = randomUUID()
  await run('delete from sessions', [])
  await run(`update profiles set last_active_at = $1::timestamptz - interval '23 months 3 days'`, [now])
  await run(
    `insert into notifications (user_id, kind, link, created_at)
    select id, 'match', '/home', $2::timestamptz - interval '2 hours' from unnest($1::uuid[]) id`,
    [ids, now],
  )
  await run(
    `insert into shared_dates (id, user_id, token_hash, place, at, check_in_minutes, check_in_at, contact_email, created_at, expires_at)
    select gen_random_uuid(), id, sha256(id::text::bytea), 'Café', t, 30, t, id || '@example.com', t, t + interval '1 day'
    from unnest($1::uuid[]) id, (select $2::timestamptz - interval '2 hours' as t) past`,
    [ids, now],
  )
  await run(
    `insert into photos (file_name, user_id, position, state, width, height, blurhash, sha256, created_at, reviewed_at)
    select file, id, 0, 'rejected', 1, 1, '', sha256(file::bytea), t, t
    from unnest($1::uuid[], $2::text[]) photo (id, file), (select $3::timestamptz - interval '31 days' as t) past`,
    [[...ids, ...leaving], [...names('webp'), ...names('webp')], now],
  )
  await run(
    `insert into data_exports (user_id, language, state, asked_at, file_name, bytes, expires_at)
    select id, 'en', 'ready', $3, file, 1, $3 from unnest($1::uuid[], $2::text[]) export (id, file)`,
    [ids, names('zip', 32), now],
  )
  await run(
    `insert into verifications (user_id, pose, state, file_name, asked_at, expires_at, submitted_at)
    select id, 'wave', 'waiting', file, t, t, t
    from unnest($1::uuid[], $2::text[]) v (id, file), (select $3::timestamptz - interval '8 days' as t) past`,
    [ids, names('sealed'), now],
  )
  await run('insert into conversations (id, user_lo, user_hi, created_at) values ($1, $2, $3, $4)', [
    ...[conversation, one, other, now],
  ])
  await run(
    `insert into attachments (id, owner_id, conversation_id, kind, file_name, width, height, blurhash, created_at)
    select gen_random_uuid(), $1, $2, 'photo', file, 1, 1, '', $4::timestamptz - interval '2 days' from unnest($3::text[]) file`,
    [one, conversation, names('webp'), now],
  )
  await run('update accounts set erase_at = $2 where id = any($1)', [leaving, now])
  const left = Array.from({ length: 8 * due }, () => `photos/320/${name('webp')}`)
  await run('insert into files_to_remove (key, since) select key, $2 from unnest($1::text[]) key', [left, now])
}

function hang(code?: string): () => Promise<never> {
  let waiting: Promise<void> | undefined
  return async () => {
    waiting ??= Promise.resolve().then(() => {
      app.clock.advance(hanging)
      waiting = undefined
    })
    await waiting
    throw Object.assign(new Error('no answer'), { code })
  }
}

it('Every scheduled job ends within two minutes while the mail server and file store hang', {
  tags: 'long',
}, async () => {
  await haveWorkDue()
  const { mailer, storage } = app.platform
  mailer.send = hang('ETIMEDOUT')
  storage.remove = hang()
  storage.list = async function* () {
    for (const file of names('webp').slice(0, 20)) yield { key: `photos/320/${file}`, writtenAt: new Date(0) }
  }
  const took: Record<string, number> = {}
  for (const { name: job, cron, run } of specs) {
    if (!cron) continue
    app.clock.advance(minutes(2))
    const began = app.clock.now().getTime()
    await run({})
    took[job] = app.clock.now().getTime() - began
  }
  const waited = Object.keys(took).filter((job) => (took[job] ?? 0) >= hanging)
  expect(waited.sort()).toEqual([
    ...['end-retention', 'erase-due', 'mail-news', 'remove-files', 'sweep-attachments', 'sweep-exports'],
    ...['sweep-verifications', 'tell-contacts'],
  ])
  // The backup job is missing, because backups aren't configured here.
  expect(waited).toEqual(specs.flatMap(({ name: job, mayHang }) => (mayHang ? [job] : [])).sort())
  expect(Object.entries(took).filter(([, ms]) => ms > minutes(2))).toEqual([])
})

it('Every job that sends email or pushes to many people leaves slots for other jobs', () => {
  const waiting = specs.filter(({ name: job, cron }) => !cron && /^(mail-|push$)/.test(job))
  expect(waiting.length).toBeGreaterThan(3)
  expect(waiting.filter(({ waitsFor }) => !waitsFor).map(({ name: job }) => job)).toEqual([])
})
