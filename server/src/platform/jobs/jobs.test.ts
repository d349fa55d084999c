import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { connectOwner } from '../database/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { createLogger } from '../logger.ts'
import { createJobs, type JobRunner, type JobSpec, onTheClock } from './jobs.ts'

const log = createLogger('silent')
const patient = { timeout: 60_000 }

let postgres: EmbeddedPostgres
const startPostgres = async () => {
  postgres = await startEmbeddedPostgres({ dataDir: join(inject('folder'), 'jobs'), log, durable: false })
}
beforeAll(startPostgres)
afterAll(() => postgres.stop())

async function startJobs(...specs: JobSpec[]): Promise<{ jobs: JobRunner; pool: pg.Pool }> {
  const { pool } = connectOwner(postgres.connection, () => undefined)
  const jobs = await createJobs(pool, log, { locksEveryMs: 20 })
  await jobs.start(specs)
  onTestFinished(async () => {
    await jobs.stop()
    await pool.end()
  })
  return { jobs, pool }
}

function slowTask(name: string) {
  let letGo = () => {}
  const free = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const begun: string[] = []
  const by = (node: string): JobSpec => ({
    name,
    run: async () => {
      begun.push(node)
      await free
    },
  })
  return { begun, by, letGo: () => letGo() }
}

it('A job that finishes during a database outage does not crash the process, and jobs resume afterwards', {
  tags: 'long',
}, async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  const slow = slowTask('slow')
  const ran: unknown[] = []
  const { jobs } = await startJobs(slow.by('here'), { name: 'quick', run: async (payload) => void ran.push(payload) })
  expect(jobs.isRunning()).toBe(true)
  await jobs.add('slow', {})
  await expect.poll(() => slow.begun, patient).toEqual(['here'])

  await postgres.stop()
  slow.letGo()
  await expect.poll(() => jobs.isRunning(), patient).toBe(false)
  await startPostgres()

  await expect.poll(() => jobs.isRunning(), patient).toBe(true)
  await jobs.add('quick', { after: 'the outage' })
  await expect.poll(() => ran, patient).toEqual([{ after: 'the outage' }])
  // The job runs again, because its completion wasn't recorded.
  await expect.poll(() => slow.begun, patient).toEqual(['here', 'here'])
  expect(unheard).toEqual([])
})

it('Losing the database while a new runner stops does not crash the process', async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  const { pool } = connectOwner(postgres.connection, () => undefined)
  onTestFinished(() => pool.end())
  const listening: ((error: Error) => void)[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...asked: unknown[]) => unknown
    client.query = ((asked: unknown, ...more: unknown[]) =>
      typeof asked === 'string' && asked.startsWith('LISTEN')
        ? new Promise((_, reject) => listening.push(reject))
        : query(asked, ...more)) as typeof client.query
  })
  const jobs = await createJobs(pool, log)
  await jobs.start([])
  await expect.poll(() => listening.length, patient).toBe(1)
  const stopped = jobs.stop()
  listening[0]?.(new Error('Connection terminated unexpectedly'))
  await stopped
  await expect.poll(() => pool.idleCount === pool.totalCount, patient).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(unheard).toEqual([])
})

it('Another node takes over the job of a killed node but not a long job of a living one', {
  tags: 'long',
}, async () => {
  const long = slowTask('long')
  const left = slowTask('left')
  left.letGo()
  const living = await startJobs(long.by('living'))
  await living.jobs.add('long', {})
  await expect.poll(() => long.begun, patient).toEqual(['living'])
  const other = await startJobs(long.by('other'), left.by('other'))
  onTestFinished(long.letGo)
  // A killed node leaves a lock that is never renewed.
  await other.pool.query(
    `with added as (select id from graphile_worker.add_job('left', run_at => now() + interval '1 hour'))
     select from added`,
  )
  await other.pool.query(
    `update graphile_worker._private_jobs set run_at = now(), attempts = 1, locked_by = 'pool-killed', locked_at = now()
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'left')`,
  )
  await expect.poll(() => left.begun, patient).toEqual(['other'])
  expect(long.begun).toEqual(['living'])
})

