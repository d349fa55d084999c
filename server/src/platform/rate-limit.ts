import type { Redis } from 'ioredis'
import type { Pool } from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { rateLimited } from './errors.ts'

/** How often something may be done: `points` times in `seconds`. */
export interface Limit {
  name: string
  points: number
  seconds: number
}

export interface RateLimits {
  /** Counts one use of `limit` by `key` in the database, for all processes. Throws `rate_limited` when it is used up. */
  spend(limit: Limit, key: string, points?: number): Promise<void>
  /** The same for what happens too often to ask the database: counted in Redis, or in this process where there is none. */
  spendHere(limit: Limit, key: string): Promise<void>
  /** Gives one use back. */
  refund(limit: Limit, key: string): Promise<void>
}

function refuse(result: unknown): never {
  if (result instanceof RateLimiterRes) throw rateLimited(result.msBeforeNext)
  throw result
}

/** Counters that survive restarts and are shared between processes. `scale` multiplies every limit. */
export function createRateLimits(pool: Pool, scale: number, counters?: Redis): RateLimits {
  const shared = new Map<string, RateLimiterAbstract>()
  const quick = new Map<string, RateLimiterAbstract>()
  const pointsOf = (limit: Limit) => Math.max(1, Math.round(limit.points * scale))

  const sharedLimiter = (limit: Limit) => {
    const known = shared.get(limit.name)
    if (known) return known
    const options = { keyPrefix: limit.name, points: pointsOf(limit), duration: limit.seconds }
    const made = new RateLimiterPostgres({
      ...options,
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    })
    shared.set(limit.name, made)
    return made
  }
  const quickLimiter = (limit: Limit) => {
    const known = quick.get(limit.name)
    if (known) return known
    const options = { keyPrefix: `duet:${limit.name}`, points: pointsOf(limit), duration: limit.seconds }
    const here = new RateLimiterMemory(options)
    const made = counters
      ? new RateLimiterRedis({
          ...options,
          storeClient: counters,
          rejectIfRedisNotReady: true,
          // Whoever has used it up is not looked up again until it is theirs again.
          inMemoryBlockOnConsumed: options.points + 1,
          insuranceLimiter: here,
        })
      : here
    quick.set(limit.name, made)
    return made
  }

  return {
    spend: async (limit, key, points = 1) => void (await sharedLimiter(limit).consume(key, points).catch(refuse)),
    spendHere: async (limit, key) => void (await quickLimiter(limit).consume(key).catch(refuse)),
    refund: async (limit, key) => void (await sharedLimiter(limit).reward(key)),
  }
}

/** The network an address belongs to: itself for IPv4, its /64 for IPv6. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = address.includes('::') ? tail.split(':').filter(Boolean) : []
  const groups = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
