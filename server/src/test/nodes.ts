import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { NodeTimes } from '../platform/realtime/redis-nodes.ts'
import { startTestApp, type TestApp } from './app.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTestRedis, type TestRedis } from './redis.ts'

/** Ten times faster than in production, but long enough for a busy machine that stalls for a second or two. */
export const shortTimes: NodeTimes = { refreshMs: 500, leaseMs: 5_000 }

export interface TestNodes {
  here: TestApp
  there: TestApp
  redis: TestRedis
  database: TestDatabase
  close(): Promise<void>
}

/** Starts two nodes in this process that share a database and a Redis, each with its own environment variables. */
export async function startTestNodes(
  environmentThere: Record<string, string> = {},
  environmentHere: Record<string, string> = {},
): Promise<TestNodes> {
  const redis = await createTestRedis()
  await redis.start()
  const database = await createTestDatabase()
  const start = (environment: Record<string, string> = {}) =>
    startTestApp({ REDIS_URL: redis.url, ...environment }, { database, nodeTimes: shortTimes })
  const [here, there] = await Promise.all([start(environmentHere), start(environmentThere)])
  return {
    here,
    there,
    redis,
    database,
    async close() {
      await Promise.all([here.close(), there.close()])
      await database.drop()
      await redis.stop()
    },
  }
}

export interface NodeProcess {
  url: string
  child: ChildProcess
  exited: Promise<unknown[]>
}

interface NodeParts {
  database: Pick<TestDatabase, 'config'>
  /** Without Redis, the node runs alone. */
  redis?: Pick<TestRedis, 'url'>
  /** The folder for stored files; only needed by tests that store some. */
  dataDir?: string
}

export async function startNodeProcess({ database, redis, dataDir }: NodeParts, noticeMs = 0): Promise<NodeProcess> {
  const child = fork(fileURLToPath(new URL('./node.test-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      ...(redis && { REDIS_URL: redis.url }),
      ...(dataDir && { NODE_DATA_DIR: dataDir }),
      NODE_DATABASE: JSON.stringify(database.config),
      NODE_TIMES: JSON.stringify(shortTimes),
      NODE_NOTICE: String(noticeMs),
    },
  })
  const exited = once(child, 'exit')
  const [url] = (await Promise.race([once(child, 'message'), exited])) as [string]
  return { url, child, exited }
}
