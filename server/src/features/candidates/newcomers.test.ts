import { afterAll, beforeAll, expect, it } from 'vitest'
import { days, minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { publishMoves } from '../places/places.ts'
import { endSanction, sanction } from '../sanctions/sanctions.ts'
import { setUnseen } from '../spam/linked.queries.ts'
import { settleLinked } from '../spam/linked.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
const here = ownPlace()

const place = (who: Person) => who.call('PATCH /api/user/updateLocation', { body: here })
const withdraw = (who: Person) => who.call('PUT /api/consents', { body: { purpose: 'location', granted: false } })
const pause = (who: Person, paused: boolean) => who.call('PATCH /api/user/updateUser', { body: { paused } })
const hide = (who: Person, incognito: boolean) => who.call('PATCH /api/privacy', { body: { incognito } })
const keepUnseen = ({ id }: Person, unseen: boolean) => setUnseen(app.platform.db, id, unseen)

async function isNew({ id }: Person): Promise<boolean> {
  const viewer = await person(app, { at: here })
  const { body } = await viewer.call('GET /api/user/:id', { params: { id } })
  return body.why.some(({ kind }) => kind === 'new_here')
}

type Way = [how: string, keep: (who: Person) => Promise<unknown>, show: (who: Person) => Promise<unknown>]
const ways: Way[] = [
  ['adds a place', async () => undefined, place],
  ['comes out of a pause', async (who) => [await pause(who, true), await place(who)], (who) => pause(who, false)],
  ['is no longer incognito', async (who) => [await hide(who, true), await place(who)], (who) => hide(who, false)],
]
it.each(ways)('someone who %s on the third day becomes new then, and only once', async (_how, keep, show) => {
  const who = await person(app)
  await keep(who)
  app.clock.advance(days(3))
  await show(who)
  expect(await isNew(who)).toBe(true)
  app.clock.advance(days(3))
  expect(await isNew(who)).toBe(false)
  await pause(who, true)
  await pause(who, false)
  await withdraw(who)
  await place(who)
  app.clock.advance(minutes(30))
  await publishMoves(app.platform)
  expect(await isNew(who)).toBe(false)
})

it('someone who was unseen by mistake becomes new after the review', async () => {
  const who = await person(app)
  await keepUnseen(who, true)
  await place(who)
  app.clock.advance(days(3))
  await transaction(app.platform, (tx) =>
    settleLinked(tx, { kind: 'linked_account', userId: who.id, outcome: 'dismissed' }, async () => false),
  )
  expect(await isNew(who)).toBe(true)
})

it('someone who cancels their erasure becomes new then', async () => {
  const who = await person(app)
  await who.call('POST /api/erasure', { body: {} })
  await place(who)
  app.clock.advance(days(3))
  expect((await who.call('DELETE /api/erasure')).status).toBe(200)
  expect(await isNew(who)).toBe(true)
})

it.each(['ended', 'lifted', 'reversed'] as const)(
  'someone who was suspended before anyone saw them is new once that is %s',
  async (as) => {
    const who = await person(app)
    await keepUnseen(who, true)
    await place(who)
    const { id: userId } = who
    const id = await transaction(app.platform, (tx) =>
      sanction(tx, { userId, kind: 'suspension', ground: 'scam', decidedBy: null, statement: 'A scam.', days: 9 }),
    )
    await keepUnseen(who, false)
    app.clock.advance(days(3))
    await transaction(app.platform, (tx) =>
      endSanction(tx, { id, user_id: userId, kind: 'suspension' }, { as, by: null }),
    )
    expect(await isNew(who)).toBe(true)
  },
)

it('someone who was shown before is not new after a pause', async () => {
  const who = await person(app, { at: here })
  await app.platform.pool.query('update profiles set found_after = null where user_id = $1', [who.id])
  await app.platform.pool.query(
    `insert into standings (user_id, impressions) values ($1, 1) on conflict (user_id) do update set impressions = 1`,
    [who.id],
  )
  app.clock.advance(days(3))
  await pause(who, true)
  await pause(who, false)
  expect(await isNew(who)).toBe(false)
})
