import { ProfileChanges } from '@duet/contract/profiles.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSheet } from '../features/questions/sheet.ts'
import { connectOwner, type Pools } from '../platform/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { seedPeople } from './population.ts'
import { seedDecisions } from './population-decisions.ts'
import { madeUp } from './population-people.ts'

const now = new Date('2026-03-01T12:00:00Z')
const [people, swipes] = [600, 6_000]
const databases: TestDatabase[] = []
const opened: Pools[] = []

async function populated(seed: number, bulk: number): Promise<Pools> {
  const database = await createTestDatabase()
  const pools = connectOwner(database.config, () => undefined)
  databases.push(database)
  opened.push(pools)
  await seedPeople(pools.db, people, seed, () => undefined, now)
  await seedDecisions(pools.db, swipes, seed, { now, bulk })
  return pools
}

let world: Pools
beforeAll(async () => {
  world = await populated(1, 1)
})
afterAll(async () => {
  await Promise.all(opened.map(({ pool }) => pool.end()))
  await Promise.all(databases.map((database) => database.drop()))
})

const rows = async (query: string, { pool } = world) => (await pool.query(query)).rows
const first = async (query: string) => (await rows(query))[0]
const decisions = `select actor_id, target_id, decision, decided_at from decisions order by 1, 2`

test('Generated people are deterministic and valid by the contract', () => {
  expect(madeUp(3, 7, now)).toEqual(madeUp(3, 7, now))
  expect(madeUp(3, 7, now)).not.toEqual(madeUp(4, 7, now))
  for (let number = 0; number < 300; number++) {
    const one = madeUp(1, number, now)
    const { name, gender, bio, intents, interests, prompts, preferences, paused } = one
    const filters = {
      interestedIn: one.interested_in,
      ageMin: one.age_min,
      ageMax: one.age_max,
      maxDistanceKm: one.max_distance_km,
    }
    const { height_cm: heightCm, children, smoking, drinking, diet, languages } = one
    const facts = { heightCm, children, smoking, drinking, diet, languages, faith: null }
    const changes = { name, gender, bio, intents, interests, prompts, preferences, paused, ...filters, ...facts }
    expect(ProfileChanges.safeParse(changes).error).toBeUndefined()
    expect(one.last_active_at >= one.created_at).toBe(true)
    if (one.sheet) expect(readSheet(Buffer.from(one.sheet, 'hex')).length).toBeGreaterThan(0)
  }
})

test('Every generated person who is not paused is a candidate', async () => {
  const { made, candidates, wrong } = await first(`select (select count(*)::int from profiles where not paused) as made,
    (select count(*)::int from candidates) as candidates,
    (select count(*)::int from candidates c join searchable s using (user_id) where c.cell <> s.cell or c.seeks <> s.seeks
      or c.traits <> s.traits or c.refuses <> s.refuses or c.active_on <> s.active_on) as wrong`)
  expect({ made, wrong }).toEqual({ made: candidates, wrong: 0 })
})

test('Generated decisions are never about oneself, never repeated, and fit the filters', async () => {
  const { all, self, twice, unsought } = await first(`select count(*)::int as all,
    count(*) filter (where actor_id = target_id)::int as self,
    count(*)::int - count(distinct (actor_id, target_id))::int as twice,
    count(*) filter (where cardinality(a.interested_in) > 0 and not t.gender = any(a.interested_in))::int as unsought
    from decisions join profiles a on a.user_id = actor_id join profiles t on t.user_id = target_id`)
  expect({ self, twice, unsought }).toEqual({ self: 0, twice: 0, unsought: 0 })
  expect(all).toBeGreaterThan(swipes * 0.8)
  expect(all).toBeLessThan(swipes * 1.2)
})

test('About 30% of generated decisions are likes, and few people get many of them', async () => {
  const { likes, top } = await first(`with received as (select target_id, count(*) as n from decisions group by 1)
    select (select avg((decision = 'like')::int)::float8 from decisions) as likes,
      (select sum(n) from (select n from received order by n desc limit (select count(*) / 10 from profiles)) t)::float8
        / (select sum(n) from received)::float8 as top`)
  expect(likes).toBeGreaterThan(0.24)
  expect(likes).toBeLessThan(0.36)
  expect(top).toBeGreaterThan(0.15)
})

test('Generated mutual likes become matches, and everyone has statistics', async () => {
  const { mutual, matched, conversations, tally, number } = await first(`select
    (select count(*)::int from decisions a join decisions b on b.actor_id = a.target_id and b.target_id = a.actor_id
      where a.decision = 'like' and b.decision = 'like' and a.actor_id < a.target_id) as mutual,
    (select count(*)::int from matches) as matched,
    (select count(*)::int from matches join conversations using (id) join conversation_members m on m.conversation_id = id) as conversations,
    (select count(*)::int from standings) as tally, (select count(*)::int from candidates) as number`)
  expect(mutual).toBeGreaterThan(0)
  expect({ matched, conversations, tally }).toEqual({ matched: mutual, conversations: 2 * mutual, tally: number })
})

test('Bulk and row-by-row seeding give the same decisions and keep all keys', {
  tags: 'long',
}, async () => {
  const other = await populated(1, Number.POSITIVE_INFINITY)
  expect(await rows(decisions, other)).toEqual(await rows(decisions))
  const keys = `select conname as name from pg_constraint where conrelid = 'decisions'::regclass
    union select indexrelid::regclass::text from pg_index where indrelid = 'decisions'::regclass order by 1`
  expect(await rows(keys, other)).toEqual(await rows(keys))
})

test('Seeding twice changes nothing', async () => {
  const before = await rows(decisions)
  await seedPeople(world.db, people, 1, () => undefined, now)
  await seedDecisions(world.db, swipes, 1, { now })
  expect(await rows(decisions)).toEqual(before)
})
