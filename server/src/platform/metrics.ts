import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { seconds } from './clock.ts'
import type { RestoreDrill } from './database/restore-drills.ts'
import type { JobRunner } from './jobs/jobs.ts'
import type { Realtime } from './realtime/realtime.ts'
import type { SecurityEvents } from './security/security-events.ts'
import type { Space } from './storage/free-space.ts'
import { build } from './version.ts'

export interface Measured {
  /** A web process runs no jobs; a worker doesn't search. */
  role: 'all' | 'web' | 'worker'
  registry: Registry
  realtime: Pick<Realtime, 'liveSessions' | 'figures'>
  security: Pick<SecurityEvents, 'counts'>
  pools: Record<string, Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>
  jobs: Pick<JobRunner, 'failures' | 'givenUp' | 'isRunning'>
  /** Age in seconds of the oldest entry in each moderation queue. */
  queues(): Promise<ReadonlyMap<string, number>>
  indexed(): number | undefined
  space(): Promise<Space | undefined>
  storageFailures(): number
  backedUpAt?: (() => Promise<Date | undefined>) | undefined
  drilled?: (() => Promise<RestoreDrill | undefined>) | undefined
  isBackupPlaceWritable?: (() => Promise<boolean>) | undefined
}

export function collectMetrics(measured: Measured): Registry {
  const { registry } = measured
  collectDefaultMetrics({ register: registry })
  collectRealtime(registry, measured.realtime)
  collectCounts(registry, measured)
  collectWaiting(registry, measured)
  collectStorage(registry, measured)
  new Gauge({
    name: 'duet_build_info',
    help: 'The version of Duet and of Node, as labels: always 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: build, node: process.version }, 1)
  const gauge = gaugeIn(registry)
  collectBackups(registry, measured)
  if (measured.role !== 'worker') {
    gauge('duet_index_loaded', 'Whether searches use the in-memory index instead of the database: 1 or 0', () =>
      Number(measured.indexed() !== undefined),
    )
    gauge('duet_indexed_people', 'People in the in-memory search index', () => measured.indexed() ?? 0)
  }
  return registry
}

/** A separate port, on an address that users can't reach. */
export interface MetricsPlace {
  port: number
  host: string
}

export function serveMetrics({ port, host }: MetricsPlace, measured: Measured): Promise<Server> {
  const registry = collectMetrics(measured)
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') return response.writeHead(404).end()
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      )
    })
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/**
 * Undefined if reading fails or hangs: a database outage must not block the other metrics, which operators need to
 * diagnose it.
 */
const unlessAway = <R>(reading: Promise<R>): Promise<R | undefined> =>
  Promise.race([reading.catch(() => undefined), sleep(seconds(3), undefined, { ref: false })])

function collectBackups(registry: Registry, { backedUpAt, isBackupPlaceWritable, drilled }: Measured): void {
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await unlessAway(read())
        if (found !== undefined) this.set(found)
      },
    })
  if (backedUpAt)
    gauge(
      'duet_newest_backup_timestamp_seconds',
      'When the newest backup was made, in seconds since 1970; 0 if there is none or the lookup failed',
      async () => ((await backedUpAt())?.getTime() ?? 0) / 1000,
    )
  if (isBackupPlaceWritable)
    gauge(
      'duet_backup_place_writable',
      'Whether backups can be written to BACKUP_TO, checked hourly: 1 or 0',
      async () => Number(await isBackupPlaceWritable()),
    )
  if (!drilled) return
  gauge(
    'duet_restore_drill_timestamp_seconds',
    'When a restore drill last ran, in seconds since 1970; 0 before the first one',
    async () => ((await drilled())?.triedAt.getTime() ?? 0) / 1000,
  )
  gauge('duet_restore_drill_failed', 'Whether the last restore drill failed or did not finish: 1 or 0', async () =>
    Number(((await drilled())?.fault ?? null) !== null),
  )
}

function collectCounts(registry: Registry, { security, jobs }: Measured): void {
  const counter = (name: string, help: string, label: string, read: () => ReadonlyMap<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset()
        for (const [value, count] of read()) this.inc({ [label]: value }, count)
      },
    })
  counter('duet_security_events_total', 'Security events, by event', 'event', () => security.counts().events)
  counter('duet_problems_total', 'Problem responses, by code', 'code', () => security.counts().problems)
  counter('duet_jobs_given_up_total', 'Jobs that failed permanently, by task', 'task', () => jobs.givenUp())
}

function collectWaiting(registry: Registry, { role, pools, jobs, queues }: Measured): void {
  new Gauge({
    name: 'duet_pool_connections',
    help: 'Database connections by state, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
  new Counter({
    name: 'duet_job_failures_total',
    help: 'Failed runs of jobs',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(jobs.failures())
    },
  })
  if (role !== 'web')
    gaugeIn(registry)('duet_jobs_running', 'Whether this node runs jobs: 1 or 0', () => Number(jobs.isRunning()))
  new Gauge({
    name: 'duet_queue_age_seconds',
    help: 'Age of the oldest entry that waits for a moderator, by queue; 0 when the queue is empty',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      for (const [queue, age] of (await unlessAway(queues())) ?? []) this.set({ queue }, age)
    },
  })
}

function collectStorage(registry: Registry, { space, storageFailures }: Measured): void {
  for (const of of ['free', 'size'] as const)
    new Gauge({
      name: `duet_data_dir_${of}_bytes`,
      help: `${of === 'free' ? 'Free space' : 'Size'} of the disk that holds DATA_DIR`,
      registers: [registry],
      async collect() {
        const found = await space()
        if (found) this.set(found[of])
      },
    })
  new Counter({
    name: 'duet_storage_failures_total',
    help: 'Failed operations of the file store',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(storageFailures())
    },
  })
}

const gaugeIn = (registry: Registry) => (name: string, help: string, read: () => number) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })

function collectRealtime(registry: Registry, realtime: Measured['realtime']): void {
  const gauge = gaugeIn(registry)
  gauge('duet_live_sessions', 'Sessions with a live connection', () => realtime.liveSessions().length)
  gauge('duet_connections', 'Live connections', () => realtime.figures().connections)
  gauge('duet_refused_handshakes', 'Handshakes refused by rate limits since the start', () => {
    return realtime.figures().refusedHandshakes
  })
  new Gauge({
    name: 'duet_cut_off_connections',
    help: 'Connections closed because they were too slow or sent too much, since the start',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      for (const [reason, count] of Object.entries(realtime.figures().cutOff)) this.set({ reason }, count)
    },
  })
  gauge('duet_dropped_events', 'Volatile events dropped for slow devices', () => realtime.figures().dropped)
  gauge('duet_heard_pushes', 'Packets for people received through Redis', () => realtime.figures().heard)
  gauge('duet_joined', 'Whether this node receives messages from the others: 1 or 0', () =>
    Number(realtime.figures().joined),
  )
}
