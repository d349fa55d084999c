import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Config } from './config.ts'
import { countIndexed } from './features/candidates/keep-index.ts'
import { queueAges } from './features/moderation/figures.ts'
import { grantNamed } from './features/moderation/rights.ts'
import type { Clock } from './platform/clock.ts'
import { openBackupPlace } from './platform/database/backup-place.ts'
import { connect, connectJobs, connectLogin, connectQueue, type Pools } from './platform/database/database.ts'
import { type FollowingClock, followDatabase } from './platform/database/database-clock.ts'
import type { TimedConfig } from './platform/database/named-client.ts'
import { watchNewest } from './platform/database/newest-backup.ts'
import { readsFrom } from './platform/database/read-replicas.ts'
import { findDrill } from './platform/database/restore-drills.ts'
import { watchBackupPlace } from './platform/database/try-backup-place.ts'
import { untilAnswers } from './platform/database/until-answers.ts'
import { createLinePace } from './platform/fault-lines.ts'
import { createHttp } from './platform/http/http.ts'
import { countRequests } from './platform/http/in-flight.ts'
import { createRequestBudgets } from './platform/http/request-budgets.ts'
import { createInOrder } from './platform/in-order.ts'
import { createJobs, type JobRunner } from './platform/jobs/jobs.ts'
import { createLogger } from './platform/logger.ts'
import { countedMailer, openMailer } from './platform/mailer.ts'
import type { Measured } from './platform/metrics.ts'
import type { JobPlatforms } from './platform/platform.ts'
import type { Nodes } from './platform/realtime/nodes.ts'
import { openNodes } from './platform/realtime/open-nodes.ts'
import { createRealtime } from './platform/realtime/realtime.ts'
import type { NodeTimes } from './platform/realtime/redis-nodes.ts'
import { trustOf } from './platform/security/client-address.ts'
import { createHasher, type HashCost } from './platform/security/hasher.ts'
import { createRateLimits } from './platform/security/rate-limit.ts'
import { createSecrets, keptSecretKey } from './platform/security/secrets.ts'
import { createSecurityEvents } from './platform/security/security-events.ts'
import { createSessions } from './platform/security/session.ts'
import { createDecoders } from './platform/storage/decoders.ts'
import { watchSpace } from './platform/storage/free-space.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import type { Storage } from './platform/storage/storage.ts'
import { renamingFaults } from './platform/storage/storage-fault.ts'
import { createTimings } from './platform/timings.ts'
import { transaction } from './platform/transaction.ts'
import { watchAnswers } from './security-events.ts'

export interface BaseParts {
  config: Config
  owner: pg.ClientConfig
  login?: pg.ClientConfig | undefined
  clock?: Clock
  /** A node's heartbeat interval, and the time without a heartbeat after which its people count as offline. */
  nodeTimes?: NodeTimes
  hashCost?: HashCost
}

export interface Base extends JobPlatforms {
  http: FastifyInstance
  jobs: JobRunner
  nodes: Nodes
  clock: Clock & Partial<FollowingClock>
  /** Separate pools, so that rate limits and the job queue don't wait behind an export. */
  pools: { app: Pools; probe: Pools; queue: Pools; jobs: Pools; reads?: Pools }
  requestsAnswered(mostMs: number): Promise<void>
  measured: Measured
}

async function connectAll(
  { config, ...addresses }: Pick<BaseParts, 'config' | 'owner' | 'login'>,
  { log, onStatement }: { log: Base['platform']['log'] } & Pick<TimedConfig, 'onStatement'>,
): Promise<Base['pools']> {
  const isTime = createLinePace()
  const onLost = (err: Error) => {
    if (isTime('lost')) log.warn({ err }, 'database connections were lost')
  }
  const owner = { ...addresses.owner, onStatement }
  const login = addresses.login && { ...addresses.login, onStatement, prepares: config.preparesStatements }
  const asApp = (max?: number) => (login ? connectLogin(login, onLost, max) : connect(owner, onLost, max))
  const connectReads = (connectionString: string) =>
    (login ? connectLogin : connect)({ ...(login ?? owner), connectionString }, onLost, 10, true)
  const pools = {
    app: asApp(),
    ...(config.databaseReadUrl && { reads: connectReads(config.databaseReadUrl) }),
    probe: asApp(1),
    queue: connectQueue(owner, onLost),
    jobs: connectJobs(owner, onLost),
  }
  await untilAnswers(log, () => pools.app.pool.query('select 1'))
  return pools
}

