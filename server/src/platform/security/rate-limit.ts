import { isIP } from 'node:net'
import type { RateLimit } from '@duet/contract/rate-limits.ts'
import type { Redis } from 'ioredis'
import type { Pool } from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimited } from '../errors.ts'
import { canonicalAddress } from './client-address.ts'
import { returnUse, takeUse } from './rate-limit.queries.ts'
import type { Secrets } from './secrets.ts'

export interface Limit {
  name: string
  points: number
  seconds: number
}

type Use = readonly [limit: Limit, key: string, points?: number | undefined]

export interface RateLimits {
  /** Counts in the database, across all processes. Returns the uses so far. Throws `rate_limited` at the limit. */
  spend(limit: Limit, key: string, points?: number): Promise<number>
  /** For actions too frequent for the database: counts in Redis, or in this process if there is none. */
  spendHere(limit: Limit, key: string): Promise<void>
  /**
   * Adds uses to a `spendHere` limit after an action turned out to be expensive, which delays the next ones. Never
   * throws `rate_limited`.
   */
  charge(limit: Limit, key: string, points: number): Promise<void>
  refund(limit: Limit, key: string, points?: number): Promise<void>
  refundHere(limit: Limit, key: string): Promise<void>
}

/**
 * If `work` fails, refunds every use it counted, so a rejected change costs nothing. Uses that `work` already refunded,
 * even in a nested call, aren't refunded twice.
 */
export async function refundedOnFailure<T>(limits: RateLimits, work: (limits: RateLimits) => Promise<T>): Promise<T> {
  const [spent, spentHere]: [Use[], Use[]] = [[], []]
  const forget = (uses: Use[], [{ name }, key, points = 1]: Use) => {
    const place = uses.findIndex((use) => use[0].name === name && use[1] === key && (use[2] ?? 1) === points)
    if (place >= 0) uses.splice(place, 1)
  }
  try {
    return await work({
      ...limits,
      async spend(...use) {
        const count = await limits.spend(...use)
        spent.push(use)
        return count
      },
      async spendHere(...use) {
        await limits.spendHere(...use)
        spentHere.push(use)
      },
      refund(...use) {
        forget(spent, use)
        return limits.refund(...use)
      },
      refundHere(...use) {
        forget(spentHere, use)
        return limits.refundHere(...use)
      },
    })
  } catch (error) {
    const refunds = [
      ...spent.map((use) => limits.refund(...use)),
      ...spentHere.map(([limit, key]) => limits.refundHere(limit, key)),
    ]
    await Promise.allSettled(refunds)
    throw error
  }
}

interface Asking {
  viewer?: { id: string; sessionId: string } | undefined
  address?: string
}

function keyOf({ by }: RateLimit, { viewer, address = '' }: Asking): string {
  const own = by === 'session' ? viewer?.sessionId : viewer?.id
  return by === 'network' || own === undefined ? networkOf(address) : own
}

/** Counts a request against its limit in the contract. Throws `rate_limited` when the limit is reached. */
export async function spendOnRequest(limits: RateLimits, limit: RateLimit, asking: Asking): Promise<void> {
  const key = keyOf(limit, asking)
  await (limit.isShared ? limits.spend(limit, key) : limits.spendHere(limit, key))
}

/**
 * Counts the request, runs `act`, and refunds the use if `act` throws and the limit allows refunds. A window refunds at
 * most as many refusals as it allows uses, because a refused request can cost the server as much as a successful one.
 */
export async function withinLimit<T>(
  limits: RateLimits,
  limit: RateLimit,
  asking: Asking,
  act: () => Promise<T>,
): Promise<T> {
  await spendOnRequest(limits, limit, asking)
  try {
    return await act()
  } catch (error) {
    // The caller gets the original error even if the refund fails.
    if (limit.isRefunded) await refundRefusal(limits, limit, keyOf(limit, asking)).catch(() => undefined)
    throw error
  }
}

async function refundRefusal(limits: RateLimits, limit: RateLimit, key: string): Promise<void> {
  await limits.spendHere({ ...limit, name: `${limit.name}_refused` }, key)
  await (limit.isShared ? limits.refund(limit, key) : limits.refundHere(limit, key))
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

/**
 * Like the script of rate-limiter-flexible, but never below zero: a refund after its window has ended must not allow an
 * extra use in the next window.
 */
const countInRedis = `redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed = redis.call('incrby', KEYS[1], ARGV[1])
if consumed < 0 then consumed = redis.call('incrby', KEYS[1], -consumed) end
return {consumed, redis.call('pttl', KEYS[1])}`

function quickLimiter(counters: Redis | undefined, options: LimiterOptions): RateLimiterAbstract {
  const here = new RateLimiterMemory(options)
  if (!counters) return here
  return new RateLimiterRedis({
    ...options,
    storeClient: counters,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: countInRedis,
    // Remembers an exhausted limit in this process, to avoid asking Redis again until it resets.
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: here,
  })
}

function keepLimiters(make: (limit: Limit) => RateLimiterAbstract) {
  const limiters = new Map<string, RateLimiterAbstract>()
  return (limit: Limit) => {
    const known = limiters.get(limit.name)
    if (known) return known
    const limiter = make(limit)
    limiters.set(limit.name, limiter)
    return limiter
  }
}

/**
 * Counters that all processes share and that survive restarts. `scale` multiplies every limit. Keys leave this process
 * only as keyed hashes: they may be network addresses, even of people without an account.
 */
export function createRateLimits(pool: Pool, scale: number, secrets: Secrets, counters?: Redis): RateLimits {
  const mostOf = ({ points }: Limit) => Math.max(1, Math.round(points * scale))
  const quick = keepLimiters((limit) =>
    quickLimiter(counters, { keyPrefix: `duet:${limit.name}`, points: mostOf(limit), duration: limit.seconds }),
  )
  const hidden = (key: string) => secrets.hmac('rate-limits', key).toString('base64url')
  const useOf = (limit: Limit, key: string, points: number) => ({
    key: `${limit.name}:${hidden(key)}`,
    points,
    now: Date.now(),
  })
  const quickKey = (key: string) => (counters ? hidden(key) : key)
  const consumeQuick = (limit: Limit, key: string, points: number) => quick(limit).consume(quickKey(key), points)

  return {
    spend: async (limit, key, points = 1) => {
      const use = useOf(limit, key, points)
      const counted = await takeUse(pool, use, mostOf(limit), limit.seconds)
      if (!counted.isTaken) throw rateLimited(Math.max(0, counted.expire - use.now))
      return counted.points
    },
    spendHere: async (limit, key) => void (await consumeQuick(limit, key, 1).catch(refuse)),
    charge: async (limit, key, points) => {
      if (points < 1) return
      await consumeQuick(limit, key, points).catch((result: unknown) => {
        if (!(result instanceof RateLimiterRes)) throw result
      })
    },
    refund: (limit, key, points = 1) => returnUse(pool, useOf(limit, key, points)),
    refundHere: async (limit, key) => {
      const { consumedPoints } = await quick(limit).reward(quickKey(key))
      // The window of the counted use has already ended, and the refund must not allow an extra use in the next one.
      if (consumedPoints < 0) await quick(limit).penalty(quickKey(key))
    },
  }
}

export function networkOf(text: string): string {
  const address = canonicalAddress(text) ?? text
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const groups = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}
