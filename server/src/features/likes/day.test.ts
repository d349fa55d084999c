import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { days, hours, minutes } from '../../platform/clock.ts'
import { seededRandom } from '../../platform/random.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { type Person, people, person } from '../../test/people.ts'
import { snap } from '../cells/cells.ts'
import { findViewpoint } from '../places/places.ts'
import { beginDay, findCounts } from './likes.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const here = ownPlace()
const someone = () => person(app, { at: here })
const like = (viewer: Person, userId: string, more: object = {}) =>
  viewer.call('PUT /api/decisions/:userId', { params: { userId }, body: { decision: 'like', ...more } as never })
const today = async (viewer: Person) => (await viewer.call('GET /api/deck')).body.today
const putDecision = (actorId: string, targetId: string, at: Date) =>
  app.platform.pool.query(
    `insert into decisions (actor_id, target_id, decision, decided_at) values ($1, $2, 'like', $3)`,
    [actorId, targetId, at],
  )

/** A place where the local time is about `hour` now; 15 degrees of longitude are an hour. */
function placeAt(hour: number) {
  const now = app.clock.now()
  const degrees = (hour - now.getUTCHours() - now.getUTCMinutes() / 60) * 15
  return { latitude: 0, longitude: ((((degrees + 180) % 360) + 360) % 360) - 180 }
}

async function moveTo(who: Person, hour: number): Promise<void> {
  const place = placeAt(hour)
  await who.call('PATCH /api/user/updateLocation', { body: place })
  const { longitude } = snap(place.latitude, place.longitude)
  expect((await findViewpoint(app.platform, who.id))?.longitude).toBe(longitude)
}

describe('the day of likes', () => {
  it("moving to where midnight has just passed doesn't start a new day", async () => {
    const at = placeAt(12)
    const [ana, ben, cem] = [await person(app, { at }), await person(app, { at }), await person(app, { at })]
    await like(ana, ben.id)
    await like(ana, cem.id)
    const before = await today(ana)
    expect(before.likes).toBe(2)
    for (const hour of [0.5, 1.5, 23]) {
      app.clock.advance(hours(1.1))
      await moveTo(ana, hour)
      expect(await today(ana)).toEqual(before)
    }
    app.clock.advance(hours(24))
    expect((await today(ana)).likes).toBe(0)
  })

  it('the day follows someone who moves before their first like of the day', async () => {
    const ana = await someone()
    await moveTo(ana, 12)
    const before = await today(ana)
    app.clock.advance(hours(1.1))
    await moveTo(ana, 3)
    expect((await today(ana)).resetsAt).not.toBe(before.resetsAt)
  })

  it('a like counts on the day it is made, not when its comment changes', async () => {
    const [ana, ben] = [await someone(), await someone()]
    await like(ana, ben.id)
    app.clock.advance(days(2))
    const { body } = await like(ana, ben.id, { comment: 'Your dog?' })
    expect(body).toMatchObject({ decision: 'like', undoable: 0, today: { likes: 0 } })
    expect((await ana.call('POST /api/decisions/undo')).status).toBe(404)
    const { likes } = (await ben.call('GET /api/likes')).body
    expect(likes.map(({ comment }) => comment)).toEqual(['Your dog?'])
  })

  it.each([
    ['west to New York', 'America/New_York', '2026-11-23T05:00:00Z'],
    ['east to Tokyo', 'Asia/Tokyo', '2026-11-22T15:00:00Z'],
  ])('a new day starts when the previous one ended, after a flight %s', async (_where, zone, end) => {
    const [ana, ben] = [await someone(), await someone()]
    const evening = new Date('2026-11-21T19:00:00Z')
    const { ends_at: midnight } = await beginDay(app.platform.db, ana.id, 'Europe/Berlin', evening)
    await putDecision(ana.id, ben.id, evening)
    const now = new Date(midnight.getTime() + minutes(1))
    expect(await findCounts(app.platform.pool, ana.id, { zone, now, since: now })).toMatchObject({
      likes: 0,
      starts_at: midnight,
      ends_at: new Date(end),
    })
  })

  it('a day lasts at least 12 hours, and each like counts once, over random journeys across time zones', async () => {
    const random = seededRandom(7)
    const places = ['Pacific/Kiritimati', 'Asia/Kathmandu', 'Europe/Berlin', 'America/Havana', 'Pacific/Pago_Pago']
    const targets = await people(app, 16)
    for (let journey = 0; journey < 4; journey++) {
      const { id } = await someone()
      const begun: { starts_at: Date; ends_at: Date; likes: number }[] = []
      let now = new Date('2026-10-20T00:00:00Z').getTime()
      for (const target of targets) {
        now += Math.floor(random() ** 2 * hours(30))
        const zone = places[Math.floor(random() * places.length)] as string
        const { likes, ...day } = await beginDay(app.platform.db, id, zone, new Date(now))
        const last = begun.at(-1)
        if (last?.ends_at.getTime() !== day.ends_at.getTime()) begun.push({ ...day, likes: 0 })
        const current = begun.at(-1) as (typeof begun)[number]
        expect([likes, day.starts_at]).toEqual([current.likes, current.starts_at])
        expect(day.starts_at.getTime()).toBeLessThanOrEqual(now)
        expect(day.ends_at.getTime()).toBeGreaterThan(now)
        if (last && last !== current) expect(day.starts_at.getTime()).toBeGreaterThanOrEqual(last.ends_at.getTime())
        expect(day.ends_at.getTime() - day.starts_at.getTime()).toBeGreaterThanOrEqual(hours(12))
        await putDecision(id, target.id, new Date(now))
        current.likes += 1
      }
      expect(begun.reduce((sum, { likes }) => sum + likes, 0)).toBe(targets.length)
    }
  })

  const zones = [
    // Clocks go back from 01:00 to 00:00: midnight comes at 04:00 and again at 05:00 UTC.
    ['America/Havana', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['Atlantic/Azores', '2026-10-25T00:00:00Z', '2026-10-26T01:00:00Z'],
    // Clocks go back from 24:00 to 23:00 the evening before.
    ['Asia/Beirut', '2026-10-24T22:00:00Z', '2026-10-25T22:00:00Z'],
    // Clocks go forward from 00:00 to 01:00, so there is no midnight.
    ['Asia/Beirut', '2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ] as const
  for (const { tags, cases } of firstQuick(2, zones))
    it.each(cases)('in %s the day starts at %s, at the first of two midnights', { tags }, async (zone, start, end) => {
      const [ana, ben, cem] = [await someone(), await someone(), await someone()]
      const starts = new Date(start)
      const before = (ms: number) => new Date(starts.getTime() - ms)
      await putDecision(ana.id, ben.id, before(1))
      await putDecision(ana.id, cem.id, starts)
      for (const since of [minutes(1), minutes(59), minutes(61), hours(22)]) {
        const at = new Date(starts.getTime() + since)
        expect(await findCounts(app.platform.pool, ana.id, { zone, now: at, since: at })).toMatchObject({
          likes: 1,
          starts_at: starts,
          ends_at: new Date(end),
        })
      }
      const now = before(1)
      const last = await findCounts(app.platform.pool, randomUUID(), { zone, now, since: now })
      expect(last.ends_at).toEqual(starts)
    })
})
