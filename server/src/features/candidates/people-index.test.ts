import { randomUUID } from 'node:crypto'
import { cellToLatLng, latLngToCell } from 'h3-js'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../platform/database/database.ts'
import type { Platform } from '../../platform/platform.ts'
import { seededRandom } from '../../platform/random.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { standstillMs } from '../../test/standstill.ts'
import { decide, takeBack } from '../likes/likes.ts'
import { getSearcher, searchCandidates, searchDatabase } from './candidates.ts'
import { idAt } from './id-table.ts'
import { bringUpToDate, currentIndex, forgetChanges, keepPeopleIndex } from './keep-index.ts'
import type { Current } from './load-index.ts'
import { type PeopleByDay, type PeopleIndex, pointOf } from './people-index.ts'

let app: TestApp
let pool: pg.Pool
beforeAll(async () => {
  app = await startTestApp()
  pool = app.platform.pool
})
afterAll(() => app.close())

async function indexed(platform: Platform = app.platform): Promise<Current> {
  return vi.waitFor(() => currentIndex(platform) ?? Promise.reject(new Error('not loaded')), standstillMs)
}

async function addPeople(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID() as string)
  await pool.query(
    'insert into accounts (id, email, terms_accepted_at, created_at) select i, i, now(), now() from unnest($1::uuid[]) i',
    [ids],
  )
  await pool.query(
    `insert into profiles (user_id, name, birth_date, interested_in, last_active_at, created_at)
     select i, 'Jun', '1990-01-01', '{}', now() - random() * interval '40 days', now() from unnest($1::uuid[]) i`,
    [ids],
  )
  for (const [place, id] of ids.entries()) {
    const cell = latLngToCell((place % 7) * 0.1, 20, 7)
    await pool.query(
      `insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
       values ($1, $2, $2, $3, $4, 'Somewhere', now())`,
      [id, cell, ...cellToLatLng(cell)],
    )
  }
  return ids
}

const inOrder = (rows: unknown[][]) => rows.sort((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1))

function heldBy(index: PeopleIndex): unknown[][] {
  const places = Array.from({ length: index.ids.count }, (_, place) => place).filter((place) => index.kind[place]! >= 0)
  const columns = [index.height, index.reach, index.seeks, index.activeOn, index.interests1, index.isQuiet] as const
  const spotOf = (place: number) => [...index.coordinates.subarray(index.spot[place]! * 2, index.spot[place]! * 2 + 2)]
  return inOrder(
    places.map((place) => [idAt(index.ids, place), ...columns.map((column) => column[place]), ...spotOf(place)]),
  )
}

async function heldByTable(): Promise<unknown[][]> {
  const { rows } = await pool.query({
    text: `select user_id, c.height, c.reach, c.seeks, c.active_on - date '1970-01-01', c.interests_1, hide_presence::integer, c.latitude, c.longitude
      from candidates c join profiles using (user_id)`,
    rowMode: 'array',
  })
  return inOrder(rows)
}

function expectOrder(index: PeopleIndex): void {
  const kinds = index.kinds.filter((kind): kind is PeopleByDay => kind !== undefined)
  for (const { places, count, days } of [...kinds, ...index.anywhere].flatMap(({ active, arrived }) => [
    active,
    arrived,
  ])) {
    const order = [...places.subarray(0, count)].map((place) => [65_535 - days[place]!, pointOf(index, place), place])
    const compare = (one: number[], other: number[]) => one.map((n, i) => n - (other[i] ?? 0)).find((n) => n !== 0) ?? 0
    expect(order).toEqual([...order].sort(compare))
  }
  for (const of of ['active', 'arrived'] as const)
    expect(kinds.reduce((sum, kind) => sum + kind[of].count, 0)).toBe(heldBy(index).length)
}

const change = [
  `update profiles set height_cm = 150 + floor(random() * 50) where user_id = $1`,
  `update profiles set paused = not paused where user_id = $1`,
  `update profiles set hide_presence = not hide_presence where user_id = $1`,
  `update profiles set max_distance_km = case when max_distance_km is null then 50 end where user_id = $1`,
  `update profiles set last_active_at = now() - random() * interval '40 days' where user_id = $1`,
  `delete from locations where user_id = $1`,
  `delete from accounts where id = $1`,
]

