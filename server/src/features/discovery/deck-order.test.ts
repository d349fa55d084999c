import { randomUUID } from 'node:crypto'
import { cellToLatLng, latLngToCell } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hours } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import type { DeckSlot } from './discovery.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const place = { latitude: 20, longitude: 30 }

/** Creates otherwise identical people `north` degrees north of the place, last active `daysAway` days ago. */
async function addPeople(count: number, { north, daysAway }: { north: number; daysAway: number }): Promise<string[]> {
  const { pool } = app.platform
  const ids = Array.from({ length: count }, () => randomUUID() as string)
  const cell = latLngToCell(place.latitude + north, place.longitude, 7)
  await pool.query(
    'insert into accounts (id, email, terms_accepted_at, created_at) select i, i, now(), now() from unnest($1::uuid[]) i',
    [ids],
  )
  await pool.query(
    `insert into profiles (user_id, name, birth_date, interested_in, last_active_at, created_at)
     select i, 'Jun', '1990-01-01', '{}', now() - make_interval(days => $2), now() - interval '90 days' from unnest($1::uuid[]) i`,
    [ids, daysAway],
  )
  await pool.query(
    `insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
     select i, $2, $2, $3, $4, 'Somewhere', now() from unnest($1::uuid[]) i`,
    [ids, cell, ...cellToLatLng(cell)],
  )
  return ids
}

const pass = (actors: readonly string[], target: string) =>
  app.platform.pool.query(
    `insert into decisions (actor_id, target_id, decision, decided_at) select i, $2, 'pass', now() from unnest($1::uuid[]) i`,
    [actors, target],
  )

/** A person passed by 200 people, all of whom would otherwise rank first on their deck. */
async function passedByMany() {
  place.longitude += 4
  const viewer = await person(app, { at: place })
  const near = [
    ...(await addPeople(100, { north: 0, daysAway: 0 })),
    ...(await addPeople(100, { north: 0.3, daysAway: 0 })),
  ]
  await pass(near, viewer.id)
  return { viewer, near }
}

async function regularOf(viewer: Person): Promise<string[]> {
  expect((await viewer.call('GET /api/deck')).body.cards).toHaveLength(10)
  const { rows } = await app.platform.pool.query('select slots from decks where user_id = $1', [viewer.id])
  return (rows[0].slots as DeckSlot[]).filter(({ kind }) => kind === 'regular').map(({ id }) => id)
}

describe('the order of a deck', () => {
  it('the order knows everyone found who passed the viewer, however many come before them', async () => {
    const { viewer, near } = await passedByMany()
    const plain = await addPeople(41, { north: 0.6, daysAway: 10 })
    const late = await addPeople(5, { north: 0.6, daysAway: 10 })
    await pass(late, viewer.id)
    const regular = await regularOf(viewer)
    expect(regular.filter((id) => late.includes(id))).toEqual([])
    expect(regular.slice(0, 41).sort()).toEqual(plain.sort())
    expect(regular.slice(41).every((id) => near.includes(id))).toBe(true)
  })

  it('the order knows everyone found who hides their presence, however many come before them', async () => {
    const { viewer } = await passedByMany()
    await addPeople(10, { north: 0.6, daysAway: 10 })
    const [quiet] = await addPeople(1, { north: 0.6, daysAway: 40 })
    await app.platform.pool.query('update profiles set hide_presence = true where user_id = $1', [quiet])
    // People who hide their presence rank as if they had been away for a week; the others were away longer.
    expect((await regularOf(viewer))[0]).toBe(quiet)
  })

  it('people who like the viewer but matched twice in the last day come after others who like them', async () => {
    // At a separate place: after many people with the same reason in a row, a person with another reason would be moved
    // to the front.
    place.longitude += 4
    const [busy, idle] = [
      (await addPeople(1, { north: 0, daysAway: 0 }))[0]!,
      (await addPeople(1, { north: 0.3, daysAway: 0 }))[0]!,
    ]
    const peers = await addPeople(4, { north: 60, daysAway: 0 })
    const match = (peer: string | undefined, hoursAgo: number) =>
      app.platform.pool.query(
        `insert into matches (id, user_lo, user_hi, matched_at)
         select conversation_id($1, $2), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3`,
        [busy, peer, new Date(app.clock.now().getTime() - hours(hoursAgo))],
      )
    const likersSeenBy = async () => {
      const viewer = await person(app, { at: place })
      await app.platform.pool.query(
        `insert into decisions (actor_id, target_id, decision, decided_at) select i, $2, 'like', now() from unnest($1::uuid[]) i`,
        [[busy, idle], viewer.id],
      )
      await viewer.call('GET /api/deck')
      const { rows } = await app.platform.pool.query('select slots from decks where user_id = $1', [viewer.id])
      return (rows[0].slots as DeckSlot[]).filter(({ kind }) => kind === 'received').map(({ id }) => id)
    }
    await match(peers[0], 30)
    await match(peers[1], 2)
    // The match is unknown to this person, because the other person's like is held.
    await match(peers[3], 1)
    await app.platform.pool.query(
      `insert into decisions (actor_id, target_id, decision, held, decided_at) values ($1, $2, 'like', true, now())`,
      [peers[3], busy],
    )
    expect(await likersSeenBy()).toEqual([busy, idle])
    await match(peers[2], 1)
    expect(await likersSeenBy()).toEqual([idle, busy])
  })
})
