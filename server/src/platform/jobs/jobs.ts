import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AddJobFunction,
  type CronItem,
  Logger as GraphileLogger,
  type Job,
  makeWorkerUtils,
  parseCronItems,
  type Runner,
  type RunnerOptions,
  run,
  type Task,
  type WorkerEvents,
} from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import { seconds } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { inBatches } from '../database/in-batches.ts'
import { untilAnswers } from '../database/until-answers.ts'
import type { Logger } from '../logger.ts'
import { inSpan } from '../tracing.ts'
import { watchLocks } from './job-locks.ts'
import { createTurns, type Turns } from './turns.ts'

/** Work that is done later, once, by some process. */
export interface Jobs {
  /** Puts a job into the queue; with `key`, one that waits under the same key is replaced. */
  add(task: string, payload: object, options?: { key?: string; runAt?: Date }): Promise<void>
}

/**
 * Puts a job into the queue within the transaction of `db`: it is done if that is kept, whatever happens right after, and
 * retried for almost four days. With `key`, one that waits under the same key is replaced.
 */
export async function addJobIn(db: Db, task: string, payload: object, key?: string): Promise<void> {
  await sql`select add_job(${task}, ${JSON.stringify(payload)}::json, ${key ?? null})`.execute(db)
}

/**
 * How many jobs of a node may wait at once for something outside of it, which may hang; the other jobs have the rest. Emails
 * of check-ins wait behind no others.
 */
const mostWaiting = { mail: 1, checkInMail: 1, push: 2, files: 1 }
type Outside = keyof typeof mostWaiting

/** A task by name, and when it runs by itself (a crontab pattern, UTC). */
export interface JobSpec {
  name: string
  run(payload: unknown): Promise<void>
  cron?: string
  /** What each of many such jobs waits for. */
  waitsFor?: Outside
  /** Whether a job of the clock waits for something outside, such as a mail server or a store of files. */
  mayHang?: true
  /** A run of the clock that was missed, because nothing ran then, follows for so long (ms). */
  backfillMs?: number
  /** How often a run of the clock is tried in all, with longer and longer pauses: 11 times take ten hours. */
  attempts?: number
}

export interface JobRunner extends Jobs {
  /** Runs jobs that are added, and unless `byTheClock` is false those that come by the clock. */
  start(specs: JobSpec[], byTheClock?: boolean): Promise<void>
  /** Takes no more jobs; resolves when those under way have ended. What is added then waits for another process. */
  rest(): Promise<void>
  stop(): Promise<void>
  /** How many runs of jobs failed here, since the start. */
  failures(): number
  /** How many jobs of each task were given up here, since the start. */
  givenUp(): ReadonlyMap<string, number>
  /** Removes jobs that failed for good a week ago: what they name is not kept for longer than it may be looked at. */
  forgetFailed(): Promise<void>
  /** Whether jobs are looked for: not while the queue is started again after an outage of the database. */
  isRunning(): boolean
}

interface JobOptions {
  /** How often locks are renewed and watched, in milliseconds. */
  locksEveryMs?: number
  /** Hears of every run that ended, and how long it took, in seconds. */
  onRun?(of: { job: string; ok: boolean }, seconds: number): void
}

/** How many jobs run at once: one more than may wait for something outside. A job of the clock runs once at a time. */
const slotsFor = (specs: readonly JobSpec[]): number =>
  1 + Object.values(mostWaiting).reduce((sum, most) => sum + most) + specs.filter(({ mayHang }) => mayHang).length
/** Before whatever waits: a check-in that was missed does not stand in line behind exports. */
const ofTheClock = -10

const deleteFailed = `
  delete from graphile_worker._private_jobs where id = any(array(
    select id from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days' limit $1))`

/** What is told of workers by their pool. */
type Pool = { pool: { id: string } }

/**
 * Graphile Worker on the owner's connections: its tables are not the application role's. A run that ends before its time,
 * because the end of a job could not be written down, is followed by another one; jobs that ended unwritten run again.
 */
export async function createJobs(pool: pg.Pool, log: Logger, options: JobOptions = {}): Promise<JobRunner> {
  const utils = await untilAnswers(log, () => makeWorkerUtils({ pgPool: pool }))
  await untilAnswers(log, () => utils.migrate())
  const add: AddJobFunction = utils.addJob
  const stopping = new AbortController()
  const living = new Set<string>()
  const forgetLocks = watchLocks(pool, log, living, options.locksEveryMs)
  let failures = 0
  const givenUp = new Map<string, number>()
  let runner: Runner | undefined
  let resting: Promise<void> | undefined
  const rest = async () => {
    stopping.abort()
    resting ??= runner?.stop()
    await resting
  }
  return {
    async add(task, payload, { key, runAt } = {}) {
      await add(task, payload, { ...(key && { jobKey: key }), ...(runAt && { runAt }), maxAttempts: 5, flags: [task] })
    },
    async start(specs, byTheClock = true) {
      const turns = createTurns()
      const begin = async () => {
        runner = await run({ ...optionsOf(specs, byTheClock, { ...options, turns }), pgPool: pool, logger: quiet(log) })
        if (stopping.signal.aborted) await runner.stop()
      }
      turns.events.on('job:error', () => {
        failures += 1
      })
      countGivenUp(turns.events, specs, givenUp, log)
      turns.events.on('pool:create', ({ workerPool }) => living.add(workerPool.id))
      turns.events.on('pool:release', ({ pool: { id } }: Pool) => living.delete(id))
      turns.events.on('pool:gracefulShutdown', () => {
        runner = undefined
        // biome-ignore lint/plugin/void: failed starts are retried, and an aborted sleep is caught.
        if (!stopping.signal.aborted) void untilBegun(log, begin, stopping)
      })
      await untilAnswers(log, begin)
    },
    rest,
    async stop() {
      await rest()
      forgetLocks()
      await utils.release()
    },
    failures: () => failures,
    givenUp: () => givenUp,
    forgetFailed: () => inBatches(async (most) => (await pool.query(deleteFailed, [most])).rowCount ?? 0),
    isRunning: () => runner !== undefined,
  }
}

