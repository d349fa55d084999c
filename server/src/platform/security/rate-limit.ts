import { isIP } from 'node:net'
import type { RateLimit } from '@duet/contract/rate-limits.ts'
import type { Cluster, Redis } from 'ioredis'
import type { Pool } from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { rateLimited } from '../errors.ts'
import { canonicalAddress } from '../http/client-address.ts'
import type { Secrets } from './secrets.ts'

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
  /** Counts so many more uses of a limit of `spendHere`, for what turned out dear: the next ones wait for it. Never throws `rate_limited`. */
  charge(limit: Limit, key: string, points: number): Promise<void>
  /** Gives one use back. */
  refund(limit: Limit, key: string): Promise<void>
}

/** Counts a request against its limit in the contract. Throws `rate_limited` when it is used up. */
export function spendOnRequest(
  limits: RateLimits,
  limit: RateLimit,
  { viewerId, address = '' }: { viewerId?: string | undefined; address?: string },
) {
  const key = limit.by === 'network' || viewerId === undefined ? networkOf(address) : viewerId
  return limit.isShared ? limits.spend(limit, key) : limits.spendHere(limit, key)
}

function refuse(result: unknown): never {
  if (result instanceof RateLimiterRes) throw rateLimited(result.msBeforeNext)
  throw result
}

interface LimiterOptions {
  keyPrefix: string
  points: number
  duration: number
}

/** Counts in the database. */
const databaseLimiter = (pool: Pool, options: LimiterOptions) =>
  new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    insuranceLimiter: new RateLimiterMemory(options),
  })

/** Counts in Redis, or in this process where there is none. */
function quickLimiter(counters: Redis | Cluster | undefined, options: LimiterOptions): RateLimiterAbstract {
  const here = new RateLimiterMemory(options)
  if (!counters) return here
  return new RateLimiterRedis({
    ...options,
    storeClient: counters,
    rejectIfRedisNotReady: true,
    // Once a budget is used up, it is not looked up again until it has recovered.
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: here,
  })
}

/** The limiter of each limit, made when it is first needed. */
function keepLimiters(scale: number, make: (options: LimiterOptions) => RateLimiterAbstract, prefix = '') {
  const limiters = new Map<string, RateLimiterAbstract>()
  return ({ name, points, seconds }: Limit) => {
    const known = limiters.get(name)
    if (known) return known
    const limiter = make({
      keyPrefix: prefix + name,
      points: Math.max(1, Math.round(points * scale)),
      duration: seconds,
    })
    limiters.set(name, limiter)
    return limiter
  }
}

/**
 * Counters that survive restarts and are shared between processes. `scale` multiplies every limit. What leaves this process
 * is counted under keyed hashes: keys may be addresses, of people without an account too.
 */
export function createRateLimits(pool: Pool, scale: number, secrets: Secrets, counters?: Redis | Cluster): RateLimits {
  const shared = keepLimiters(scale, (options) => databaseLimiter(pool, options))
  const quick = keepLimiters(scale, (options) => quickLimiter(counters, options), 'duet:')
  const hidden = (key: string) => secrets.hmac('rate-limits', key).toString('base64url')
  const consumeQuick = (limit: Limit, key: string, points: number) =>
    quick(limit).consume(counters ? hidden(key) : key, points)

  return {
    spend: async (limit, key, points = 1) => void (await shared(limit).consume(hidden(key), points).catch(refuse)),
    spendHere: async (limit, key) => void (await consumeQuick(limit, key, 1).catch(refuse)),
    charge: async (limit, key, points) => {
      if (points < 1) return
      await consumeQuick(limit, key, points).catch((result: unknown) => {
        if (!(result instanceof RateLimiterRes)) throw result
      })
    },
    refund: async (limit, key) => void (await shared(limit).reward(hidden(key))),
  }
}

/** The network an address belongs to: itself for IPv4, its /64 for IPv6. */
export function networkOf(text: string): string {
  const address = canonicalAddress(text) ?? text
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const groups = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}
