import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Clock } from './clock.ts'
import type { Reads } from './database/read-replicas.ts'
import type { DB } from './database/schema.ts'
import type { RequestBudgets } from './http/request-budgets.ts'
import type { InOrder } from './in-order.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Logger } from './logger.ts'
import type { Mailer } from './mailer.ts'
import type { Realtime } from './realtime/realtime.ts'
import type { Hasher } from './security/hasher.ts'
import type { RateLimits } from './security/rate-limit.ts'
import type { Secrets } from './security/secrets.ts'
import type { Sessions } from './security/session.ts'
import type { Decoders } from './storage/decoders.ts'
import type { Storage } from './storage/storage.ts'
import type { TxOf } from './transaction.ts'

export interface Platform {
  config: Config
  log: Logger
  clock: Clock
  db: Kysely<DB>
  pool: pg.Pool
  /** For searches; uses the read replicas if there are any. */
  reads: Reads
  secrets: Secrets
  hasher: Hasher
  mailer: Mailer
  storage: Storage
  limits: RateLimits
  budgets: RequestBudgets
  sessions: Sessions
  jobs: Jobs
  decoders: Decoders
  realtime: Realtime
  inOrder: InOrder
  /**
   * Makes this account a super administrator and records that. Returns false if SUPER_ADMIN_EMAIL is a different
   * address.
   */
  grantSuperAdmin(email: string): Promise<boolean>
}

export interface JobPlatforms {
  platform: Platform
  /** For work that takes longer than a request may, and for rows that the application role can't delete. */
  asOwner: Platform
  /** For locks that outlive a transaction: these connections never go through a pooler. */
  locks: pg.Pool
}

export type Tx = TxOf<Platform>
