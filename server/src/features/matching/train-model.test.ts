import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { person } from '../../test/people.ts'
import { seededRandom } from './random.ts'
import { rankingOf } from './ranking.ts'
import { activateModel, trainModel } from './train-model.ts'
import { withTrainingLock } from './training.queries.ts'

let app: TestApp
let ids: string[]
beforeAll(async () => {
  app = await startTestApp()
  const places = Array.from({ length: 40 }, (_, place) => place)
  const drawn = await Promise.all(
    places.map((place) =>
      person(app, {
        at: { latitude: 40 + place / 1000, longitude: -8 },
        birthDate: `${1970 + place}-05-17`.replace('2009', '2006').replace('2008', '2005'),
        smoking: place % 2 ? 'never' : 'often',
      }),
    ),
  )
  ids = drawn.map(({ id }) => id)
})
afterAll(() => app.close())
beforeEach(async () => {
  for (const table of ['decisions', 'impressions', 'models', 'standings'] as const)
    await app.platform.db.deleteFrom(table).execute()
  await activateModel(app.platform, 0)
})

interface Drawn {
  shown?: boolean
  /** How likely somebody likes somebody: `same` smoke alike. */
  like(same: boolean): number
}

/** Everybody decides on everybody, over the last 20 days. */
async function decide({ shown = true, like }: Drawn): Promise<void> {
  const random = seededRandom(7)
  const rows = ids.flatMap((actor, one) =>
    ids.flatMap((target, other) => {
      if (actor === target) return []
      const yes = random() < like(one % 2 === other % 2)
      return [{ actor, target, yes, at: new Date(app.clock.now().getTime() - days(20 * random())) }]
    }),
  )
  const column = <Name extends keyof (typeof rows)[number]>(name: Name) => rows.map((row) => row[name])
  const drawn = sql`unnest(${column('actor')}::uuid[], ${column('target')}::uuid[], ${column('yes')}::bool[],
    ${column('at')}::timestamptz[]) as d (actor, target, yes, at)`
  const { db } = app.platform
  await sql`insert into decisions (actor_id, target_id, decision, decided_at)
    select actor, target, case when yes then 'like' else 'pass' end, at from ${drawn}`.execute(db)
  await sql`insert into standings (user_id, made) select distinct actor, 39 from ${drawn}`.execute(db)
  if (shown)
    await sql`insert into impressions select actor, target, at, at, 0, 'regular', 1, 0 from ${drawn}`.execute(db)
}

const weightOf = async (name: string) => {
  const { weights } = await app.platform.db.selectFrom('models').select('weights').executeTakeFirstOrThrow()
  return (weights as { weights: Record<string, number> }).weights[name] ?? Number.NaN
}

it('learns from what people decided, puts it into use and goes back when told to', async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  const night = await trainModel(app.platform)
  expect(night).toMatchObject({ outcome: 'published', decisions: 40 * 39 })
  expect(await weightOf('facts.smoking')).toBeGreaterThan(0.6)
  const { model, trainedAt } = await rankingOf(app.platform)
  expect(model.version).toBe('version' in night ? night.version : Number.NaN)
  expect(trainedAt).not.toBeNull()
  await activateModel(app.platform, 0)
  expect((await rankingOf(app.platform)).model.version).toBe(0)
  await expect(activateModel(app.platform, 999_999)).rejects.toThrow()
})

it('takes the exact effects of everybody into use when everybody was learned from', async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  await sql`update decisions set decision = 'like' where actor_id = ${ids[3]}`.execute(app.platform.db)
  await trainModel(app.platform)
  const rows = await app.platform.db.selectFrom('standings').selectAll().orderBy('says_yes', 'desc').execute()
  expect(rows).toHaveLength(40)
  expect(rows[0]).toMatchObject({ user_id: ids[3], made: 39, received: 39 })
  expect(rows[0]?.made_weight).toBeGreaterThan(0)
})

it('learns nothing from people who were not shown', async () => {
  await decide({ shown: false, like: () => 0.5 })
  expect(await trainModel(app.platform)).toEqual({ outcome: 'too_little', decisions: 0, recent: 0 })
})

it('learns nothing from and about those who do not want it', async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  const { db } = app.platform
  await db
    .updateTable('profiles')
    .set({ learn_from_me: false })
    .where('user_id', '=', ids[0] ?? '')
    .execute()
  expect(await trainModel(app.platform)).toMatchObject({ decisions: 39 * 38 })
  const row = await db
    .selectFrom('standings')
    .selectAll()
    .where('user_id', '=', ids[0] ?? '')
    .executeTakeFirst()
  expect(row).toMatchObject({ says_yes: 0, is_liked: 0 })
  await db
    .updateTable('profiles')
    .set({ learn_from_me: true })
    .where('user_id', '=', ids[0] ?? '')
    .execute()
})

it('keeps five versions, and the one in use whatever its age', async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  const first = await trainModel(app.platform)
  const version = 'version' in first ? first.version : Number.NaN
  const { db } = app.platform
  const row = await db.selectFrom('models').selectAll().executeTakeFirstOrThrow()
  for (let more = 0; more < 7; more++)
    await sql`insert into models (weights, metrics, trained_at) values
      (${JSON.stringify(row.weights)}, '{}', ${row.trained_at})`.execute(db)
  // Not worse than itself, so it is published once more.
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
  const kept = await db.selectFrom('models').select(['version', 'active']).orderBy('version').execute()
  expect(kept.map((one) => one.version)).toEqual([version, ...[5, 6, 7, 8, 9].map((step) => version + step - 1)])
  expect(kept.filter(({ active }) => active)).toHaveLength(1)
})

it('trains in one process at a time', async () => {
  await withTrainingLock(app.platform.pool, async () => {
    expect(await trainModel(app.platform)).toEqual({ outcome: 'busy' })
  })
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'too_little' })
})
