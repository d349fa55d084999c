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

/** What every verb stands on; put together once, in base.ts. */
export interface Platform {
  config: Config
  log: Logger
  clock: Clock
  db: Kysely<DB>
  pool: pg.Pool
  /** For searches, on read replicas where there are some. */
  reads: Reads
  secrets: Secrets
  hasher: Hasher
  mailer: Mailer
  storage: Storage
  limits: RateLimits
  /** What may be asked at all, before any limit of its own. */
  budgets: RequestBudgets
  sessions: Sessions
  jobs: Jobs
  /** Where untrusted files are opened. */
  decoders: Decoders
  realtime: Realtime
  inOrder: InOrder
  /** Makes the account that SUPER_ADMIN_EMAIL names a super administrator, on record; false when it is none then. */
  grantSuperAdmin(email: string): Promise<boolean>
}

/** What jobs stand on. */
export interface JobPlatforms {
  platform: Platform
  /** For what takes longer than a request may, and for rows that the application's role may not remove. */
  asOwner: Platform
  /** For locks that outlive a transaction: these connections never lead through a pooler. */
  locks: pg.Pool
}

/** The platform inside a transaction. */
export type Tx = TxOf<Platform>