it('A scheduled job never runs twice at a time, and at most one more run waits', async () => {
  const slow = slowTask('by-the-clock')
  const ran: unknown[] = []
  const spec = { ...slow.by('here'), cron: '7 * * * *' }
  const { jobs, pool } = await startJobs(spec, { name: 'meanwhile', run: async (payload) => void ran.push(payload) })
  const [item] = onTheClock([spec])
  const tick = () =>
    pool.query('select graphile_worker.add_job($1, queue_name => $2, job_key => $3)', [
      ...[item?.task, item?.options?.queueName, item?.options?.jobKey],
    ])
  await tick()
  await expect.poll(() => slow.begun, patient).toEqual(['here'])
  await tick()
  await tick()
  await jobs.add('meanwhile', { n: 1 })
  await expect.poll(() => ran, patient).toEqual([{ n: 1 }])
  expect(slow.begun).toEqual(['here'])
  slow.letGo()
  await expect.poll(() => slow.begun, patient).toEqual(['here', 'here'])
  await jobs.add('meanwhile', { n: 2 })
  await expect.poll(() => ran, patient).toEqual([{ n: 1 }, { n: 2 }])
  expect(slow.begun).toEqual(['here', 'here'])
})

it('Jobs that wait for a push service or email server leave slots for other jobs', async () => {
  const [pushes, mails] = [slowTask('slow-push'), slowTask('slow-mail')]
  const ran: unknown[] = []
  const { jobs } = await startJobs(
    { ...pushes.by('here'), waitsFor: 'push' },
    { ...mails.by('here'), waitsFor: 'mail' },
    { name: 'any-other', run: async (payload) => void ran.push(payload) },
  )
  for (const { letGo } of [pushes, mails]) onTestFinished(letGo)
  const begun = () => [pushes.begun.length, mails.begun.length]
  for (const [task, count] of [
    ['slow-push', [1, 0]],
    ['slow-push', [2, 0]],
    ['slow-mail', [2, 1]],
  ] as const) {
    await jobs.add(task, {})
    await expect.poll(begun, patient).toEqual(count)
  }
  for (let n = 0; n < 5; n++) for (const task of ['slow-push', 'slow-mail']) await jobs.add(task, {})
  await jobs.add('any-other', {})
  await expect.poll(() => ran, patient).toEqual([{}])
  expect(begun()).toEqual([2, 1])
  pushes.letGo()
  mails.letGo()
  await expect.poll(begun, patient).toEqual([7, 6])
})

it('Of several email jobs added together one starts, and a later job of another kind still runs', async () => {
  const mails = slowTask('together')
  const ran: unknown[] = []
  const { jobs, pool } = await startJobs(
    { ...mails.by('here'), waitsFor: 'mail' },
    { name: 'any-other', run: async (payload) => void ran.push(payload) },
  )
  onTestFinished(mails.letGo)
  await pool.query(`select graphile_worker.add_job('together', flags => array['together']) from generate_series(1, 10)`)
  await jobs.add('any-other', {})
  await expect.poll(() => ran, patient).toEqual([{}])
  expect(mails.begun).toHaveLength(1)
  mails.letGo()
  await expect.poll(() => mails.begun, patient).toHaveLength(10)
})

it('Scheduled jobs that may hang have their own slots', async () => {
  const [news, sweep] = [slowTask('news'), slowTask('sweep')]
  const names = ['mail', 'checkInMail', 'push', 'files'] as const
  const others = names.map((waitsFor) => ({ task: slowTask(`of-${waitsFor}`), waitsFor }))
  const ran: unknown[] = []
  const { jobs } = await startJobs(
    { ...news.by('here'), mayHang: true },
    { ...sweep.by('here'), mayHang: true },
    ...others.map(({ task, waitsFor }) => ({ ...task.by('here'), waitsFor })),
    { name: 'any-other', run: async (payload) => void ran.push(payload) },
  )
  for (const { letGo } of [news, sweep, ...others.map(({ task }) => task)]) onTestFinished(letGo)
  for (const name of ['news', 'sweep', ...names.map((waitsFor) => `of-${waitsFor}`)])
    for (let n = 0; n < 3; n++) if (name.startsWith('of-') || n === 0) await jobs.add(name, {})
  await expect.poll(() => others.map(({ task }) => task.begun.length), patient).toEqual([1, 1, 2, 1])
  await jobs.add('any-other', {})
  await expect.poll(() => ran, patient).toEqual([{}])
  expect([news.begun.length, sweep.begun.length]).toEqual([1, 1])
})