describe('the index of people', () => {
  it('the index equals the table, in whatever order transactions commit', { tags: 'long' }, async () => {
    const people = await addPeople(60)
    const current = await indexed()
    const random = seededRandom(11)
    const drawn = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
    const open: { client: pg.PoolClient; person: string }[] = []
    for (let step = 0; step < 250; step++) {
      const free = people.filter((id) => !open.some(({ person }) => person === id))
      if (random() < 0.5 && open.length < 4) {
        const client = await pool.connect()
        const person = drawn(free)
        await client.query('begin')
        await client.query(drawn(change), [person])
        open.push({ client, person })
      } else if (open.length > 0) {
        const [ended] = open.splice(Math.floor(random() * open.length), 1)
        await ended?.client.query(random() < 0.8 ? 'commit' : 'rollback')
        ended?.client.release()
      }
      if (random() < 0.6) await pool.query(drawn(change.slice(0, 5)), [drawn(free)])
      if (random() < 0.1) people.push(...(await addPeople(1)))
      if (random() < 0.7) {
        expect(await bringUpToDate(app.platform, current)).toBe(true)
        expect(heldBy(current.index)).toEqual(await heldByTable())
      }
    }
    for (const { client } of open) {
      await client.query('commit')
      client.release()
    }
    expect(await bringUpToDate(app.platform, current)).toBe(true)
    expect(heldBy(current.index)).toEqual(await heldByTable())
    expect(heldBy(current.index).length).toBeGreaterThan(10)
    expectOrder(current.index)
  })

  it('a search sees everything committed before it, even among concurrent ones', async () => {
    const people = await addPeople(20)
    const current = await indexed()
    await Promise.all(
      people.map(async (id) => {
        await pool.query('update profiles set height_cm = 199 where user_id = $1', [id])
        await bringUpToDate(app.platform, current)
        const held = heldBy(current.index).find(([one]) => one === id)
        expect(held?.[1]).toBe(199)
      }),
    )
  })

  it('the index follows changed tallies within a few seconds', { tags: 'long' }, async () => {
    const [viewer = '', other = ''] = await addPeople(2)
    await indexed()
    await pool.query('insert into standings (user_id, says_yes, impressions) values ($1, 0.5, 7)', [other])
    const tally = async () =>
      (await searchCandidates(app.platform, await getSearcher(app.platform, viewer), []))?.find(
        ({ id }) => id === other,
      )
    await vi.waitFor(async () => expect(await tally()).toMatchObject({ a: 0.5, impressions: 7 }), standstillMs)
    await pool.query(
      `update standings set says_yes = -1, is_liked = 0.25, pending = 4, pending_at = now() - interval '10 days' where user_id = $1`,
      [other],
    )
    const inDatabase = (await searchDatabase(app.platform, await getSearcher(app.platform, viewer), []))?.find(
      ({ id }) => id === other,
    )
    expect(inDatabase?.pending).toBeLessThan(2)
    const { pending, ...rest } = inDatabase ?? { pending: 0 }
    await vi.waitFor(async () => expect(await tally()).toMatchObject(rest), standstillMs)
    expect((await tally())?.pending).toBeCloseTo(pending, 5)
  })

  it('the index leaves out people the viewer decided on or blocked, and shows them again once that is retracted', async () => {
    const [viewer = '', passed = '', blocked = ''] = await addPeople(3)
    await indexed()
    const found = async () =>
      (await searchCandidates(app.platform, await getSearcher(app.platform, viewer), []))?.map(({ id }) => id) ?? []
    expect(await found()).toEqual(expect.arrayContaining([passed, blocked]))
    const hooks = { onOpened: () => undefined, onDecided: () => undefined }
    await decide(app.platform, viewer, passed, { decision: 'pass' }, hooks)
    expect(await found()).not.toContain(passed)
    await takeBack(app.platform, viewer, passed)
    expect(await found()).toContain(passed)
    await pool.query('insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, now())', [
      blocked,
      viewer,
    ])
    expect(await found()).not.toContain(blocked)
    expect(await found()).not.toContain(viewer)
  })

  it('the index follows on a timer while nobody searches, unless that is switched off', async () => {
    const pace = { follow: 20, tallies: 0, load: 1, retry: 1 }
    const keep = async (byTheClock: boolean) => {
      const own = connect(ownerOf(app.platform), () => undefined, 2)
      const platform = { ...app.platform, pool: own.pool, db: own.db }
      const { close } = keepPeopleIndex(platform, { pace, byTheClock })
      onTestFinished(async () => {
        await close()
        await own.pool.end()
      })
      return (await indexed(platform)).index
    }
    const [still, following] = [await keep(false), await keep(true)]
    const [newcomer] = await addPeople(1)
    const idsIn = (index: PeopleIndex) => heldBy(index).map(([id]) => id)
    await vi.waitFor(() => expect(idsIn(following)).toContain(newcomer), standstillMs)
    expect(idsIn(still)).not.toContain(newcomer)
  })

  it('the index applies very many changed tallies without a reload', async () => {
    const ids = await addPeople(4)
    const own = connect(ownerOf(app.platform), () => undefined, 4)
    const platform = { ...app.platform, pool: own.pool, db: own.db }
    const pace = { follow: 20, tallies: 0, load: 1, retry: 1 }
    const { loaded, close } = keepPeopleIndex(platform, { pace, mostTallies: 2 })
    onTestFinished(async () => {
      await close()
      await own.pool.end()
    })
    await loaded
    const current = currentIndex(platform)
    await pool.query(
      `insert into standings (user_id, is_liked) select unnest($1::uuid[]), 0.75
        on conflict (user_id) do update set is_liked = 0.75, changed = pg_current_xact_id()`,
      [ids],
    )
    const liked = () => {
      const { index } = currentIndex(platform) as NonNullable<typeof current>
      const places = Array.from({ length: index.ids.count }, (_, place) => place)
      return places.filter((place) => ids.includes(idAt(index.ids, place))).map((place) => index.isLiked[place])
    }
    await vi.waitFor(() => expect(liked()).toEqual(ids.map(() => 0.75)), standstillMs)
    expect(currentIndex(platform)).toBe(current)
  })

  it('the database searches while the index loads, and when very many people change at the same time', async () => {
    const [viewer = ''] = await addPeople(5)
    const own = connect(ownerOf(app.platform), () => undefined, 4)
    const platform = { ...app.platform, pool: own.pool, db: own.db }
    const expected = (await searchDatabase(platform, await getSearcher(platform, viewer), []))
      ?.map(({ id }) => id)
      .sort()
    expect(expected?.length).toBeGreaterThan(3)
    const found = async () =>
      (await searchCandidates(platform, await getSearcher(platform, viewer), []))?.map(({ id }) => id).sort()
    const indexing = keepPeopleIndex(platform)
    expect(currentIndex(platform)).toBeUndefined()
    expect(await found()).toEqual(expected)
    await indexing.loaded
    expect(currentIndex(platform)).toBeDefined()
    expect(await found()).toEqual(expected)
    await pool.query('insert into candidate_changes (user_id) values (null)')
    expect(await found()).toEqual(expected)
    expect(currentIndex(platform)).toBeUndefined()
    await indexing.close()
    expect(await found()).toEqual(expected)
    await own.pool.end()
  })

  it('the database searches if there are more people than the index may hold', async () => {
    const [viewer = ''] = await addPeople(5)
    const own = connect(ownerOf(app.platform), () => undefined, 4)
    const platform = { ...app.platform, pool: own.pool, db: own.db }
    const indexing = keepPeopleIndex(platform, { most: 4 })
    await indexing.loaded
    expect(currentIndex(platform)).toBeUndefined()
    const found = await searchCandidates(platform, await getSearcher(platform, viewer), [])
    expect(found?.length).toBeGreaterThan(3)
    await indexing.close()
    await own.pool.end()
  })

  it('the index has room for everyone someone decided on, including hidden people', { tags: 'long' }, async () => {
    const [viewer = ''] = await addPeople(3)
    const ids = Array.from({ length: 3_000 }, () => randomUUID())
    await pool.query(
      `with a as (insert into accounts (id, email, terms_accepted_at, created_at) select i, i, now(), now() from unnest($1::uuid[]) i),
        d as (insert into decisions (actor_id, target_id, decision, decided_at) select $2, i, 'pass', now() from unnest($1::uuid[]) i)
      insert into profiles (user_id, name, birth_date, paused, last_active_at, created_at)
        select i, 'Jun', '1990-01-01', true, now(), now() from unnest($1::uuid[]) i`,
      [ids, viewer],
    )
    const own = connect(ownerOf(app.platform), () => undefined, 4)
    const platform = { ...app.platform, pool: own.pool, db: own.db }
    const indexing = keepPeopleIndex(platform)
    await indexing.loaded
    const current = currentIndex(platform)
    await searchCandidates(platform, await getSearcher(platform, viewer), [])
    await addPeople(1)
    expect(await bringUpToDate(platform, current as Current)).toBe(true)
    expect(currentIndex(platform)).toBe(current)
    await indexing.close()
    await own.pool.end()
  })

  it('old changes are deleted after some hours', async () => {
    await addPeople(1)
    await pool.query(`update candidate_changes set changed_at = now() - interval '4 hours'`)
    await addPeople(1)
    await forgetChanges(app.platform)
    const { rows } = await pool.query('select count(*)::int from candidate_changes')
    expect(rows[0].count).toBe(1)
  })

  it('a statement that changes thousands of people records one change for everyone', { tags: 'long' }, async () => {
    const ids = Array.from({ length: 5_100 }, () => randomUUID())
    const { rows: before } = await pool.query('select count(*)::int from candidate_changes')
    await pool.query(
      'insert into accounts (id, email, terms_accepted_at, created_at) select i, i, now(), now() from unnest($1::uuid[]) i',
      [ids],
    )
    await pool.query(
      `insert into profiles (user_id, name, birth_date, last_active_at, created_at)
       select i, 'Jun', '1990-01-01', now(), now() from unnest($1::uuid[]) i`,
      [ids],
    )
    const [cell = ''] = [latLngToCell(0, 20, 7)]
    await pool.query(
      `insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
       select i, $2, $2, 0, 20, 'Somewhere', now() from unnest($1::uuid[]) i`,
      [ids, cell],
    )
    const { rows: after } = await pool.query('select count(*)::int from candidate_changes')
    expect(after[0].count - before[0].count).toBe(1)
  })
})
