import { randomUUID } from 'node:crypto'
import { cellToLatLng, latLngToCell } from 'h3-js'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { databaseOf } from '../../test/restoring.ts'
import { standstillMs } from '../../test/standstill.ts'
import { wideCellsAround } from '../cells/cells.ts'
import { buildDeck } from '../discovery/deck.ts'
import { likersOf, listReceived } from '../likes/lists.ts'
import type { Candidate } from '../matching/traits.ts'
import { getSearcher, poolOf, type Searcher, searchCandidates, searchDatabase, searcherOf } from './candidates.ts'
import { currentIndex } from './keep-index.ts'
import { estimatePool } from './pool.queries.ts'

let app: TestApp
let pool: pg.Pool
/** Connects without the application's timeouts, because thousands of accounts are deleted in one statement. */
let owner: Pools
beforeAll(async () => {
  app = await startTestApp()
  pool = app.platform.pool
  owner = connectOwner(databaseOf(app), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})
beforeEach(async () => {
  await owner.pool.query('delete from accounts')
  await vi.waitFor(() => expect(currentIndex(app.platform)).toBeDefined(), standstillMs)
})

const town = latLngToCell(0, 20, 7)
const farTown = latLngToCell(0, 60, 7)

interface Crowd {
  count: number
  gender?: string | null
  seeks?: string[]
  km?: number | null
  cell?: string
  /** Days since they were last active (`away`) and since they joined (`here`). */
  away?: number
  here?: number
}

async function crowd({
  count,
  gender = 'woman',
  seeks = ['woman'],
  km = 50,
  cell = town,
  away = 0,
  here = 400,
}: Crowd) {
  const ids = Array.from({ length: count }, () => randomUUID() as string)
  const values = [ids, gender, seeks, km, cell, ...cellToLatLng(cell), away, here]
  await pool.query(
    `with a as (insert into accounts (id, email, terms_accepted_at, created_at) select i, i, now(), now() from unnest($1::uuid[]) i),
      p as (insert into profiles (user_id, name, birth_date, gender, interested_in, max_distance_km, last_active_at, created_at)
        select i, 'Jun', date '1990-01-01' + (random() * 900)::int, $2, $3, $4, now() - $8 * interval '1 day', now() - $9 * interval '1 day'
        from unnest($1::uuid[]) i)
    insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
      select i, $5, $5, $6, $7, 'Somewhere', now() from unnest($1::uuid[]) i`,
    values,
  )
  return ids
}

const searching = (search: typeof searchCandidates) => async (viewerId: string) =>
  (await search(app.platform, await getSearcher(app.platform, viewerId), [])) ?? []
const inMemory = searching(searchCandidates)
const inDatabase = searching(searchDatabase)
const idsOf = (candidates: readonly Candidate[]) => candidates.map(({ id }) => id)

async function foundBy(viewers: readonly string[], search: typeof inMemory): Promise<Set<string>> {
  const found = new Set<string>()
  for (const viewer of viewers) for (const id of idsOf(await search(viewer))) found.add(id)
  return found
}

describe('a crowded place', { tags: 'long' }, () => {
  it.each([
    ['memory', inMemory],
    ['the database', inDatabase],
  ] as const)(
    'everyone who was active on the same day is found by someone, including the newest account, in %s',
    async (_, search) => {
      const people = await crowd({ count: 500 })
      const [newest = ''] = await crowd({ count: 1, here: 0 })
      const viewers = people.slice(0, 50)
      const found = await foundBy(viewers, search)
      expect(people.filter((id) => !found.has(id))).toEqual([])
      expect(found).toContain(newest)
      for (const viewer of viewers.slice(0, 3)) expect(await search(viewer)).toHaveLength(200)
    },
  )

  it('memory and the database find the same people', async () => {
    const groups: Crowd[] = [
      { count: 260, seeks: [] },
      { count: 40, seeks: [], here: 1, away: 1 },
      { count: 230, gender: 'man', seeks: [], away: 4 },
      { count: 30, gender: null, seeks: [], away: 3, here: 3 },
      { count: 120, seeks: [], away: 40, cell: latLngToCell(0.2, 20, 7) },
      { count: 120, gender: 'nonbinary', seeks: [], km: null, cell: farTown },
      { count: 330, seeks: [], km: null, cell: farTown },
    ]
    const people: string[] = []
    for (const group of groups) people.push(...(await crowd(group)))
    const seekers = [
      ...(await crowd({ count: 3, seeks: [], km: null })),
      ...(await crowd({ count: 2, seeks: ['man'], km: null })),
    ]
    for (const viewer of [...seekers, ...people.slice(0, 4), ...people.slice(-2)]) {
      const [found, again] = [await inMemory(viewer), await inDatabase(viewer)]
      expect(idsOf(found).sort()).toEqual(idsOf(again).sort())
    }
    expect(currentIndex(app.platform)).toBeDefined()
  })

  it('memory and the database find the same people if everyone of a gender fits but not all can be taken', async () => {
    const viewers = await crowd({ count: 3, seeks: [] })
    await crowd({ count: 130, seeks: [] })
    await crowd({ count: 40, seeks: [], here: 1, away: 1 })
    for (const gender of ['man', 'nonbinary', null]) await crowd({ count: 190, gender, seeks: [] })
    for (const viewer of viewers)
      expect(idsOf(await inMemory(viewer)).sort()).toEqual(idsOf(await inDatabase(viewer)).sort())
  })

  it('someone finds each person who was last active yesterday or some weeks ago', async () => {
    const people = await crowd({ count: 300 })
    const [yesterday, weeksAgo] = [await crowd({ count: 100, away: 1 }), await crowd({ count: 100, away: 24 })]
    for (const search of [inMemory, inDatabase]) {
      const found = await foundBy(people.slice(0, 200), search)
      expect([...yesterday, ...weeksAgo].filter((id) => !found.has(id))).toEqual([])
    }
  })

  it('a newcomer is in one of the next three decks', async () => {
    const people = await crowd({ count: 400 })
    const [newcomer = ''] = await crowd({ count: 1, here: 1, away: 1 })
    const decks = await Promise.all(
      people.slice(0, 3).map(async (id) => buildDeck(app.platform, await getSearcher(app.platform, id))),
    )
    expect(decks.flatMap((deck) => deck?.slots.map(({ id }) => id) ?? [])).toContain(newcomer)
  })

  it.each([
    ['near', 50, town, 110],
    ['anywhere', null, farTown, 110],
    ['anywhere, in small crowds', null, farTown, 60],
  ] as const)('no gender is crowded out for someone who would meet everyone, %s', async (_, km, cell, count) => {
    const genders = ['woman', 'man', 'nonbinary', null]
    const ofGender = new Map<string, string | null>()
    for (const gender of genders)
      for (const away of [0, 30])
        for (const id of await crowd({ count, gender, seeks: [], km, cell, away })) ofGender.set(id, gender)
    const viewers = await crowd({ count: 5, seeks: [], km })
    const least = km === null ? 49 : 140
    for (const viewer of viewers) {
      const found = idsOf(await inMemory(viewer))
      expect(idsOf(await inDatabase(viewer)).sort()).toEqual(found.toSorted())
      for (const gender of genders)
        expect(found.filter((id) => ofGender.get(id) === gender).length).toBeGreaterThanOrEqual(least)
    }
  })

  it('a search finds people in every neighbouring cell at the same distance', async () => {
    const around = [0, 60, 120, 180, 240, 300].map((degrees) => {
      const [north, east] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
      return latLngToCell(north * 0.15, 20 + east * 0.15, 7)
    })
    const people: string[] = []
    for (const cell of around) people.push(...(await crowd({ count: 210, cell })))
    const viewers = await crowd({ count: 60 })
    for (const search of [inMemory, inDatabase]) {
      const found = await foundBy(viewers, search)
      expect(people.filter((id) => !found.has(id)).length).toBeLessThan(people.length / 20)
    }
  })
})

describe('likes', () => {
  it("many newer likes from people who don't fit can't hide a like from someone who does", {
    tags: 'long',
  }, async () => {
    const [viewer = ''] = await crowd({ count: 1 })
    await crowd({ count: 300 })
    const [liker = ''] = await crowd({ count: 1, away: 300 })
    const others = await crowd({ count: 600, gender: 'man' })
    await pool.query(
      `insert into decisions (actor_id, target_id, decision, decided_at)
      select i, $2, 'like', now() - (case when i = $3 then 10 else 1 end) * interval '1 day' from unnest($1::uuid[]) i`,
      [[...others, liker], viewer, liker],
    )
    const { likes, count } = await listReceived(app.platform, viewer, { limit: 10 })
    expect([likes.map(({ user }) => user.id), count]).toEqual([[liker], 1])
    const likers = await likersOf(app.platform, viewer)
    for (const search of [searchCandidates, searchDatabase]) {
      const [first] = (await search(app.platform, await getSearcher(app.platform, viewer), likers)) ?? []
      expect(first).toMatchObject({ id: liker, likesViewer: true })
    }
  })
})

describe('the highest age limit', () => {
  it('the highest age limit of a filter includes everyone older', async () => {
    const [viewer = '', eldest = '', narrow = ''] = await crowd({ count: 3 })
    await pool.query(`update profiles set birth_date = current_date - interval '104 years' where user_id = $1`, [
      eldest,
    ])
    await pool.query('update profiles set age_max = 98 where user_id = $1', [narrow])
    for (const search of [inMemory, inDatabase]) {
      expect(idsOf(await search(viewer))).toContain(eldest)
      expect(idsOf(await search(eldest))).toEqual([viewer])
      expect(idsOf(await search(narrow))).not.toContain(eldest)
    }
    const countUpTo = async (ageMax: number) =>
      (await poolOf(app.platform, await searcherOf(app.platform, viewer, { ageMax }))).both
    expect(await countUpTo(99)).toBe(2)
    expect(await countUpTo(98)).toBe(1)
  })
})

describe('counting people at any distance', () => {
  const estimate = (searcher: Searcher, most: number, sample?: number) =>
    estimatePool(pool, searcher, {
      ...{ nearKm: 100, cells: wideCellsAround(town, 100), most },
      ...(sample !== undefined && { sample }),
    })
  /** Creates a viewer and people who fit them, some near and some far away. All accept any distance. */
  async function spread(near: number, far: number): Promise<[string, Searcher]> {
    const [viewer = '', ...others] = await crowd({ count: 1 + near })
    others.push(...(await crowd({ count: far, cell: farTown })))
    await pool.query('update profiles set max_distance_km = null where user_id = any($1::uuid[])', [
      [viewer, ...others],
    ])
    await owner.pool.query('analyze candidates')
    return [viewer, await getSearcher(app.platform, viewer)]
  }

  it('a count at any distance is exact nearby, and estimates very many people far away from a sample', async () => {
    const [, searcher] = await spread(7, 60)
    const exact = await poolOf(app.platform, searcher)
    const part = Math.ceil((await countPeople()) / 2)
    expect(await estimate(searcher, 2_000)).toEqual(exact)
    const estimated = await estimate(searcher, 2_000, part)
    expect(Math.abs(estimated.both - exact.both)).toBeLessThan(exact.both / 2)
    expect(await estimate(searcher, 2_000, part)).toEqual(estimated)
    expect((await estimate(searcher, 10)).both).toBe(10)
  })

  it('a count at any distance is never less than the count nearby, however small the sample', async () => {
    const [, searcher] = await spread(30, 0)
    for (const sample of [1, 3, 8, 20]) expect((await estimate(searcher, 2_000, sample)).both).toBe(30)
  })

  it('a sample with few fitting people is widened, and fewer than five are never scaled up', async () => {
    const [, searcher] = await spread(2, 6)
    await crowd({ count: 60, gender: 'man', cell: farTown })
    await owner.pool.query('analyze candidates')
    expect((await estimate(searcher, 2_000, 8)).both).toBe(8)
    const [, lonely] = await spread(0, 0)
    for (const sample of [1, 2]) expect((await estimate(lonely, 2_000, sample)).both).toBeLessThanOrEqual(8)
  })
})

async function countPeople(): Promise<number> {
  return Number((await pool.query('select count(*) from candidates')).rows[0].count)
}
