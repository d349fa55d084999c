import { cellToLatLng, greatCircleDistance, latLngToCell, UNITS } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hours, minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { publishMoves } from '../places/places.ts'
import { announceNewcomer } from './discovery.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

let places = 0
/** Picks a place far from those of all other tests and returns a function that gives points `km` north of it. */
function farAway(): (km: number) => { latitude: number; longitude: number } {
  const longitude = -170 + 4 * places++
  return (km) => ({ latitude: -40 + km / 111.2, longitude })
}

const centreOf = (place: { latitude: number; longitude: number }) =>
  cellToLatLng(latLngToCell(place.latitude, place.longitude, 7))
function bucketOf(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number | null {
  const km = greatCircleDistance(centreOf(a), centreOf(b), UNITS.km)
  return [2, 5, 10, 25, 50, 100].find((bound) => km < bound) ?? null
}

const nearby = async (viewer: Person, query: { cursor?: string; limit?: number } = {}) =>
  (await viewer.call('GET /api/user/nearBy', { query })).body
const idsNear = async (viewer: Person) => (await nearby(viewer)).users.map(({ id }) => id)

describe('people nearby', () => {
  it('people nearby come nearest bucket first, with the upper bound of their bucket', async () => {
    const at = farAway()
    const me = await person(app, { at: at(0) })
    for (const km of [80, 3, 40, 18, 7.5]) await person(app, { at: at(km), name: `km ${km}` })
    const { users } = await nearby(me)
    expect(users.map(({ name }) => name)).toEqual(['km 3', 'km 7.5', 'km 18', 'km 40', 'km 80'])
    expect(users.map(({ distanceKm }) => distanceKm)).toEqual([3, 7.5, 18, 40, 80].map((km) => bucketOf(at(0), at(km))))
  })

  it('people nearby include neither oneself nor people without a location', async () => {
    const at = farAway()
    const me = await person(app, { at: at(0) })
    await person(app)
    expect(await idsNear(me)).toEqual([])
    expect(await idsNear(await person(app))).toEqual([])
  })

  it('people nearby have everything that a card shows', async () => {
    const at = farAway()
    const me = await person(app, { at: at(0) })
    const ben = await person(app, {
      at: at(1),
      name: 'Ben',
      birthDate: '1990-01-01',
      bio: 'Hello',
      interests: ['cats'],
    })
    const { users } = await nearby(me)
    expect(users).toEqual([
      {
        id: ben.id,
        name: 'Ben',
        age: expect.any(Number),
        images: [],
        photos: [],
        distanceKm: expect.any(Number),
        area: expect.any(String),
        bio: 'Hello',
        interests: ['cats'],
        active: 'today',
        verified: false,
        reasons: ['Less than 5 km away', 'Active today', 'New here'],
        why: [
          { kind: 'near', params: { km: '5' } },
          { kind: 'active_today', params: {} },
          { kind: 'new_here', params: {} },
        ],
      },
    ])
  })

  it('pages of people nearby have no gaps or repeats, with any page size', { tags: 'long' }, async () => {
    const at = farAway()
    const anywhere = { maxDistanceKm: null, gender: 'nonbinary' as const, interestedIn: ['nonbinary' as const] }
    const me = await person(app, { at: at(0), ...anywhere })
    const distances = [0, 1, 3, 7, 9, 20, 60, 90, 150, 200, 400, 700, 1_000]
    const others = await Promise.all(distances.map((km) => person(app, { at: at(km), ...anywhere })))
    const whole = await nearby(me, { limit: 50 })
    expect(whole.nextCursor).toBeNull()
    expect(new Set(whole.users.map(({ id }) => id))).toEqual(new Set(others.map(({ id }) => id)))
    const beyond = 1_000_000
    const told = whole.users.map(({ distanceKm }) => distanceKm ?? beyond)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.filter((km) => km === beyond)).toHaveLength(5)
    for (const limit of [1, 3, 8, 12, 13]) {
      const walked: string[] = []
      let cursor: string | undefined
      do {
        const page = await nearby(me, { limit, ...(cursor && { cursor }) })
        walked.push(...page.users.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(walked).toEqual(whole.users.map(({ id }) => id))
    }
  })

  it("the order within a bucket doesn't depend on distance, and differs between viewers", {
    tags: 'long',
  }, async () => {
    const at = farAway()
    const [me, other] = [await person(app, { at: at(0) }), await person(app, { at: at(0) })]
    for (let n = 0; n < 12; n++) await person(app, { at: at(12.5 + 0.8 * n), name: `${12.5 + 0.8 * n}` })
    const order = async (viewer: Person) =>
      (await nearby(viewer)).users.filter(({ distanceKm }) => distanceKm === 25).map(({ name }) => Number(name))
    const mine = await order(me)
    expect(mine).toHaveLength(12)
    expect(mine).not.toEqual([...mine].sort((a, b) => a - b))
    expect(await order(me)).toEqual(mine)
    expect(await order(other)).not.toEqual(mine)
  })
})

describe('filters', () => {
  it("filters apply both people's genders", async () => {
    const at = farAway()
    const ana = await person(app, { at: at(0), gender: 'woman', interestedIn: ['man'] })
    const ben = await person(app, { at: at(0), gender: 'man', interestedIn: ['woman'] })
    const cem = await person(app, { at: at(0), gender: 'man', interestedIn: ['man'] })
    const dee = await person(app, { at: at(0), gender: 'woman', interestedIn: ['woman'] })
    const eli = await person(app, { at: at(0), gender: 'nonbinary', interestedIn: [] })
    expect(await idsNear(ana)).toEqual([ben.id])
    expect(await idsNear(ben)).toEqual([ana.id])
    expect(await idsNear(cem)).toEqual([])
    expect(await idsNear(dee)).toEqual([])
    expect(await idsNear(eli)).toEqual([])
  })

  it("filters apply both people's ages", async () => {
    const at = farAway()
    const year = app.clock.now().getUTCFullYear()
    const bornAt = (age: number) => `${year - age}-01-01`
    const ana = await person(app, { at: at(0), birthDate: bornAt(30), ageMin: 28, ageMax: 35 })
    const fits = await person(app, { at: at(0), birthDate: bornAt(35), ageMin: 18, ageMax: 30 })
    await person(app, { at: at(0), birthDate: bornAt(36) })
    await person(app, { at: at(0), birthDate: bornAt(27) })
    await person(app, { at: at(0), birthDate: bornAt(30), ageMin: 31, ageMax: 99 })
    expect(await idsNear(ana)).toEqual([fits.id])
    expect(await idsNear(fits)).toContain(ana.id)
  })

  it("filters apply both people's distances", async () => {
    const at = farAway()
    const ana = await person(app, { at: at(0), maxDistanceKm: 25 })
    const near = await person(app, { at: at(20), maxDistanceKm: 25 })
    await person(app, { at: at(30), maxDistanceKm: 100 })
    await person(app, { at: at(20), maxDistanceKm: 5 })
    expect(await idsNear(ana)).toEqual([near.id])
  })

  it("a viewer who looks anywhere is still limited by the other person's distance", async () => {
    const at = farAway()
    const ana = await person(app, { at: at(0), maxDistanceKm: null, gender: 'woman', interestedIn: ['nonbinary'] })
    const far = await person(app, { at: at(300), maxDistanceKm: null, gender: 'nonbinary', interestedIn: ['woman'] })
    await person(app, { at: at(300), maxDistanceKm: 100, gender: 'nonbinary', interestedIn: ['woman'] })
    expect((await nearby(ana)).users).toMatchObject([{ id: far.id, distanceKm: null }])
  })
})

describe('blocked people', () => {
  it("blocked people aren't nearby, in either direction", async () => {
    const at = farAway()
    const [ana, ben] = [await person(app, { at: at(0) }), await person(app, { at: at(0) })]
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    expect(await idsNear(ana)).toEqual([])
    expect(await idsNear(ben)).toEqual([])
  })
})

describe('a cursor', () => {
  it.each(['nonsense', 'e30.AAAA', '', `${'x'.repeat(600)}`])('a made-up cursor (%s) is refused', async (cursor) => {
    const me = await person(app, { at: farAway()(0) })
    const { status, body } = await me.call('GET /api/user/nearBy', { query: { cursor } })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })

  it("another person's cursor is refused", async () => {
    const at = farAway()
    const [ana, ben] = [await person(app, { at: at(0) }), await person(app, { at: at(0) })]
    await person(app, { at: at(0) })
    const { nextCursor } = await nearby(ana, { limit: 1 })
    expect((await ben.call('GET /api/user/nearBy', { query: { cursor: nextCursor ?? '' } })).status).toBe(400)
  })

  it.each(['limit=0', 'limit=51', 'limit=ten', 'limit=-1'])('a request with %s is refused', async (query) => {
    const me = await person(app)
    expect((await me.send('GET', `/api/user/nearBy?${query}`)).status).toBe(400)
  })
})

describe('someone new nearby', () => {
  it('someone new nearby is announced once to people who fit, with a link to the profile', async () => {
    const at = farAway()
    const [ana, picky] = [await person(app, { at: at(0) }), await person(app, { at: at(0), interestedIn: ['woman'] })]
    const newcomer = await person(app, { name: 'Sofía', gender: 'man', at: at(3) })
    const link = `/profile/${newcomer.id}`
    // These two may be announced to each other before the second one has stated whom she is looking for.
    const told = async (viewer: Person) =>
      (await viewer.call('GET /api/notifications')).body.notifications.filter((one) => one.link === link)
    await expect.poll(() => told(ana)).toMatchObject([{ title: 'Sofía is new nearby', kind: 'nearby', type: 'info' }])
    expect(await told(picky)).toEqual([])
  })

  it("someone new who hides their distance isn't announced", async () => {
    const at = farAway()
    const ana = await person(app, { at: at(0) })
    const newcomer = await person(app, { name: 'Sofía' })
    await newcomer.call('PATCH /api/privacy', { body: { hideDistance: true } })
    await newcomer.call('PATCH /api/user/updateLocation', { body: at(3) })
    await announceNewcomer(app.platform, newcomer.id)
    const kinds = (await ana.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
    expect(kinds).not.toContain('nearby')
  })
})

describe('people in one published cell', () => {
  it('people in one published cell look exactly the same to everyone', async () => {
    const at = farAway()
    const [latitude, longitude] = centreOf(at(50))
    const centre = { latitude, longitude }
    const twins = [
      centre,
      { ...centre, latitude: centre.latitude + 0.0004 },
      { ...centre, longitude: centre.longitude - 0.0005 },
    ]
    const me = await person(app, { at: at(0) })
    const seen: string[] = []
    for (const place of twins) {
      const twin = await person(app, { at: place })
      const card = (await me.call('GET /api/user/:id', { params: { id: twin.id } })).body
      seen.push(JSON.stringify({ ...card, id: '' }))
      app.clock.advance(minutes(1))
    }
    expect(new Set(seen).size).toBe(1)
  })

  it('people appear at their old place until their move is published', async () => {
    const at = farAway()
    const me = await person(app, { at: at(0) })
    const other = await person(app, { at: at(7.5) })
    await other.call('PATCH /api/user/updateLocation', { body: at(45) })
    expect((await nearby(me)).users).toMatchObject([{ id: other.id, distanceKm: bucketOf(at(0), at(7.5)) }])
    app.clock.advance(hours(1))
    await publishMoves(app.platform)
    expect((await nearby(me)).users).toMatchObject([{ id: other.id, distanceKm: bucketOf(at(0), at(45)) }])
  })
})
