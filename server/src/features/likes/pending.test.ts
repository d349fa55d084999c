import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { days, minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { recountEverybody } from './pending.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const here = ownPlace()
const someone = () => person(app, { at: here })
const about = ({ id: userId }: Person) => ({ params: { userId } })
async function decide(viewer: Person, target: Person, decision: 'like' | 'pass' | 'later'): Promise<void> {
  const { status, body } = await viewer.call('PUT /api/decisions/:userId', { ...about(target), body: { decision } })
  expect(status, JSON.stringify(body)).toBe(200)
}
async function retract(viewer: Person, target: Person): Promise<void> {
  const { status, body } = await viewer.call('DELETE /api/decisions/:userId', about(target))
  expect(status, JSON.stringify(body)).toBe(200)
}
const undo = async (viewer: Person) => expect((await viewer.call('POST /api/decisions/undo')).status).toBe(200)

/** A person's pending likes, weighted by their current age. */
async function pendingOf({ id }: Person): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select pending * power(2, -extract(epoch from ${app.clock.now()}::timestamptz - pending_at)::float8 / 604800) as pending
    from standings where user_id = ${id}`.execute(app.platform.db)
  return rows[0]?.pending ?? 0
}
const setPending = ({ id }: Person, pending: number) =>
  sql`insert into standings as s (user_id, pending, pending_at) values (${id}, ${pending}, ${app.clock.now()})
    on conflict (user_id) do update set (pending, pending_at) = (excluded.pending, excluded.pending_at)`.execute(
    app.platform.db,
  )

describe('pending likes', () => {
  it('a pass and its undo leave the number of pending likes unchanged, however often', { tags: 'long' }, async () => {
    const [ana, ben, cem] = [await someone(), await someone(), await someone()]
    await decide(ben, ana, 'like')
    await decide(cem, ana, 'like')
    for (let time = 0; time < 3; time++) {
      await decide(ana, ben, 'pass')
      expect(await pendingOf(ana)).toBeCloseTo(1, 2)
      await undo(ana)
      expect(await pendingOf(ana)).toBeCloseTo(2, 2)
      await decide(ana, ben, 'pass')
      await decide(ana, ben, 'later')
      expect(await pendingOf(ana)).toBeCloseTo(2, 2)
      await undo(ana)
    }
  })

  it('a pending like counts half after a week, and an answer or retraction removes that weight', {
    tags: 'long',
  }, async () => {
    const [ana, ben, cem, dan] = [await someone(), await someone(), await someone(), await someone()]
    const afterHalfAWeek = Math.SQRT1_2
    await decide(ben, ana, 'like')
    await decide(cem, ana, 'like')
    app.clock.advance(days(3.5))
    expect(await pendingOf(ana)).toBeCloseTo(2 * afterHalfAWeek, 2)
    await decide(dan, ana, 'like')
    expect(await pendingOf(ana)).toBeCloseTo(2 * afterHalfAWeek + 1, 2)
    await decide(ana, ben, 'pass')
    expect(await pendingOf(ana)).toBeCloseTo(afterHalfAWeek + 1, 2)
    await retract(cem, ana)
    expect(await pendingOf(ana)).toBeCloseTo(1, 2)
    await decide(ana, dan, 'like')
    expect(await pendingOf(ana)).toBeCloseTo(0, 2)
    expect(await pendingOf(dan)).toBe(0)
  })
})

describe('the nightly recount', () => {
  const holdBack = ({ id: userId }: Person) =>
    transaction(app.platform, (tx) =>
      sanction(tx, { userId, kind: 'shadow', ground: 'spam', decidedBy: null, days: 7, statement: 'It was spam.' }),
    )
  const ban = ({ id }: Person) => app.platform.pool.query(`update accounts set standing = 'banned' where id = $1`, [id])

  const reasons = [
    ['was banned', ban],
    ['is held back as a spammer', holdBack],
    [
      'is kept unseen',
      (liker: Person) => app.platform.pool.query('update accounts set unseen = true where id = $1', [liker.id]),
    ],
    ['takes a pause', (liker: Person) => liker.call('PATCH /api/user/updateUser', { body: { paused: true } })],
    ['erases their account', (liker: Person) => liker.call('POST /api/erasure', { body: {} })],
    ['blocks', (liker: Person, ana: Person) => liker.call('PUT /api/blocks/:userId', about(ana))],
    ['is blocked', (liker: Person, ana: Person) => ana.call('PUT /api/blocks/:userId', about(liker))],
  ] as const
  for (const { tags, cases } of firstQuick(2, reasons))
    it.each(cases)('the recount leaves out the like of someone who %s', { tags }, async (_why, act) => {
      const [ana, ben, liker] = [await someone(), await someone(), await someone()]
      await decide(liker, ana, 'like')
      await decide(liker, ben, 'like')
      await decide(ana, ben, 'like')
      await act(liker, ana)
      await recountEverybody(app.platform)
      expect(await pendingOf(ana)).toBe(0)
      expect(await pendingOf(ben)).toBeGreaterThan(0.99)
    })

  it('the recount corrects wrong counts and leaves right ones unwritten', async () => {
    const [ana, ben, cem, dan] = [await someone(), await someone(), await someone(), await someone()]
    await decide(ben, ana, 'like')
    await decide(cem, ana, 'like')
    await decide(ana, cem, 'later')
    app.clock.advance(days(3.5))
    await decide(dan, ana, 'like')
    await decide(dan, ben, 'like')
    await decide(ben, dan, 'pass')
    await setPending(ben, 3)
    app.clock.advance(minutes(30))
    const changed = async () => {
      const { rows } = await sql`select user_id, changed from standings
        where user_id in (${ana.id}, ${cem.id}, ${dan.id}) order by 1`.execute(app.platform.db)
      return rows
    }
    const before = await changed()
    await recountEverybody(app.platform)
    expect(await pendingOf(ben)).toBe(0)
    expect(await changed()).toEqual(before)
    await setPending(ana, 0)
    await recountEverybody(app.platform)
    expect(await pendingOf(ana)).toBeCloseTo(1 + 2 * Math.SQRT1_2, 1)
  })
})
