import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { seedPeople, seedSessions } from '../../server/src/demo/population.ts'
import { connectOwner, migrate } from '../../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { postgresProcessesOf } from '../../server/src/platform/process/processes.ts'
import { allowLogin } from '../../server/src/test/pgbouncer.ts'
import type { Person } from './device.ts'
import { createNode, type DatabaseAddress, type Node } from './nodes.ts'
import { createRedis, type RedisServer } from './redis.ts'
import { standstillMs } from './until.ts'

/** Redis and two app processes in front of a database; nothing is mocked. */
export interface Site {
  nodes: Node[]
  redis: RedisServer
  people: Person[]
  /** Queries the database directly, not through a proxy. Reconnects automatically. */
  query<T>(text: string, values?: unknown[]): Promise<T[]>
  connect(): Promise<pg.Client>
  /**
   * Creates a node without starting it. It has the same settings as the others, overridden by `environment`, and runs
   * the release built in `file`.
   */
  addNode(name: string, environment: Record<string, string>, file?: string): Promise<Node>
  heal(): Promise<void>
  stop(): Promise<void>
}

export interface World extends Site {
  /** Crashes PostgreSQL, which restarts automatically. Resolves once the database accepts connections. */
  crashDatabase(): Promise<void>
  freezeDatabase(): void
  thawDatabase(): void
}

const devicesEach = 3
const log = { debug() {}, info() {}, warn() {}, error() {} }

async function seed(owner: pg.ClientConfig, count: number): Promise<Person[]> {
  const { db, pool } = connectOwner(owner, () => undefined)
  try {
    await seedPeople(db, count, 1, () => {})
    const people = new Map<string, Person>()
    for (let device = 0; device < devicesEach; device++)
      for (const { id, name, token } of await seedSessions(db, count, 1)) {
        const person = people.get(id) ?? { id, name, tokens: [] }
        person.tokens.push(token)
        people.set(id, person)
      }
    return [...people.values()]
  } finally {
    await pool.end()
  }
}

/** Signals every process of a database. Does so twice, because the server may fork between listing and signalling. */
function signalAll(folder: string, signal: NodeJS.Signals): void {
  for (let round = 0; round < 2; round++)
    for (const pid of postgresProcessesOf(folder).sort((a, b) => a - b)) {
      try {
        process.kill(pid, signal)
      } catch {
        // The process has ended in the meantime.
      }
    }
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + standstillMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(100)
    }
  }
}

/**
 * Creates `peopleCount` people in a database, and starts Redis and the nodes in front of it. `folder` is for the nodes'
 * files. `file` is the built server of another release, which then also creates the database.
 */
export async function startSite(
  peopleCount: number,
  folder: string,
  address: DatabaseAddress,
  file?: string,
): Promise<Site> {
  const { owner } = address
  const pool = new pg.Pool({ ...owner, max: 2, connectionTimeoutMillis: 2_000 })
  pool.on('error', () => {})
  const redis = await createRedis()
  const nodes: Node[] = []
  const addNode: Site['addNode'] = async (name, environment, built = file) => {
    const node = await createNode({ name, folder, address, redisPort: redis.port, environment, file: built })
    nodes.push(node)
    return node
  }
  const query = async <T>(text: string, values: unknown[] = []) =>
    patiently(async () => (await pool.query(text, values)).rows as T[])

  async function stop(): Promise<void> {
    await Promise.all(nodes.map((node) => node.kill()))
    for (const { database, redis: other } of nodes) {
      database.close()
      other.close()
    }
    await redis.kill()
    await pool.end()
  }

  try {
    await redis.start()
    const first = [await addNode('one', {}), await addNode('two', {})]
    await (file ? first[0]?.start() : migrate(owner))
    if (address.login) for (const statement of allowLogin) await pool.query(statement)
    const people = await seed(owner, peopleCount)
    await Promise.all(first.map((node) => node.start()))
    return {
      nodes: first,
      redis,
      people,
      query,
      addNode,
      stop,
      async connect() {
        const client = new pg.Client(owner)
        client.on('error', () => {})
        await client.connect()
        return client
      },
      async heal() {
        for (const node of first) {
          node.thaw()
          node.database.clear()
          node.redis.clear()
        }
        await Promise.all(first.map((node) => node.start()))
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function startWorld(peopleCount: number): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-faults-'))
  const database = await startEmbeddedPostgres({ dataDir: folder, log })
  const { connection: owner } = database
  const thawDatabase = () => signalAll(owner.host, 'SIGCONT')
  async function tidy(): Promise<void> {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const way = { path: join(owner.host, '.s.PGSQL.5432') }
  const site = await startSite(peopleCount, folder, { owner, way }).catch(async (error: unknown) => {
    await tidy()
    throw error
  })
  return {
    ...site,
    async crashDatabase() {
      process.kill(Number(readFileSync(join(owner.host, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
      await sleep(100)
      await site.query('select 1')
    },
    freezeDatabase: () => signalAll(owner.host, 'SIGSTOP'),
    thawDatabase,
    heal() {
      thawDatabase()
      return site.heal()
    },
    async stop() {
      thawDatabase()
      await site.stop()
      await tidy()
    },
  }
}
