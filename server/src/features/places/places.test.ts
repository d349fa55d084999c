import { cellToLatLng, gridRing, latLngToCell } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { withBadRow } from '../../test/bad-row.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { findPlaces } from './gazetteer.ts'
import { nextEpoch, publishMoves } from './places.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const lisbon = { latitude: 38.7223, longitude: -9.1393 }
const porto = { latitude: 41.1496, longitude: -8.611 }
const canary = { latitude: 48.858370123, longitude: 2.294481456 }
const rowOf = (id: string) =>
  app.platform.db.selectFrom('locations').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()

const around = (place: { latitude: number; longitude: number }, ring: number) =>
  gridRing(latLngToCell(place.latitude, place.longitude, 7), ring).map((cell) => {
    const [latitude, longitude] = cellToLatLng(cell)
    return { latitude, longitude }
  })

describe('updating the location', () => {
  it('updating the location returns the area as others see it', async () => {
    const { call } = await person(app)
    const { status, body } = await call('PATCH /api/user/updateLocation', { body: lisbon })
    expect(status).toBe(200)
    expect(body).toEqual({ area: 'Lisbon' })
  })

  it('a city can be given instead of coordinates', async () => {
    const { call } = await person(app)
    const { body: found } = await call('GET /api/places', { query: { query: 'porto' } })
    const { body } = await call('PATCH /api/user/updateLocation', {
      body: { cityId: found.places[0]?.cityId as number },
    })
    expect(body).toEqual({ area: 'Porto' })
  })

  it.each([
    ['nothing', {}],
    ['a latitude alone', { latitude: 1 }],
    ['a latitude beyond the pole', { latitude: 91, longitude: 0 }],
    ['a longitude beyond the date line', { latitude: 0, longitude: 181 }],
    ['texts', { latitude: '38', longitude: '-9' }],
    ['coordinates and a city', { ...lisbon, cityId: 1 }],
    ['an unknown field', { ...lisbon, accuracy: 5 }],
    ['a city that is a text', { cityId: 'Lisbon' }],
    ['null', { latitude: null, longitude: null }],
  ])('a location update with %s is refused', async (_what, body) => {
    const { send } = await person(app)
    const answer = await send('PATCH', '/api/user/updateLocation', body)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('validation_failed')
  })

  it('a location update with an unknown city is a 404', async () => {
    const { call } = await person(app)
    expect((await call('PATCH /api/user/updateLocation', { body: { cityId: 1 } })).status).toBe(404)
  })
})

describe('stored positions', () => {
  it('only the cell and its centre are stored, and no coordinate that was sent', async () => {
    const { id } = await person(app, { at: canary })
    const row = await rowOf(id)
    const cell = latLngToCell(canary.latitude, canary.longitude, 7)
    expect(row).toMatchObject({
      cell,
      published_cell: cell,
      latitude: cellToLatLng(cell)[0],
      longitude: cellToLatLng(cell)[1],
    })
    const { rows } = await app.platform.pool.query(
      `select table_name from information_schema.tables where table_schema = 'public'`,
    )
    for (const { table_name } of rows) {
      const { rows: dump } = await app.platform.pool.query(`select t::text as row from "${table_name}" t`)
      for (const { row: text } of dump) expect(text).not.toMatch(/48\.8583701|2\.2944814/)
    }
  })

  it('two people in one cell have the same stored location, whatever their coordinates', async () => {
    const [a, b] = [
      await person(app, { at: canary }),
      await person(app, { at: { latitude: 48.8575, longitude: 2.2952 } }),
    ]
    const { user_id: _a, published_at: _pa, ...first } = await rowOf(a.id)
    const { user_id: _b, published_at: _pb, ...second } = await rowOf(b.id)
    expect(second).toEqual(first)
  })
})

