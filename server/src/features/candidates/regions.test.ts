import { randomUUID } from 'node:crypto'
import { cellToLatLng, latLngToCell } from 'h3-js'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { connect, type Pools } from '../../platform/database/database.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Random, seededRandom } from '../../platform/random.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { standstillMs } from '../../test/standstill.ts'
import { regionOfWide } from '../places/cells.ts'
import { getSearcher, searchDatabase } from './candidates.ts'
import { idAt } from './id-table.ts'
import { searchInMemory } from './indexed-search.ts'
import { bringUpToDate, currentIndex, keepPeopleIndex, type PeopleIndexing } from './keep-index.ts'
import type { Current } from './load-index.ts'

const pace = { follow: 60_000, tallies: 0, load: 1, retry: 1, choose: 3_600_000 }
/** Two towns that see each other across the borders of regions, and two far from all others. */
const towns = [latLngToCell(0, 20, 7), latLngToCell(0.6, 20.4, 7), latLngToCell(48, 11, 7), latLngToCell(-33, 151, 7)]
const limits = [5, 25, 50, 100, 100, null]

let app: TestApp
let own: Pools
let platform: Platform
let indexing: PeopleIndexing | undefined
/** Drawn anew for each test: how much one of them draws hangs on how busy the machine is. */
let random: Random
const drawn = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  random = seededRandom(5)
  await app.platform.pool.query('delete from accounts')
  own = connect(ownerOf(app.platform), () => undefined, 6)
  platform = { ...app.platform, pool: own.pool, db: own.db }
})
afterEach(async () => {
  await indexing?.close()
  indexing = undefined
  await own.pool.end()
})

const near = (town: string) => {
  const [latitude, longitude] = cellToLatLng(town)
  return latLngToCell(latitude + random() * 0.3, longitude + random() * 0.3, 7)
}

/** People of a town, or of all of them in turn. The first of them sees all of the town. */
async function addPeople(count: number, town?: string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID() as string)
  const { pool } = app.platform
  await pool.query(
    'insert into accounts (id, email, terms_accepted_at, created_at) select i, i, now(), now() from unnest($1::uuid[]) i',
    [ids],
  )
  await pool.query(
    `insert into profiles (user_id, name, birth_date, interested_in, max_distance_km, last_active_at, created_at)
     select i, 'Jun', '1990-01-01', '{}', km, now() - random() * interval '40 days', now()
     from unnest($1::uuid[], $2::smallint[]) d (i, km)`,
    [ids, ids.map((_, place) => (place === 0 ? 100 : drawn(limits)))],
  )
  for (const [place, id] of ids.entries()) await move(id, town ?? (towns[place % towns.length] as string))
  return ids
}

async function move(id: string, town: string): Promise<void> {
  const cell = near(town)
  await app.platform.pool.query(
    `insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
     values ($1, $2, $2, $3, $4, 'Somewhere', now()) on conflict (user_id) do update
     set cell = $2, published_cell = $2, latitude = $3, longitude = $4`,
    [id, cell, ...cellToLatLng(cell)],
  )
}

async function keep(most: number, paces: Partial<typeof pace> = {}): Promise<Current> {
  indexing = keepPeopleIndex(platform, { most, pace: { ...pace, ...paces } })
  await indexing.loaded
  return currentIndex(platform) as Current
}

async function foundInMemory(viewer: string, likers: readonly string[] = []) {
  const searcher = await getSearcher(platform, viewer)
  const search = { ...searcher, cell: searcher.place?.cell as string }
  const found = await searchInMemory(platform, currentIndex(platform) as Current, search, likers)
  return found === 'no index' ? found : found.map(({ id }) => id).sort()
}

const foundInDatabase = async (viewer: string, likers: readonly string[] = []) =>
  (await searchDatabase(platform, await getSearcher(platform, viewer), likers))?.map(({ id }) => id).sort()

/** Searches until the index holds what it takes. */
async function settle(viewer: string): Promise<void> {
  await vi.waitFor(async () => expect(await foundInMemory(viewer)).not.toBe('no index'), standstillMs)
}

/** Who is in the index that has a right to be, and who the table says should be. */
async function whoIsHeld({ index, regions }: Current) {
  const { rows } = await app.platform.pool.query('select user_id, cell, reach from candidates')
  const should = rows.filter(({ cell, reach }) => reach === 32_767 || regions?.has(regionOfWide(cell)))
  const places = Array.from({ length: index.ids.count }, (_, place) => place).filter((place) => index.kind[place]! >= 0)
  return {
    held: places.map((place) => idAt(index.ids, place)).sort(),
    should: should.map(({ user_id }) => user_id as string).sort(),
  }
}

