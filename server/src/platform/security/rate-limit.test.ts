import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { createTestRedis, hasRedis } from '../../test/redis.ts'
import { createRateLimits, type RateLimits, refundedOnFailure } from './rate-limit.ts'

let app: TestApp
let owner: pg.Pool
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  owner = new pg.Pool(ownerOf(app.platform))
})
afterAll(async () => {
  await owner?.end()
  await app.close()
})

const limit = (name: string, points: number, seconds = 600) => ({ name, points, seconds })
const isTaken = (use: Promise<unknown>) =>
  use.then(
    () => true,
    (error) => {
      expect(error).toMatchObject({ code: 'rate_limited' })
      return false
    },
  )
const count = async (uses: number, use: () => Promise<unknown>) => {
  let taken = 0
  for (let n = 0; n < uses; n++) if (await isTaken(use())) taken++
  return taken
}
const endWindow = (name: string) => owner.query(`update rate_limits set expire = 1 where key like $1 || ':%'`, [name])
const points = async (name: string) =>
  (await owner.query(`select points from rate_limits where key like $1 || ':%'`, [name])).rows

it('Uses refused at the end of a window free no uses of the next window', async () => {
  const { limits } = app.platform
  const guesses = limit('guesses_at_the_end', 5)
  const guess = () => limits.spend(guesses, 'ana')
  expect(await count(6, guess)).toBe(5)
  const late = Promise.all(Array.from({ length: 60 }, () => isTaken(guess())))
  await endWindow(guesses.name)
  const taken = (await late).filter(Boolean).length
  expect(taken + (await count(60, guess))).toBe(5)
})

it('A refund after the window has ended frees no use of the next window', async () => {
  const { limits } = app.platform
  const tries = limit('late_refunds', 3)
  await limits.spend(tries, 'ana')
  await endWindow(tries.name)
  for (let n = 0; n < 9; n++) await limits.refund(tries, 'ana')
  expect(await count(9, () => limits.spend(tries, 'ana'))).toBe(3)
  for (let n = 0; n < 9; n++) await limits.refund(tries, 'ana')
  expect(await points(tries.name)).toEqual([{ points: 0 }])
})

it('A refused use of several points takes none, and a refund of another use frees one', async () => {
  const { limits } = app.platform
  const many = limit('many_points', 5)
  await expect(limits.spend(many, 'ana', 6)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await points(many.name)).toEqual([])
  expect(await limits.spend(many, 'ana', 4)).toBe(4)
  await expect(limits.spend(many, 'ana', 2)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await limits.spend(many, 'ana')).toBe(5)
  await expect(limits.spend(many, 'ana')).rejects.toMatchObject({ code: 'rate_limited' })
  await limits.refund(many, 'ana')
  expect(await limits.spend(many, 'ana')).toBe(5)
})

/**
 * The number of uses left in a window after refunds from the previous one. Takes the minimum of three attempts, because
 * a window may end during one.
 */
async function lateRefunds(limits: RateLimits): Promise<number> {
  const counts: number[] = []
  for (const name of ['late_a', 'late_b', 'late_c']) counts.push(await lateRefundsOf(limits, name))
  return Math.min(...counts)
}

async function lateRefundsOf(limits: RateLimits, name: string): Promise<number> {
  const here = limit(name, 3, 1)
  const failed = refundedOnFailure(limits, async (own) => {
    for (let n = 0; n < 3; n++) await own.spendHere(here, 'ana')
    expect(await isTaken(own.spendHere(here, 'ana'))).toBe(false)
    await expect.poll(() => isTaken(limits.spendHere(here, 'ana'))).toBe(true)
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  return count(60, () => limits.spendHere(here, 'ana'))
}

it('In one process, refunds after the window has ended free no uses of the next window', async () => {
  const limits = createRateLimits(owner, 1, app.platform.secrets)
  expect(await lateRefunds(limits)).toBeLessThanOrEqual(3)
})

it.skipIf(!hasRedis)('In Redis, refunds after the window has ended free no uses of the next window', async () => {
  const redis = await createTestRedis()
  await redis.start()
  const counters = new Redis(redis.url)
  onTestFinished(async () => {
    await counters.quit()
    await redis.stop()
  })
  const limits = createRateLimits(owner, 1, app.platform.secrets, counters)
  expect(await lateRefunds(limits)).toBeLessThanOrEqual(3)
})
