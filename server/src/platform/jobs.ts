import {
  type AddJobFunction,
  Logger as GraphileLogger,
  makeWorkerUtils,
  parseCronItems,
  run,
  type Task,
} from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from './logger.ts'
import { untilAnswers } from './until-answers.ts'

/** Work that is done later, once, by some process. */
export interface Jobs {
  /** Puts a job into the queue; with `key`, one that waits under the same key is replaced. */
  add(task: string, payload: object, options?: { key?: string; runAt?: Date }): Promise<void>
}

/** A task by name, and when it runs by itself (a crontab pattern, UTC). */
export interface JobSpec {
  name: string
  run(payload: unknown): Promise<void>
  cron?: string
}

export interface JobRunner extends Jobs {
  start(specs: JobSpec[]): Promise<void>
  stop(): Promise<void>
  /** How many runs of jobs failed here, since the start. */
  failures(): number
}

/** More than what may take long at once, an export or a slow mail server, on a small machine. */
const concurrency = 3
/** Before whatever waits: a check-in that was missed does not stand in line behind exports. */
const ofTheClock = -10

/** Graphile Worker on the owner's connections: its tables are not the application role's. */
export async function createJobs(pool: pg.Pool, log: Logger): Promise<JobRunner> {
  const utils = await untilAnswers(log, () => makeWorkerUtils({ pgPool: pool }))
  await untilAnswers(log, () => utils.migrate())
  const add: AddJobFunction = utils.addJob
  let failures = 0
  let runner: Awaited<ReturnType<typeof run>> | undefined
  return {
    async add(task, payload, { key, runAt } = {}) {
      await add(task, payload, { ...(key && { jobKey: key }), ...(runAt && { runAt }), maxAttempts: 5 })
    },
    async start(specs) {
      const taskList = Object.fromEntries(
        specs.map((spec): [string, Task] => [spec.name, (payload) => spec.run(payload)]),
      )
      const timed = specs.flatMap(({ name, cron }) =>
        cron ? [{ task: name, match: cron, identifier: name, options: { priority: ofTheClock } }] : [],
      )
      const options = { concurrency, noHandleSignals: true, taskList, parsedCronItems: parseCronItems(timed) }
      runner = await untilAnswers(log, () => run({ ...options, pgPool: pool, logger: quiet(log) }))
      runner.events.on('job:error', () => {
        failures += 1
      })
    },
    async stop() {
      await runner?.stop()
      await utils.release()
    },
    failures: () => failures,
  }
}

function quiet(log: Logger) {
  return new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
}
