import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Clock } from './clock.ts'
import type { InOrder } from './in-order.ts'
import type { Jobs } from './jobs.ts'
import type { Logger } from './logger.ts'
import type { Mailer } from './mailer.ts'
import type { RateLimits } from './rate-limit.ts'
import type { Realtime } from './realtime.ts'
import type { DB } from './schema.ts'
import type { Secrets } from './secrets.ts'
import type { Sessions } from './session.ts'
import type { Storage } from './storage.ts'
import type { Tx as TxOf } from './transaction.ts'

/** What every verb stands on; wired once in app.ts. */
export interface Platform {
  config: Config
  log: Logger
  clock: Clock
  db: Kysely<DB>
  pool: pg.Pool
  secrets: Secrets
  mailer: Mailer
  storage: Storage
  limits: RateLimits
  sessions: Sessions
  jobs: Jobs
  realtime: Realtime
  inOrder: InOrder
  /** Makes the account of an address a super administrator; false when there is none. */
  grantSuperAdmin(email: string): Promise<boolean>
}

/** The platform inside a transaction. */
export type Tx = TxOf<Platform>
