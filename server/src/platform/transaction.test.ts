import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../test/app.ts'
import type { DB } from './database/schema.ts'
import { createRateLimits } from './security/rate-limit.ts'
import { transaction } from './transaction.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Executor = Pick<Kysely<DB>, 'getExecutor'>
const take = (db: Executor, lock: number) => sql`select pg_advisory_xact_lock(${lock})`.execute(db as Kysely<DB>)

function meeting(count: number): () => Promise<void> {
  let come = 0
  let open: () => void
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come += 1
    if (come >= count) open()
    return all
  }
}

let begun: string[]
beforeEach(() => {
  begun = []
})

/**
 * Takes two locks in order. On its first attempt, it waits until the other transactions also hold one lock before it
 * takes the second.
 */
function circle(name: string, locks: readonly [number, number], meet: () => Promise<void>): Promise<string> {
  return transaction(app.platform, async (tx) => {
    begun.push(name)
    tx.afterCommit(() => begun.push(`${name} kept`))
    await take(tx.db, locks[0])
    await meet()
    await take(tx.db, locks[1])
    return name
  })
}

it('Two transactions that deadlock both commit, each once', { tags: 'long' }, async () => {
  const meet = meeting(2)
  const done = await Promise.all([circle('one', [71, 72], meet), circle('other', [72, 71], meet)])
  expect(done).toEqual(['one', 'other'])
  expect(begun).toHaveLength(5)
  expect(begun.filter((step) => step.endsWith('kept')).sort()).toEqual(['one kept', 'other kept'])
})

it('A transaction that loses every retry fails and runs no after-commit task', async () => {
  const lost = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  const work = transaction(app.platform, async (tx) => {
    begun.push('again')
    tx.afterCommit(() => begun.push('kept'))
    throw lost
  })
  await expect(work).rejects.toBe(lost)
  expect(begun).toEqual(['again', 'again', 'again'])
})

it('Errors other than deadlocks are not retried', async () => {
  const work = transaction(app.platform, async ({ db }) => {
    begun.push('once')
    await sql`select 1 / 0`.execute(db)
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
  expect(begun).toEqual(['once'])
})

it('A transaction that does not commit refunds its uses of limits, even when it is retried', async () => {
  const owner = new pg.Pool(ownerOf(app.platform))
  onTestFinished(() => owner.end())
  const limits = createRateLimits(owner, 1, app.platform.secrets)
  const limit = { name: 'transactions_spent', points: 1, seconds: 60 }
  const quick = { name: 'transactions_spent_here', points: 1, seconds: 60 }
  const spending = (fail: (tries: number) => void) => {
    let tries = 0
    return transaction({ ...app.platform, limits }, async (tx) => {
      await tx.limits.spend(limit, 'ana')
      await tx.limits.spendHere(quick, 'ana')
      tries += 1
      fail(tries)
    })
  }
  const refused = spending(() => {
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  await spending((tries) => {
    if (tries < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  })
  await expect(limits.spend(limit, 'ana')).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(limits.spendHere(quick, 'ana')).rejects.toMatchObject({ code: 'rate_limited' })
  // The refused use wasn't counted, so one refund allows one more use.
  await limits.refund(limit, 'ana')
  await limits.spend(limit, 'ana')
})