/** Counts the jobs that are given up, by task. A task begins at 0: Prometheus doesn't see a counter grow that begins at 1. */
function countGivenUp(
  events: WorkerEvents,
  specs: readonly JobSpec[],
  counts: Map<string, number>,
  log: Pick<Logger, 'error'>,
): void {
  for (const { name } of specs) counts.set(name, 0)
  events.on('job:failed', ({ job: { task_identifier: task, attempts } }) => {
    counts.set(task, (counts.get(task) ?? 0) + 1)
    log.error({ task, attempts }, 'a job was given up')
  })
}

/** Runs a job, and tells how long it took. */
async function timed({ name: job, run: work }: JobSpec, payload: unknown, onRun: JobOptions['onRun']): Promise<void> {
  const began = performance.now()
  let ok = false
  try {
    await inSpan(job, {}, async () => work(payload))
    ok = true
  } finally {
    onRun?.({ job, ok }, (performance.now() - began) / 1000)
  }
}

/** Counts the jobs that wait for something outside. */
function createWaitingCounter(specs: readonly JobSpec[]) {
  const waiting = { mail: 0, checkInMail: 0, push: 0, files: 0 }
  return {
    async while({ waitsFor }: JobSpec, work: () => Promise<void>): Promise<void> {
      if (waitsFor) waiting[waitsFor] += 1
      try {
        await work()
      } finally {
        if (waitsFor) waiting[waitsFor] -= 1
      }
    },
    /** The tasks of which no other job may begin now: jobs are flagged with the names of their tasks. */
    forbidden: () =>
      specs.flatMap(({ name, waitsFor }) => (waitsFor && waiting[waitsFor] >= mostWaiting[waitsFor] ? [name] : [])),
  }
}

/** Jobs of the clock, each in a line of its own: it never runs beside itself, and at most one run of it waits. */
export const onTheClock = (specs: readonly JobSpec[]): CronItem[] =>
  specs.flatMap(({ name, cron, backfillMs, attempts }) => {
    const more = { ...(backfillMs && { backfillPeriod: backfillMs }), ...(attempts && { maxAttempts: attempts }) }
    const options = { priority: ofTheClock, queueName: name, jobKey: name, ...more }
    return cron ? [{ task: name, match: cron, identifier: name, options }] : []
  })

interface Running extends JobOptions {
  turns: Turns
}

function optionsOf(specs: JobSpec[], byTheClock: boolean, { turns, onRun }: Running): RunnerOptions {
  const waiting = createWaitingCounter(specs)
  const taskList = Object.fromEntries(
    specs.map((spec): [string, Task] => [
      spec.name,
      (payload) => waiting.while(spec, () => timed(spec, payload, onRun)),
    ]),
  )
  // Without delays, the end of a job is written by a promise without a handler: failing, it would end the process.
  const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
  const parsedCronItems = parseCronItems(byTheClock ? onTheClock(specs) : [])
  turns.startOver()
  const forbiddenFlags = () => turns.next().then(waiting.forbidden)
  const concurrency = slotsFor(specs)
  return { concurrency, noHandleSignals: true, taskList, parsedCronItems, forbiddenFlags, preset, events: turns.events }
}

const againMs = seconds(1)

/** Begins again after a run that ended, and again, until it succeeds or is told to stop. */
async function untilBegun(log: Logger, begin: () => Promise<void>, { signal }: { signal: AbortSignal }) {
  log.error('jobs have come to a standstill; they are started again')
  while (!signal.aborted) {
    const begun = await begin().then(
      () => true,
      () => false,
    )
    if (begun) return log.info('jobs are running again')
    await sleep(againMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

function quiet(log: Logger) {
  return new GraphileLogger(() => (level, message, meta = {}) => {
    // In its messages, Graphile repeats those of errors, which may quote people.
    const { error, fatalError = error, job } = meta as { error?: unknown; fatalError?: unknown; job?: Job }
    if (job && fatalError !== undefined) {
      const { task_identifier: task, attempts, max_attempts: most } = job
      log.error({ err: fatalError, task, attempts, most }, 'a job failed')
    } else if (fatalError !== undefined) log.error({ err: fatalError }, 'the queue of jobs failed')
    else if (level === 'error') log.error(message)
    // Most jobs wait for something outside, and hold no connection meanwhile.
    else if (level === 'warning' && !message.includes('maxPoolSize')) log.warn(message)
    else log.debug(message)
  })
}
