import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { days, minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { kinds, like, received } from '../../test/likes.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { openReview } from '../claims/open-review.ts'
import { publishMoves } from '../places/places.ts'
import { isFoundOut as isFoundOutBy, setUnseen } from '../spam/linked.queries.ts'
import { findUnheardActors } from './likes.queries.ts'
import { type IsFoundOut, releaseArrived, releaseMoved } from './moved.ts'
import { releaseLikes } from './telling.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const here = ownPlace()
const away = { latitude: 0, longitude: 0 }
beforeEach(() => Object.assign(away, here, { latitude: -40 }))

const change = (who: Person, body: object) => who.call('PATCH /api/user/updateUser', { body })
const move = (who: Person, body: { latitude: number; longitude: number }) =>
  who.call('PATCH /api/user/updateLocation', { body })
const isFoundOut: IsFoundOut = (db, userId) => isFoundOutBy(db, userId, 'linked_account')
async function publish(who: Person): Promise<void> {
  app.clock.advance(minutes(30))
  await publishMoves(app.platform)
  await releaseMoved(app.platform, who.id, isFoundOut)
}
const byTheClock = () => releaseArrived(app.platform, isFoundOut)
const matchesOf = async (who: Person) => (await who.call('GET /api/matches')).body.matches.map(({ user }) => user.name)
const rowsOf = async (query: string, ...values: unknown[]) => (await app.platform.pool.query(query, values)).rows
const heldOf = async ({ id }: Person) =>
  (await rowsOf('select held from decisions where actor_id = $1', id)).map(({ held }) => held)

async function waitingAnswer(): Promise<[Person, Person]> {
  const [ana, ben] = [await person(app, { name: 'Ana', at: here }), await person(app, { name: 'Ben', at: here })]
  await change(ana, { maxDistanceKm: 25 })
  await change(ben, { maxDistanceKm: null })
  await like(ben, ana.id, { comment: 'Hello Ana' })
  await move(ana, away)
  await publish(ana)
  await move(ana, here)
  expect((await like(ana, ben.id)).body).toMatchObject({ decision: 'like', match: null })
  return [ana, ben]
}

const suspend = ({ id }: Person) =>
  rowsOf(
    `update accounts set standing = 'suspended', standing_until = $2 where id = $1`,
    id,
    new Date(app.clock.now().getTime() + days(3)),
  )
const stay: Record<string, [(who: Person) => Promise<unknown>, (who: Person) => Promise<unknown>]> = {
  paused: [(who) => change(who, { paused: true }), (who) => change(who, { paused: false })],
  suspended: [
    suspend,
    ({ id }) => rowsOf(`update accounts set standing = 'good', standing_until = null where id = $1`, id),
  ],
  'about to be erased': [
    ({ id }) =>
      rowsOf('update accounts set erase_at = $2 where id = $1', id, new Date(app.clock.now().getTime() + days(9))),
    ({ id }) => rowsOf('update accounts set erase_at = null where id = $1', id),
  ],
}

describe('answers that wait for a place', () => {
  it.each(Object.keys(stay))(
    'an answer from a new place makes no match while its sender is %s, and makes it afterwards',
    async (name) => {
      const [begin, end] = stay[name] as (typeof stay)[string]
      const [ana, ben] = await waitingAnswer()
      await begin(ana)
      await publish(ana)
      await byTheClock()
      expect(await rowsOf('select 1 from matches where $1 in (user_lo, user_hi)', ana.id)).toEqual([])
      expect([await heldOf(ana), await matchesOf(ben), await kinds(ben)]).toEqual([[true], [], ['welcome']])
      await end(ana)
      await byTheClock()
      expect([await heldOf(ana), await matchesOf(ben)]).toEqual([[false], ['Ana']])
    },
  )

  it.each(['the clock', 'the same like again'])(
    'a waiting answer makes its match by %s once filters let the two fit',
    async (by) => {
      const [ana, ben] = await waitingAnswer()
      await move(ana, away)
      await publish(ana)
      await byTheClock()
      expect(await heldOf(ana)).toEqual([true])
      await change(ana, { maxDistanceKm: null })
      if (by === 'the clock') await byTheClock()
      else expect((await like(ana, ben.id)).body).toMatchObject({ match: { user: { name: 'Ben' } } })
      expect([await matchesOf(ana), await matchesOf(ben)]).toEqual([['Ben'], ['Ana']])
    },
  )

  it('a match is made without a notification if a moderator found that its sender came back', async () => {
    const [ana, ben] = await waitingAnswer()
    await transaction(app.platform, (tx) => openReview(tx, { kind: 'linked_account', userId: ana.id, note: 'Both.' }))
    await rowsOf(
      `update reviews set state = 'closed', outcome = 'upheld', decided_at = now() where user_id = $1`,
      ana.id,
    )
    await publish(ana)
    expect([await matchesOf(ben), await kinds(ben)]).toEqual([['Ana'], ['welcome']])
    const texts = await rowsOf('select body from messages where sender_id = $1', ben.id)
    expect(texts).toEqual([{ body: 'Hello Ana' }])
  })
})

describe('likes that wait for a place', () => {
  async function waiting(): Promise<[Person, Person]> {
    const [ana, ben] = [await person(app, { name: 'Ana', at: away }), await person(app, { name: 'Ben', at: here })]
    await change(ana, { maxDistanceKm: 25 })
    await move(ana, here)
    await like(ana, ben.id)
    await move(ana, away)
    await publish(ana)
    return [ana, ben]
  }

  it("a like that waits for a place isn't released by a review, only by its place", async () => {
    const [ana, ben] = await waiting()
    expect(await findUnheardActors(app.platform.db, 9)).toEqual([])
    expect(await transaction(app.platform, (tx) => releaseLikes(tx, ana.id, true, 1))).toBe(false)
    expect([await heldOf(ana), await kinds(ben)]).toEqual([[true], ['welcome']])
    await move(ana, here)
    await publish(ana)
    expect([await heldOf(ana), await kinds(ben), (await received(ben)).count]).toEqual([
      [false],
      ['like', 'welcome'],
      1,
    ])
  })

  it('a waiting like sends one notification when its sender repeats it where the two fit', async () => {
    const [ana, ben] = await waiting()
    for (const one of [ana, ben]) await change(one, { maxDistanceKm: null })
    for (let n = 0; n < 2; n++) expect((await like(ana, ben.id)).status).toBe(200)
    await byTheClock()
    expect([await kinds(ben), (await received(ben)).count]).toEqual([['like', 'welcome'], 1])
  })
})

it.each(['before', 'after'] as const)(
  'the match of an unseen person who moved %s their like is shown to the other person after the review',
  async (when) => {
    const [ana, ben] = [await person(app, { name: 'Ana', at: here }), await person(app, { name: 'Ben', at: here })]
    await like(ben, ana.id, { comment: 'Hello Ana' })
    await transaction(app.platform, (tx) => setUnseen(tx.db, ana.id, true))
    if (when === 'before') {
      await change(ana, { maxDistanceKm: 25 })
      await change(ben, { maxDistanceKm: 25 })
      await move(ana, away)
      await publish(ana)
      await move(ana, here)
    }
    expect((await like(ana, ben.id)).body.match).toMatchObject({ user: { name: 'Ben' } })
    if (when === 'after') await move(ana, { ...here, latitude: here.latitude + 0.1 })
    await transaction(app.platform, async (tx) => {
      await setUnseen(tx.db, ana.id, false)
      await releaseLikes(tx, ana.id, true)
    })
    expect(await matchesOf(ben)).toEqual(when === 'before' ? [] : ['Ana'])
    await publish(ana)
    expect([await heldOf(ana), await matchesOf(ben)]).toEqual([[false], ['Ana']])
    expect(await kinds(ben)).toContain('match')
    expect(await rowsOf('select body from messages where sender_id = $1', ben.id)).toEqual([{ body: 'Hello Ana' }])
  },
)