describe('moving', () => {
  it('others see a move at the next epoch, not before', async () => {
    const me = await person(app, { at: lisbon })
    const other = await person(app, { at: porto })
    const { body } = await me.call('PATCH /api/user/updateLocation', { body: porto })
    expect(body).toEqual({ area: 'Lisbon' })
    const seen = async () => (await other.call('GET /api/user/:id', { params: { id: me.id } })).body
    expect(await seen()).toMatchObject({ area: 'Lisbon', distanceKm: null })
    const { publish_at } = await rowOf(me.id)
    expect(publish_at).toEqual(nextEpoch(app.clock.now()))
    await publishMoves(app.platform)
    expect(await seen()).toMatchObject({ area: 'Lisbon' })
    app.clock.advance(minutes(30))
    await publishMoves(app.platform)
    expect(await seen()).toMatchObject({ area: 'Porto', distanceKm: 2 })
  })

  it("a location that can't be written doesn't delay anyone else's move", async () => {
    const [bad, good] = [await person(app, { at: lisbon }), await person(app, { at: lisbon })]
    for (const one of [bad, good]) await one.call('PATCH /api/user/updateLocation', { body: porto })
    app.clock.advance(minutes(30))
    const row = { table: 'locations', column: 'user_id', value: bad.id }
    await withBadRow(app, row, () => publishMoves(app.platform))
    expect((await rowOf(good.id)).publish_at).toBeNull()
    expect((await rowOf(bad.id)).publish_at).not.toBeNull()
    await publishMoves(app.platform)
    expect((await rowOf(bad.id)).publish_at).toBeNull()
  })

  it('a move back before the epoch publishes nothing', async () => {
    const me = await person(app, { at: lisbon })
    await me.call('PATCH /api/user/updateLocation', { body: porto })
    await me.call('PATCH /api/user/updateLocation', { body: lisbon })
    expect((await rowOf(me.id)).publish_at).toBeNull()
  })

  it('epochs are fixed half hours', () => {
    expect(nextEpoch(new Date('2026-01-01T10:00:00.000Z'))).toEqual(new Date('2026-01-01T10:30:00Z'))
    expect(nextEpoch(new Date('2026-01-01T10:29:59.999Z'))).toEqual(new Date('2026-01-01T10:30:00Z'))
    expect(nextEpoch(new Date('2026-01-01T10:30:00.001Z'))).toEqual(new Date('2026-01-01T11:00:00Z'))
  })

  it("six moves an hour are allowed, and updates without a move don't count", { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const me = await person(strict, { at: lisbon })
    for (let n = 0; n < 10; n++)
      expect((await me.call('PATCH /api/user/updateLocation', { body: lisbon })).status).toBe(200)
    const statuses: number[] = []
    for (const place of [...around(porto, 3), ...around(lisbon, 4)].slice(0, 7)) {
      statuses.push((await me.call('PATCH /api/user/updateLocation', { body: place })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
    await strict.close()
  })

  it('after a location was withdrawn, setting it counts as a move and shows at the next half hour', {
    tags: 'long',
  }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const [me, other] = [await person(strict, { at: lisbon }), await person(strict, { at: porto })]
    const seen = async () => (await other.call('GET /api/user/:id', { params: { id: me.id } })).body
    const nearby = async (who: Person) =>
      (await who.call('GET /api/user/nearBy', { query: { limit: 50 } })).body.users.map(({ id }) => id)
    const takeBack = () => me.call('PUT /api/consents', { body: { purpose: 'location', granted: false } })
    const give = (body: { latitude: number; longitude: number }) => me.call('PATCH /api/user/updateLocation', { body })
    await takeBack()
    expect(await seen()).toMatchObject({ area: null, distanceKm: null })
    expect((await give(porto)).body).toEqual({ area: 'Porto' })
    expect(await seen()).toMatchObject({ area: null, distanceKm: null })
    expect([await nearby(other), await nearby(me)]).toEqual([[], [other.id]])
    expect((await me.call('GET /api/consents')).body.consents).toContainEqual(
      expect.objectContaining({ purpose: 'location', granted: true }),
    )
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) {
      await takeBack()
      statuses.push((await give(n % 2 ? porto : lisbon)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    await strict.close()
  })

  it('a location set after a withdrawal is seen by everyone nearby from the next half hour on', async () => {
    const [me, other] = [await person(app, { at: lisbon }), await person(app, { at: canary })]
    await me.call('PUT /api/consents', { body: { purpose: 'location', granted: false } })
    await me.call('PATCH /api/user/updateLocation', { body: lisbon })
    await me.call('PATCH /api/user/updateLocation', { body: canary })
    app.clock.advance(minutes(30))
    await publishMoves(app.platform)
    const { users } = (await other.call('GET /api/user/nearBy', { query: { limit: 50 } })).body
    expect(users.find(({ id }) => id === me.id)).toMatchObject({ distanceKm: 2 })
  })

  it('a first location is stored and answered even when nobody can be told of the newcomer now', async () => {
    const me = await person(app)
    const { jobs } = app.platform
    const { add } = jobs
    const lost: string[] = []
    // Not a spy, because a spy would handle the rejection, which must stay unhandled here.
    jobs.add = async (task) => {
      lost.push(task)
      throw new Error('the connection was lost')
    }
    onTestFinished(() => void Object.assign(jobs, { add }))
    const body = around(porto, 1)[0] as { latitude: number; longitude: number }
    const first = await me.call('PATCH /api/user/updateLocation', { body })
    expect(first.status).toBe(200)
    expect((await me.call('PATCH /api/user/updateLocation', { body })).body).toEqual(first.body)
    expect(lost).toEqual(['announce-newcomer'])
  })

  it('simultaneous updates end in one of the places, without an error', { tags: 'race' }, async () => {
    const me = await person(app)
    const answers = await Promise.all(
      around(porto, 2).map((body) => me.call('PATCH /api/user/updateLocation', { body })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('places', () => {
  it('places with the same name are told apart by state, and the largest comes first', () => {
    const found = findPlaces('berlin', 8).filter(({ name }) => name.startsWith('Berl'))
    expect(found.map(({ name, region, country }) => [name, region, country]).slice(0, 4)).toEqual([
      ['Berlin', 'Berlin', 'Germany'],
      ['Berlín', undefined, 'El Salvador'],
      ['Berlin', 'New Hampshire', 'United States'],
      ['Berlin', 'New Jersey', 'United States'],
    ])
  })

  it.each([
    ['lodz', 'Łódź'],
    ['WROCŁAW', 'Wrocław'],
    ['tromso', 'Tromsø'],
    ['izmir', 'İzmir'],
    ['IZMİR', 'İzmir'],
    ['gießen', 'Gießen'],
    ['GIESSEN', 'Gießen'],
    ['saint johns', 'Saint John’s'],
    ["Saint John's", 'Saint John’s'],
    ['stratford upon avon', 'Stratford-upon-Avon'],
    ['Washington DC', 'Washington'],
    ['Washington, D.C.', 'Washington'],
    ['ＫＲＡＫＯＷ', 'Kraków'],
  ])('%s finds %s', (query, name) => {
    expect(findPlaces(query, 8).map((place) => place.name)).toContain(name)
  })

  it('a region or country narrows the search, in any language of the app', () => {
    const first = (query: string) => findPlaces(query, 1).map(({ region, country }) => [region, country])[0]
    expect(first('Paris, France')).toEqual([undefined, 'France'])
    expect(first('Paris, Texas')).toEqual(['Texas', 'United States'])
    expect(first('Paris, tx')).toEqual(['Texas', 'United States'])
    expect(first('Córdoba, España')).toEqual([undefined, 'Spain'])
    expect(first('Tripoli، ليبيا')).toEqual([undefined, 'Libya'])
    expect(findPlaces('Paris, Japan', 8)).toEqual([])
  })

  it('cities are found by the beginning of their name, in any case and without accents, largest first, without an account', async () => {
    const find = async (query: string) =>
      (await caller(app.url).call('GET /api/places', { query: { query } })).body.places
    expect((await find('LISB'))[0]).toEqual({ cityId: 2267057, name: 'Lisbon', country: 'Portugal' })
    expect((await find('evora'))[0]).toMatchObject({ name: 'Évora' })
    expect(await find('zzzzzz')).toEqual([])
    expect(await find("'; --")).toEqual([])
    expect((await find('san')).map(({ name }) => name)[0]).toBe('San')
  })

  it('a search for one letter, with thousands of results, works, and a lone accent finds nothing', async () => {
    const find = async (query: string) =>
      (await caller(app.url).call('GET /api/places', { query: { query } })).body.places
    expect((await find('s')).map(({ name }) => name).slice(0, 3)).toEqual(['Shanghai', 'Shenzhen', 'São Paulo'])
    expect(await find('\u0301')).toEqual([])
    // Sorting thousands of results took twenty thousand times as long as finding a few.
    const sorts = [vi.spyOn(Array.prototype, 'sort'), vi.spyOn(Array.prototype, 'toSorted')]
    findPlaces('s', 20)
    for (const sort of sorts) expect(sort).not.toHaveBeenCalled()
    for (const sort of sorts) sort.mockRestore()
  })

  it('a result includes the alternative name that was searched for', () => {
    const first = (query: string) => findPlaces(query, 1).map(({ name, otherName }) => [name, otherName])[0]
    expect(first('Moskva')).toEqual(['Moscow', 'Moskva'])
    expect(first('москва')).toEqual(['Moscow', 'Москва'])
    expect(first('münchen, deutschland')).toEqual(['Munich', 'München'])
    expect(first('Lisbon')).toEqual(['Lisbon', undefined])
    expect(first('krakow')).toEqual(['Kraków', undefined])
  })

  it('a state or country narrows the search without a comma, too', () => {
    const first = (query: string) => findPlaces(query, 1).map(({ name, region, country }) => [name, region, country])[0]
    expect(first('Springfield Illinois')).toEqual(['Springfield', 'Illinois', 'United States'])
    expect(first('Kansas City Kansas')).toEqual(['Kansas City', 'Kansas', 'United States'])
    expect(first('Paris, Texas, USA')).toEqual(['Paris', 'Texas', 'United States'])
    expect(first('New Delhi')).toEqual(['New Delhi', undefined, 'India'])
  })

  it('a search needs a valid query', async () => {
    for (const path of [
      '/api/places',
      '/api/places?query=',
      '/api/places?query=%20',
      `/api/places?query=${'x'.repeat(81)}`,
      '/api/places?query=a&limit=1000',
    ]) {
      expect((await caller(app.url).send('GET', path)).status).toBe(400)
    }
  })
})
