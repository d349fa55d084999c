import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { days, minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { kinds, like, pass, received } from '../../test/likes.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { mailUntold } from '../mails/news.ts'
import { untold } from '../notifications/notifications.ts'
import { publishMoves } from '../places/places.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const here = ownPlace()
const away = { latitude: 0, longitude: 0 }
beforeEach(() => Object.assign(away, here, { latitude: -40 }))
const couple = async (): Promise<[Person, Person]> => [
  await person(app, { name: 'Ana', at: here }),
  await person(app, { name: 'Ben', at: here }),
]
const about = ({ id: userId }: Person) => ({ params: { userId } })
const takeBack = (viewer: Person, who: Person) => viewer.call('DELETE /api/decisions/:userId', about(who))
const change = (who: Person, body: object) => who.call('PATCH /api/user/updateUser', { body })
const move = (who: Person, body: { latitude: number; longitude: number }) =>
  who.call('PATCH /api/user/updateLocation', { body })
async function publish(): Promise<void> {
  app.clock.advance(minutes(30))
  await publishMoves(app.platform)
}
const readAll = (who: Person) => who.call('PATCH /api/notifications', { body: { read: true } })
const matchesOf = async (who: Person) => (await who.call('GET /api/matches')).body.matches.map(({ user }) => user.name)
const newsOf = async (who: Person) => {
  const { rows } = await app.platform.pool.query(
    `select id from notifications where user_id = $1 and kind = 'like' and not read`,
    [who.id],
  )
  return Promise.all(rows.map(({ id }) => untold(app.platform, id)))
}

describe('notifications of likes', () => {
  it("a like doesn't notify someone who passed the sender", async () => {
    const [ana, ben] = await couple()
    await pass(ben, ana.id)
    const device = await connect(app, ben)
    expect((await like(ana, ben.id, { comment: 'Hello' })).status).toBe(200)
    await takeBack(ana, ben)
    await like(ana, ben.id)
    // Events sent earlier on this connection arrive before this answer.
    await device.ask('get_conversations')
    expect(
      ['notification', 'notifications_changed', 'likes_changed'].map((one) => device.received(one as never)),
    ).toEqual([[], [], []])
    expect([await kinds(ben), (await received(ben)).count]).toEqual([['welcome'], 0])
  })

  it('a like notifies once a day for each sender, however often they retract it', async () => {
    const [ana, ben] = await couple()
    const device = await connect(app, ben)
    const told = () => device.received('notification').filter(({ kind }) => kind === 'like').length
    for (let n = 0; n < 3; n += 1) {
      await like(ana, ben.id)
      await readAll(ben)
      await takeBack(ana, ben)
    }
    await like(ana, ben.id)
    expect((await received(ben)).count).toBe(1)
    await device.ask('get_conversations')
    expect(told()).toBe(1)
    await takeBack(ana, ben)
    app.clock.advance(days(1))
    await like(ana, ben.id)
    await expect.poll(told).toBe(2)
  })

  it("the notification of a like isn't shown, pushed or emailed while the like is off the list", async () => {
    const [ana, ben] = await couple()
    await like(ana, ben.id)
    const news = async () => [
      (await kinds(ben)).includes('like'),
      (await newsOf(ben))[0] !== undefined,
      (await received(ben)).count === 1,
    ]
    const pause = (who: Person, paused: boolean) => change(who, { paused })
    const steps: [() => Promise<{ status: number }>, boolean][] = [
      [() => pause(ana, true), false],
      [() => pause(ana, false), true],
      [() => pause(ben, true), false],
      [() => pause(ben, false), true],
      [() => change(ben, { ageMin: 50, ageMax: 60 }), false],
      [() => change(ben, { ageMin: 18, ageMax: 99 }), true],
      [() => pass(ben, ana.id), false],
    ]
    for (const [step, isThere] of steps) {
      expect((await step()).status).toBe(200)
      expect(await news()).toEqual([isThere, isThere, isThere])
    }
    app.clock.advance(days(1))
    await mailUntold(app.platform)
    expect(app.mails.filter(({ to, text }) => to === ben.email && text.includes('Ana'))).toEqual([])
  })

  it("a like doesn't notify someone who has moved away, even while their old place is still published", async () => {
    const [ana, ben] = await couple()
    await move(ben, away)
    expect((await like(ana, ben.id)).status).toBe(200)
    expect([await kinds(ben), (await received(ben)).count]).toEqual([['welcome'], 0])
  })
})

describe('a like from an unpublished place', () => {
  it('a like from an unpublished place notifies the receiver once the place is published', async () => {
    const [ana, ben] = [await person(app, { name: 'Ana', at: away }), await person(app, { name: 'Ben', at: here })]
    await change(ana, { maxDistanceKm: 25 })
    await move(ana, here)
    expect((await like(ana, ben.id, { comment: 'Hello' })).body).toMatchObject({ decision: 'like', match: null })
    expect([await kinds(ben), (await received(ben)).count]).toEqual([['welcome'], 0])
    await publish()
    await expect.poll(() => kinds(ben)).toContain('like')
    expect((await received(ben)).likes).toMatchObject([{ user: { name: 'Ana' }, comment: 'Hello' }])
    expect((await like(ben, ana.id)).body.match).toMatchObject({ user: { name: 'Ana' } })
  })

  it('an answer from an unpublished place makes a match once the place is published', async () => {
    const [ana, ben] = await couple()
    await change(ana, { maxDistanceKm: 25 })
    await like(ben, ana.id, { comment: 'Hello Ana' })
    await move(ana, away)
    await publish()
    await move(ana, here)
    const device = await connect(app, ben)
    expect((await like(ana, ben.id, { comment: 'Hello Ben' })).body).toMatchObject({ decision: 'like', match: null })
    await device.ask('get_conversations')
    expect([device.received('match'), await matchesOf(ana), await matchesOf(ben)]).toEqual([[], [], []])
    await publish()
    await device.next('match')
    expect([await matchesOf(ana), await matchesOf(ben)]).toEqual([['Ben'], ['Ana']])
    const { rows } = await app.platform.pool.query('select body from messages where sender_id = any($1) order by seq', [
      [ana.id, ben.id],
    ])
    expect(rows.map(({ body }) => body)).toEqual(['Hello Ana', 'Hello Ben'])
  })

  it('a like notifies nobody if its sender goes back before the place is published', async () => {
    const [ana, ben] = [await person(app, { name: 'Ana', at: away }), await person(app, { name: 'Ben', at: here })]
    await change(ana, { maxDistanceKm: 25 })
    await move(ana, here)
    await like(ana, ben.id)
    await move(ana, away)
    await publish()
    expect([await kinds(ben), (await received(ben)).count]).toEqual([['welcome'], 0])
    expect((await takeBack(ana, ben)).status).toBe(200)
  })

  it('a like from an unpublished place notifies immediately if the two also fit at the published place', async () => {
    const [ana, ben] = await couple()
    await move(ana, { ...here, latitude: here.latitude + 0.1 })
    await like(ana, ben.id)
    expect(await kinds(ben)).toContain('like')
  })
})