/** Only pages of our own origin may connect. Without PUBLIC_URL, any host name of this machine is allowed. */
function originRule({ publicUrl, port }: Config): (origin: string) => boolean {
  const allowed = publicUrl
    ? [new URL(publicUrl).origin]
    : ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`)
  return (origin) => allowed.includes(origin)
}

function countingFaults(opened: Storage): { storage: Storage; storageFailures(): number } {
  let failures = 0
  const storage = renamingFaults(opened, (error) => {
    failures += 1
    return error
  })
  return { storage, storageFailures: () => failures }
}

const watchPlaces = ({ dataDir, backup, role }: Config, { log, pool }: Pick<Base['platform'], 'log' | 'pool'>) => ({
  space: watchSpace(dataDir),
  // A web process makes no backups and may have no access to the backup place.
  ...(backup &&
    role !== 'web' && {
      backedUpAt: watchNewest(openBackupPlace(backup.to), log),
      isBackupPlaceWritable: watchBackupPlace(backup.to, log),
      drilled: () => findDrill(pool),
    }),
})

const measuredPools = ({ app, queue, jobs, reads }: Base['pools']) => ({
  ...{ app: app.pool, queue: queue.pool, jobs: jobs.pool },
  ...(reads && { reads: reads.pool }),
})

export async function openBase({ config, owner, login, nodeTimes, ...parts }: BaseParts): Promise<Base> {
  const log = createLogger(config.logLevel)
  const scale = config.rateLimitScale
  const timings = createTimings()
  const pools = await connectAll({ config, owner, login }, { log, onStatement: timings.statement })
  const { queue } = pools
  const { db, pool } = pools.app
  const clock = parts.clock ?? (await followDatabase(queue.pool, log))
  const http = await createHttp(config, log, timings)
  const requestsAnswered = countRequests(http)
  const secrets = createSecrets(config.secretKey ?? (await keptSecretKey(config.dataDir)), config.previousSecretKey)
  const security = createSecurityEvents(log, secrets)
  watchAnswers(http, security)
  const sessions = createSessions(pool, clock, config.adminSecondFactor === 'required')
  const { nodes, counters } = await openNodes(config.redisUrl, log, nodeTimes)
  const limits = createRateLimits(queue.pool, scale, secrets, counters)
  const realtime = createRealtime(http.server, {
    sessions,
    limits,
    clock,
    log,
    nodes,
    scale,
    allowsOrigin: originRule(config),
    onAnswered: timings.event,
    onProblem: (code, userId, route) => security.noteProblem(code, { userId, route }),
    trusts: trustOf(config.trustProxy),
  })
  const jobs = await createJobs(queue.pool, log, { onRun: timings.job })
  const { storage, storageFailures } = countingFaults(openStorage(config, log))
  const platform: Base['platform'] = {
    config,
    log,
    clock,
    db,
    pool,
    reads: readsFrom(pools.reads?.pool, pool, log),
    secrets,
    limits,
    sessions,
    jobs,
    realtime,
    storage,
    hasher: createHasher(parts.hashCost),
    mailer: countedMailer(openMailer(config), timings.mail),
    budgets: createRequestBudgets(scale),
    decoders: createDecoders(),
    inOrder: createInOrder(),
    grantSuperAdmin: (email) => transaction({ db: queue.db, clock, log }, (tx) => grantNamed(tx, email)),
  }
  const asOwner = { ...platform, db: pools.jobs.db }
  const measured = {
    role: config.role,
    registry: timings.registry,
    realtime,
    security,
    jobs,
    pools: measuredPools(pools),
    queues: () => queueAges(platform),
    indexed: () => countIndexed(platform),
    storageFailures,
    ...watchPlaces(config, { log, pool }),
  }
  return { platform, asOwner, locks: pools.jobs.pool, http, jobs, nodes, clock, pools, requestsAnswered, measured }
}
