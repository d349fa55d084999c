import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { inject } from 'vitest'
import { type App, createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { after, type Clock, days, minutes } from '../platform/clock.ts'
import type { Mail } from '../platform/mailer.ts'
import type { Platform } from '../platform/platform.ts'
import type { NodeTimes } from '../platform/realtime/redis-nodes.ts'
import type { HashCost } from '../platform/security/hasher.ts'
import { createDecoders } from '../platform/storage/decoders.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { login as poolerLogin } from './pgbouncer.ts'
import { standstillMs } from './standstill.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
}

export interface TestApp {
  url: string
  platform: Platform
  /** The sources of /metrics. */
  measured: App['measured']
  clock: TestClock
  mails: Mail[]
  codeFor(email: string): Promise<string>
  close(): Promise<void>
}

function testClock(): TestClock {
  let offset = 0
  return {
    now: () => after(new Date(), offset),
    advance(ms) {
      offset += ms
    },
  }
}

export function stoppedClock(since = new Date()): TestClock {
  let now = since
  return {
    now: () => now,
    advance(ms) {
      now = after(now, ms)
    },
  }
}

/** Advances a clock to noon (UTC) of the next day, so that the date doesn't change during a test. */
export function goToNoon({ clock }: Pick<TestApp, 'clock'>): void {
  const now = clock.now().getTime()
  clock.advance(days(1.5) - (now % days(1)))
}

async function codeIn(mails: Mail[], email: string): Promise<string> {
  const until = Date.now() + standstillMs
  while (Date.now() < until) {
    // Emails without a code may arrive after the one with the code.
    const codes = mails.flatMap(({ to, text }) => (to === email.toLowerCase() && /^\d{8}$/m.exec(text)?.[0]) || [])
    const code = codes.at(-1)
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`no code was mailed to ${email}`)
}

async function listen(app: App): Promise<string> {
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}

// The minimum that argon2 allows: hashing at the production cost took a quarter of the time of sign-in tests.
const cheapest: HashCost = { memoryCost: 8, timeCost: 1 }

// Shared by all apps of a test file, because starting a decoder takes most of the time of a first photo. One process is
// enough: starting a second one takes longer than decoding all photos of most test files.
const decoders = createDecoders({ processes: 1, idleMs: minutes(15) })

interface Shared {
  /** A database shared with other apps; the code that created it drops it. */
  database?: Pick<TestDatabase, 'config'>
  nodeTimes?: NodeTimes
  /** How the application's login connects, with or without a pooler. */
  login?: (database: string) => pg.ClientConfig | undefined
  clock?: TestClock
  /** Hash passwords and codes at the production cost. */
  realHashes?: boolean
}

/** How the owner of an app's database connects, bypassing any pooler. */
type Owner = TestDatabase['config'] & { port?: number }
const owners = new WeakMap<pg.Pool, Owner>()
export function ownerOf({ pool }: Pick<Platform, 'pool'>): Owner {
  const owner = owners.get(pool)
  if (!owner) throw new Error('no app of a test')
  return owner
}

/**
 * With `TEST_PGBOUNCER=session` (or `transaction`), all tests connect through a pooler except those with their own
 * database server.
 */
function throughPooler({ host }: Owner): Shared['login'] {
  const pooler = host === inject('postgres').host ? inject('pooler') : undefined
  return pooler && ((database) => ({ ...pooler, user: poolerLogin, database, idleTimeoutMillis: 0 }) as pg.ClientConfig)
}

/**
 * Starts Duet on its own database, with real sockets. The clock can be advanced and emails stay in memory. Rate limits
 * are off unless `environment` sets RATE_LIMIT_SCALE.
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  { database: shared, nodeTimes, login, clock = testClock(), realHashes = false }: Shared = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(inject('folder'), 'app-'))
  const database = shared ? { ...shared, drop: async () => undefined } : await createTestDatabase()
  // Otherwise idle connections would be closed and reopened in the next test, without their prepared statements.
  const owner = { ...database.config, idleTimeoutMillis: 0 }
  const config: Config = readConfig({
    DATA_DIR: dataDir,
    DEMO: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMIT_SCALE: '10000',
    SECRET_KEY: 'a key for tests, long enough to be one',
    ...(process.env.TEST_PGBOUNCER === 'transaction' && { DATABASE_PREPARE: 'off' }),
    ...environment,
  })
  const mails: Mail[] = []
  const app = await createApp({
    ...{
      config,
      owner,
      login: (login ?? throughPooler(database.config))?.(database.config.database),
      webFolder: join(dataDir, 'no-web-app'),
      clock,
      noticeMs: 0,
      byTheClock: false,
    },
    ...(nodeTimes && { nodeTimes }),
    ...(!realHashes && { hashCost: cheapest }),
  })
  owners.set(app.platform.pool, database.config)
  app.platform.mailer.send = async (mail) => void mails.push(mail)
  app.platform.decoders.decode = decoders.decode
  const url = await listen(app)
  return {
    url,
    platform: app.platform,
    measured: app.measured,
    clock,
    mails,
    codeFor: (email) => codeIn(mails, email),
    close: async () => {
      await app.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