it('where people are too many for one memory, an index holds the regions that are searched and those who accept any distance', async () => {
  const people = await addPeople(80)
  const current = await keep(70)
  expect(current.regions?.size).toBe(0)
  const [viewer = ''] = people
  expect(await foundInMemory(viewer)).toBe('no index')
  await settle(viewer)
  expect(current.regions?.size).toBeGreaterThan(0)
  const { held, should } = await whoIsHeld(current)
  expect(held).toEqual(should)
  expect(held.length).toBeLessThan(60)
  expect(await foundInMemory(viewer)).toEqual(await foundInDatabase(viewer))
})

it('an index of regions finds the same people as the database, while people move, come, go and like', {
  tags: 'long',
}, async () => {
  const people = await addPeople(160)
  await keep(150)
  for (const id of people.slice(0, 2)) await settle(id)
  let compared = 0
  for (let step = 0; step < 150; step++) {
    const one = drawn(people)
    if (random() < 0.4) await move(one, drawn(towns))
    else
      await app.platform.pool.query(
        drawn([
          'update profiles set paused = not paused where user_id = $1',
          'update profiles set max_distance_km = case when max_distance_km is null then 100 end where user_id = $1',
        ]),
        [one],
      )
    const viewer = drawn(people)
    const likers = Array.from({ length: 5 }, () => drawn(people)).filter((id) => id !== viewer)
    const found = await foundInMemory(viewer, [...new Set(likers)])
    if (found === 'no index') continue
    expect(found).toEqual(await foundInDatabase(viewer, [...new Set(likers)]))
    compared++
  }
  expect(compared).toBeGreaterThan(20)
})

it('decks say how many of a thousand people come before the region of the viewer, unless everyone is in memory', async () => {
  await addPeople(40)
  const viewers = []
  for (const town of towns) {
    const [latitude, longitude] = cellToLatLng(town)
    viewers.push(await person(app, { at: { latitude, longitude } }))
  }
  const cookieOf = async (viewer: Person) => (await viewer.call('GET /api/deck')).headers.get('set-cookie')
  expect(await cookieOf(viewers[0] as Person)).toBeNull()
  indexing = keepPeopleIndex(app.platform, { most: 30, pace })
  await indexing.loaded
  for (const viewer of viewers) {
    const { rows } = await app.platform.pool.query(
      `select floor(1000.0 * count(*) filter (where c.cell >> 33 < me.cell >> 33) / count(*))::int as part
       from candidates c, candidates me where me.user_id = $1`,
      [viewer.id],
    )
    expect(await cookieOf(viewer)).toMatch(
      new RegExp(`^duet_part=${rows[0].part}; Path=/api/deck; HttpOnly; SameSite=Lax$`),
    )
  }
})

it('what changes while a region is read is in the index as it is now, and so are their tallies', {
  tags: 'long',
}, async () => {
  const people = await addPeople(150, towns[0])
  await addPeople(150, towns[2])
  const current = await keep(290)
  let isOver = false
  const changes = Promise.all(
    [0, 1].map(async () => {
      while (!isOver) {
        await move(drawn(people), drawn(towns))
        await app.platform.pool.query(
          'insert into standings (user_id, impressions) values ($1, 1) on conflict (user_id) do update set impressions = standings.impressions + 1',
          [drawn(people)],
        )
        // Others search what is held meanwhile, which follows.
        await bringUpToDate(platform, current)
      }
    }),
  )
  try {
    for (const id of people.slice(0, 8)) await settle(id)
  } finally {
    isOver = true
    await changes
  }
  expect(await bringUpToDate(platform, current)).toBe(true)
  const { held, should } = await whoIsHeld(current)
  expect(held).toEqual(should)
  const { rows } = await app.platform.pool.query('select user_id, impressions from standings')
  const { index } = current
  const seen = new Map(
    Array.from({ length: index.ids.count }, (_, place) => place)
      .filter((place) => index.kind[place]! >= 0)
      .map((place) => [idAt(index.ids, place), index.impressions[place]]),
  )
  for (const { user_id, impressions } of rows) if (seen.has(user_id)) expect(seen.get(user_id)).toBe(impressions)
})

it('regions for which there is no room are searched in the database, and are held later if they are searched more', async () => {
  const [many = ''] = await addPeople(60, towns[2])
  const [others = ''] = await addPeople(60, towns[3])
  const current = await keep(110, { choose: 0, load: 20 })
  await settle(many)
  expect(await foundInMemory(others)).toBe('no index')
  expect(await foundInDatabase(others)).not.toHaveLength(0)
  await settle(others)
  expect(currentIndex(platform)).not.toBe(current)
  expect(await foundInMemory(many)).toBe('no index')
})
