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

export interface Jobs {
  add(task: string, payload: object, options?: { key?: string; runAt?: Date }): Promise<void>
}

/**
 * Adds a job in the transaction of `db`: it runs if and only if the transaction commits, and is retried for almost four
 * days. With `key`, replaces a waiting job with the same key.
 */
export async function addJobIn(db: Db, task: string, payload: object, key?: string): Promise<void> {
  await sql`select add_job(${task}, ${JSON.stringify(payload)}::json, ${key ?? null})`.execute(db)
}

/**
 * How many jobs of a node may wait for each external service. A service may hang, and other jobs need the remaining
 * slots. Check-in emails have their own limit, so that they don't queue behind other emails.
 */
const mostWaiting = { mail: 1, checkInMail: 1, push: 2, files: 1 }
type Outside = keyof typeof mostWaiting

/** `cron` is in UTC. */
export interface JobSpec {
  name: string
  run(payload: unknown): Promise<void>
  cron?: string
  waitsFor?: Outside
  /** Whether the job waits for an external service, such as an email server or file store. */
  mayHang?: true
  /** How late a missed run may still start, in milliseconds. */
  backfillMs?: number
  /** Attempts per scheduled run, with increasing pauses: 11 attempts take ten hours. */
  attempts?: number
}

export interface JobRunner extends Jobs {
  start(specs: JobSpec[], byTheClock?: boolean): Promise<void>
  /** Stops taking jobs, and resolves once the running ones have ended. Jobs added later wait for another process. */
  rest(): Promise<void>
  stop(): Promise<void>
  failures(): number
  givenUp(): ReadonlyMap<string, number>
  /** Deletes jobs that failed permanently a week ago, because their payload may identify people. */
  forgetFailed(): Promise<void>
  /** False while the queue restarts after a database outage. */
  isRunning(): boolean
}

interface JobOptions {
  locksEveryMs?: number
  onRun?(of: { job: string; ok: boolean }, seconds: number): void
}

/**
 * One slot more than the jobs that may be waiting for external services. Scheduled jobs never overlap with themselves.
 */
const slotsFor = (specs: readonly JobSpec[]): number =>
  1 + Object.values(mostWaiting).reduce((sum, most) => sum + most) + specs.filter(({ mayHang }) => mayHang).length
/** Scheduled jobs go first: an alert about a missed check-in must not wait behind exports. */
const ofTheClock = -10

const deleteFailed = `
  delete from graphile_worker._private_jobs where id = any(array(
    select id from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days' limit $1))`

type Pool = { pool: { id: string } }

/**
 * Runs Graphile Worker as the owner, because the application role can't access its tables. If the runner exits
 * unexpectedly because it couldn't record a finished job, it restarts, and unrecorded jobs run again.
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

/**
 * Counts permanently failed jobs by task. Counters start at 0, because Prometheus doesn't see the increase of a counter
 * that first appears at 1.
 */
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
    forbidden: () =>
      specs.flatMap(({ name, waitsFor }) => (waitsFor && waiting[waitsFor] >= mostWaiting[waitsFor] ? [name] : [])),
  }
}

/** Each scheduled job has its own queue, so it never overlaps with itself and at most one more run waits. */
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
  // With a delay, even of 0, Graphile Worker batches the writes that complete jobs and handles their failures. Without
  // a delay, a failed write is an unhandled rejection that ends the process.
  const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
  const parsedCronItems = parseCronItems(byTheClock ? onTheClock(specs) : [])
  turns.startOver()
  const forbiddenFlags = () => turns.next().then(waiting.forbidden)
  const concurrency = slotsFor(specs)
  return { concurrency, noHandleSignals: true, taskList, parsedCronItems, forbiddenFlags, preset, events: turns.events }
}

const againMs = seconds(1)

async function untilBegun(log: Logger, begin: () => Promise<void>, { signal }: { signal: AbortSignal }) {
  log.error('the job runner stopped; restarting it')
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
    // Graphile's messages repeat error texts, which may contain what people wrote.
    const { error, fatalError = error, job } = meta as { error?: unknown; fatalError?: unknown; job?: Job }
    if (job && fatalError !== undefined) {
      const { task_identifier: task, attempts, max_attempts: most } = job
      log.error({ err: fatalError, task, attempts, most }, 'a job failed')
    } else if (fatalError !== undefined) log.error({ err: fatalError }, 'the queue of jobs failed')
    else if (level === 'error') log.error(message)
    // Graphile's warning about the pool size doesn't apply: most jobs wait for external services and use no connection
    // meanwhile.
    else if (level === 'warning' && !message.includes('maxPoolSize')) log.warn(message)
    else log.debug(message)
  })
}