it('Permanently failed jobs are deleted after a week, waiting ones are not', async () => {
  const { jobs, pool } = await startJobs()
  for (const name of ['failed', 'failed-today', 'waiting']) await jobs.add(name, {})
  const fail = (name: string, ago: string) =>
    pool.query(
      `update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - $2::interval
       where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
      [name, ago],
    )
  await fail('failed', '8 days')
  await fail('failed-today', '1 hour')
  await jobs.forgetFailed()
  const { rows } = await pool.query(
    `select task_identifier from graphile_worker.jobs where task_identifier in ('failed', 'failed-today', 'waiting') order by 1`,
  )
  expect(rows.map((row) => row.task_identifier)).toEqual(['failed-today', 'waiting'])
})

it('Every finished run is reported with its duration and success', async () => {
  const { pool } = connectOwner(postgres.connection, () => undefined)
  const told: [job: string, ok: boolean, took: boolean][] = []
  const jobs = await createJobs(pool, log, { onRun: ({ job, ok }, seconds) => told.push([job, ok, seconds > 0]) })
  onTestFinished(async () => {
    await jobs.stop()
    await pool.end()
  })
  const fails = () => Promise.reject(new Error('no'))
  await jobs.start([
    { name: 'told-well', run: async () => undefined },
    { name: 'told-badly', run: fails },
  ])
  for (const name of ['told-well', 'told-badly']) await jobs.add(name, {})
  const sorted = () => told.map(([job, ok, took]) => `${job} ${ok} ${took}`).sort()
  await expect.poll(sorted, patient).toEqual(['told-badly false true', 'told-well true true'])
})

it('Abandoned jobs are counted by task, starting at zero', async () => {
  const fails = () => Promise.reject(new Error('no'))
  const { jobs, pool } = await startJobs({ name: 'fails', run: fails }, { name: 'fine', run: async () => undefined })
  await pool.query(`select graphile_worker.add_job('fails', max_attempts => 1)`)
  await expect
    .poll(() => [...jobs.givenUp()], patient)
    .toEqual([
      ['fails', 1],
      ['fine', 0],
    ])
})

it('Scheduled jobs are registered unless scheduling is off', async () => {
  const { pool } = connectOwner(postgres.connection, () => undefined)
  let ran = 0
  const hourly: JobSpec = { name: 'hourly', cron: '7 * * * *', run: async () => void ran++ }
  const known = async () =>
    (await pool.query(`select identifier from graphile_worker._private_known_crontabs where identifier = 'hourly'`))
      .rows
  const runners: JobRunner[] = []
  onTestFinished(async () => {
    for (const runner of runners) await runner.stop()
    await pool.end()
  })
  for (const byTheClock of [false, true]) {
    const jobs = await createJobs(pool, log)
    runners.push(jobs)
    await jobs.start([hourly], byTheClock)
    const before = ran
    await jobs.add('hourly', {})
    await expect.poll(() => ran, patient).toBe(before + 1)
    await expect.poll(async () => (await known()).length, patient).toBe(byTheClock ? 1 : 0)
  }
})

it('A missed scheduled job with a backfill runs once at the next start, with its own number of attempts', async () => {
  const { pool } = connectOwner(postgres.connection, () => undefined)
  const runners: JobRunner[] = []
  onTestFinished(async () => {
    for (const runner of runners) await runner.stop()
    await pool.end()
  })
  const ran: string[] = []
  // A daily schedule that was due two hours ago.
  const at = new Date(Date.now() - 2 * 3_600_000)
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
  const spec = (name: string, more: Partial<JobSpec> = {}): JobSpec => ({
    ...{ name, cron, ...more },
    run: async () => {
      ran.push(name)
      throw new Error('no')
    },
  })
  const specs = [spec('caught-up', { backfillMs: 24 * 3_600_000, attempts: 11 }), spec('missed')]
  await pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     select name, now() - interval '3 days', now() - interval '26 hours' from unnest($1::text[]) as name`,
    [specs.map(({ name }) => name)],
  )
  for (let start = 0; start < 2; start++) {
    const jobs = await createJobs(pool, log)
    runners.push(jobs)
    await jobs.start(specs)
  }
  await expect.poll(() => ran.includes('caught-up'), patient).toBe(true)
  const { rows } = await pool.query(
    `select task_identifier as task, max_attempts as attempts from graphile_worker.jobs
     where task_identifier in ('caught-up', 'missed')`,
  )
  expect(rows).toEqual([{ task: 'caught-up', attempts: 11 }])
  expect(ran).not.toContain('missed')
})

it('A failed job is logged by name, without the text its error quotes', async () => {
  const { pool } = connectOwner(postgres.connection, () => undefined)
  const lines: unknown[][] = []
  const jobs = await createJobs(pool, { ...log, error: (...line: unknown[]) => void lines.push(line) } as never)
  const run = () => Promise.reject(new SyntaxError('Invalid regular expression: /secret(/u'))
  await jobs.start([{ name: 'quotes', run }])
  onTestFinished(async () => {
    await jobs.stop()
    await pool.end()
  })
  await jobs.add('quotes', {})
  await expect
    .poll(() => lines, patient)
    .toEqual([[{ err: expect.any(SyntaxError), task: 'quotes', attempts: 1, most: 5 }, 'a job failed']])
})
