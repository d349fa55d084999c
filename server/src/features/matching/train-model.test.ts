import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { seededRandom } from '../../platform/random.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { type Person, person } from '../../test/people.ts'
import { expectedOf } from './beliefs.ts'
import { matchingConstants } from './constants.ts'
import { learnWhatIsDue } from './learning.ts'
import { rankingOf } from './ranking.ts'
import { sigmoid } from './ridge.ts'
import { activateModel, trainModel } from './train-model.ts'
import { findDeciders, withTrainingLock } from './training.queries.ts'

let app: TestApp
let database: TestDatabase
let drawn: Person[]
let ids: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  app = await startTestApp({}, { database })
  drawn = []
  // Sequentially, because forty at a time would wait too long for connections on a busy machine.
  for (let place = 0; place < 40; place++)
    drawn.push(
      await person(app, {
        at: { latitude: 40 + place / 1000, longitude: -8 },
        birthDate: `${1970 + place}-05-17`.replace('2009', '2006').replace('2008', '2005'),
        smoking: place % 2 ? 'never' : 'often',
      }),
    )
  ids = drawn.map(({ id }) => id)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})
beforeEach(async () => {
  for (const table of ['decisions', 'impressions', 'models', 'standings'] as const)
    await app.platform.db.deleteFrom(table).execute()
  await activateModel(app.platform, 0)
})

interface Drawn {
  shown?: boolean
  /** `same`: both have the same smoking habit. `other`: the target's index. */
  like(same: boolean, other: number): number
}

async function decide({ shown = true, like }: Drawn): Promise<void> {
  const random = seededRandom(7)
  const rows = ids.flatMap((actor, one) =>
    ids.flatMap((target, other) => {
      if (actor === target) return []
      const yes = random() < like(one % 2 === other % 2, other)
      return [{ actor, target, yes, at: new Date(app.clock.now().getTime() - days(20 * random())) }]
    }),
  )
  const column = <Name extends keyof (typeof rows)[number]>(name: Name) => rows.map((row) => row[name])
  const rowsOf = sql`unnest(${column('actor')}::uuid[], ${column('target')}::uuid[], ${column('yes')}::bool[],
    ${column('at')}::timestamptz[]) as d (actor, target, yes, at)`
  const { db } = app.platform
  await sql`insert into decisions (actor_id, target_id, decision, decided_at)
    select actor, target, case when yes then 'like' else 'pass' end, at from ${rowsOf}`.execute(db)
  await sql`insert into standings (user_id, made) select distinct actor, 39 from ${rowsOf}
    on conflict (user_id) do update set made = excluded.made`.execute(db)
  if (shown)
    await sql`insert into impressions select actor, target, at, at, 0, 'regular', 1, 0 from ${rowsOf}`.execute(db)
}

async function withConstants(
  numbers: Partial<Record<keyof typeof matchingConstants, number>>,
  work: () => Promise<void>,
) {
  const before = { ...matchingConstants }
  Object.assign(matchingConstants, numbers)
  await work().finally(() => Object.assign(matchingConstants, before))
}

const tallyOf = (id: string | undefined) =>
  app.platform.db
    .selectFrom('standings')
    .selectAll()
    .where('user_id', '=', id ?? '')
    .executeTakeFirstOrThrow()

const weightOf = async (name: string) => {
  const { weights } = await app.platform.db.selectFrom('models').select('weights').executeTakeFirstOrThrow()
  return (weights as { weights: Record<string, number> }).weights[name] ?? Number.NaN
}

it('training learns from decisions, activates the new model, and can be reverted', async () => {
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

it("training with everyone's decisions replaces all effects with exact ones", { tags: 'long' }, async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  await sql`update decisions set decision = 'like' where actor_id = ${ids[3]}`.execute(app.platform.db)
  await trainModel(app.platform)
  const rows = await app.platform.db.selectFrom('standings').selectAll().orderBy('says_yes', 'desc').execute()
  expect(rows).toHaveLength(40)
  expect(rows[0]).toMatchObject({ user_id: ids[3], made: 39, received: 39 })
  expect(rows[0]?.made_weight).toBeGreaterThan(0)
})

it("training learns nothing from people who weren't shown", async () => {
  await decide({ shown: false, like: () => 0.5 })
  expect(await trainModel(app.platform)).toEqual({ outcome: 'too_little', decisions: 0, recent: 0 })
})

it('training learns nothing from and about people who opted out', async () => {
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

it('training ignores decisions made while someone had opted out, or before a reset', {
  tags: 'long',
}, async () => {
  const [ana, ben] = drawn as [Person, Person]
  await ana.call('PATCH /api/user/updateUser', { body: { learnFromMe: false } })
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  // As if she had opted out before all of these decisions.
  await sql`update standings set learns_since = ${new Date(0)} where user_id = ${ana.id}`.execute(app.platform.db)
  await ana.call('PATCH /api/user/updateUser', { body: { learnFromMe: true } })
  await ben.call('DELETE /api/matching/learning')
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published', decisions: 38 * 37 })
  const { db } = app.platform
  const rows = await db.selectFrom('standings').selectAll().where('user_id', 'in', [ana.id, ben.id]).execute()
  for (const row of rows) expect(row).toMatchObject({ says_yes: 0, is_liked: 0 })
})

it('five versions are kept, and the active one whatever its age', { tags: 'long' }, async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  const first = await trainModel(app.platform)
  const version = 'version' in first ? first.version : Number.NaN
  const { db } = app.platform
  // Makes the stored model worse, because otherwise the next one wouldn't be better.
  await sql`update models set weights = jsonb_set(weights, '{weights,facts.smoking}', '-3')`.execute(db)
  const row = await db.selectFrom('models').selectAll().executeTakeFirstOrThrow()
  for (let more = 0; more < 7; more++)
    await sql`insert into models (weights, metrics, trained_at) values
      (${JSON.stringify(row.weights)}, '{}', ${row.trained_at})`.execute(db)
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
  const kept = await db.selectFrom('models').select(['version', 'active']).orderBy('version').execute()
  expect(kept.map((one) => one.version)).toEqual([version, ...[5, 6, 7, 8, 9].map((step) => version + step - 1)])
  expect(kept.filter(({ active }) => active)).toHaveLength(1)
})

it.each([1, 0])('training learns nothing if everyone decides the same, so decks keep their order', async (yes) => {
  const before = await rankingOf(app.platform)
  await decide({ like: () => yes })
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'too_little', decisions: 40 * 39 })
  const after = await rankingOf(app.platform)
  expect(after.model).toEqual(before.model)
  const { rows } = await app.platform.pool.query('select version from models')
  expect(rows).toEqual([])
})

it('training publishes no model that a kept version matches, whichever is active', { tags: 'long' }, async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
  await activateModel(app.platform, 0)
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'not_better' })
})

it('training learns from decisions before the last week, also of people with many recent ones', {
  tags: 'long',
}, async () => {
  await withConstants({ trainingPeople: 41, trainingDecisionsEach: 10, trainingLeast: 300 }, async () => {
    await decide({ like: (same) => (same ? 0.8 : 0.15) })
    const night = await trainModel(app.platform)
    expect(night.outcome).not.toBe('too_little')
    const { decisions = 0 } = 'decisions' in night ? night : {}
    expect(decisions).toBeGreaterThan(700)
    expect(decisions).toBeLessThanOrEqual(800)
  })
})

it("people with many decisions don't gain over newcomers when the intercept absorbs the average", {
  tags: 'long',
}, async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.2) })
  const { db } = app.platform
  // As if every decision had been learned from immediately, with the default model, which expects one like in four.
  const { rows } = await sql<{ actor_id: string; target_id: string; yes: boolean }>`
    select actor_id, target_id, decision = 'like' as yes from decisions order by decided_at`.execute(db)
  await sql`insert into lessons (actor_id, target_id, due_at) select actor_id, target_id, decided_at from decisions`.execute(
    db,
  )
  await learnWhatIsDue(app.platform)
  await withConstants({ trainingPeople: 40, trainingLeast: 300 }, async () => {
    expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
  })
  const { model } = await rankingOf(app.platform)
  const tallies = await db.selectFrom('standings').selectAll().execute()
  const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
  const foretold = rows.map(({ actor_id, target_id }) => {
    const of = (id: string) => tallies.find(({ user_id }) => user_id === id)
    return sigmoid(model.intercept + model.typical + (of(actor_id)?.says_yes ?? 0) + (of(target_id)?.is_liked ?? 0))
  })
  expect(Math.abs(mean(foretold) - 0.5)).toBeLessThan(0.05)
  expect(Math.abs(mean(tallies.map(({ says_yes }) => says_yes)))).toBeLessThan(0.05)
})

it('training reads a sample of people if there are very many: the same all day, another one the next', async () => {
  await decide({ like: () => 0.5 })
  await withConstants({ trainingPeople: 20, trainingLeast: 1_000 }, async () => {
    expect(await trainModel(app.platform)).toMatchObject({ outcome: 'too_little', decisions: 20 * 39 })
  })
  const drawnOn = (day: string) => findDeciders(app.platform.db, day, 20)
  const [first, again, next] = [await drawnOn('2026-03-01'), await drawnOn('2026-03-01'), await drawnOn('2026-03-02')]
  expect(again).toEqual(first)
  expect(next).not.toEqual(first)
})

/** Trains, and runs `statement` after the decisions were read, when the next model is activated. */
async function trainWhile(statement: string) {
  const owner = new pg.Client(database.config)
  await owner.connect()
  try {
    await owner.query(`create function meanwhile() returns trigger language plpgsql security definer as $$
      begin ${statement}; return null; end $$`)
    await owner.query('create trigger meanwhile after insert on models for each row execute function meanwhile()')
    return await trainModel(app.platform)
  } finally {
    await owner.query('drop function meanwhile cascade')
    await owner.end()
  }
}

it("training doesn't change people who reset learning while it runs", { tags: 'long' }, async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  const night =
    await trainWhile(`update standings set says_yes = 0, is_liked = 0, made = 0, learns_since = clock_timestamp()
    where user_id = '${ids[3]}'`)
  expect(night).toMatchObject({ outcome: 'published' })
  expect(await tallyOf(ids[3])).toMatchObject({ says_yes: 0, is_liked: 0, made: 0, received: 0 })
  expect(await tallyOf(ids[4])).toMatchObject({ made: 39 })
})

it('a decision made during training, or queued before and written after, counts once', {
  tags: 'long',
}, async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  const { db } = app.platform
  const [ana, ben, eve] = ids
  await sql`insert into lessons (actor_id, target_id, due_at) values (${ana}, ${ben}, now())`.execute(db)
  // Eve's decision about Ben becomes final while training runs, and is learned from immediately.
  await sql`delete from decisions where actor_id = ${eve} and target_id = ${ben}`.execute(db)
  await trainWhile(`
    insert into decisions (actor_id, target_id, decision, decided_at) values ('${eve}', '${ben}', 'like', clock_timestamp() - interval '10 minutes');
    update standings set made = made + 1 where user_id = '${eve}'`)
  expect(await tallyOf(ana)).toMatchObject({ made: 39 })
  expect(await tallyOf(eve)).toMatchObject({ made: 39 })
  expect(await tallyOf(ben)).toMatchObject({ received: 39 })
  await learnWhatIsDue(app.platform)
  expect(await tallyOf(ana)).toMatchObject({ made: 39 })
  expect(await tallyOf(ben)).toMatchObject({ received: 39 })
})

it("people whose decisions weren't all read keep how readily they say yes", { tags: 'long' }, async () => {
  await withConstants({ trainingPeople: 41, trainingDecisionsEach: 10, trainingLeast: 300 }, async () => {
    await decide({ like: (same) => (same ? 0.8 : 0.15) })
    await sql`update standings set made = 2000, made_weight = 400`.execute(app.platform.db)
    expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
    expect(await tallyOf(ids[3])).toMatchObject({ made: 2000, made_weight: 400 })
  })
})

it('training uses decisions of people who have paused since, with their facts at the time', {
  tags: 'long',
}, async () => {
  await decide({ like: (same) => (same ? 0.8 : 0.15) })
  const { db } = app.platform
  const paused = ids.slice(0, 10)
  await db.updateTable('profiles').set({ paused: true }).where('user_id', 'in', paused).execute()
  await sql`update impressions set distance_km = 32767`.execute(db)
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published', decisions: 40 * 39 })
  await db.updateTable('profiles').set({ paused: false }).where('user_id', 'in', paused).execute()
})

it('training runs in one process at a time', async () => {
  await withTrainingLock(app.platform.pool, async () => {
    expect(await trainModel(app.platform)).toEqual({ outcome: 'busy' })
  })
  expect(await trainModel(app.platform)).toMatchObject({ outcome: 'too_little' })
})

describe('expectations in training', () => {
  const liked = 20
  const withCeramics = () => drawn.slice(0, liked)
  async function decideByInterest() {
    for (const one of withCeramics())
      await one.call('PATCH /api/user/updateUser', { body: { interests: ['ceramics'] } })
    await decide({ like: (_, other) => (other < liked ? 0.8 : 0.2) })
  }
  afterAll(async () => {
    for (const one of withCeramics()) await one.call('PATCH /api/user/updateUser', { body: { interests: [] } })
  })

  it('expectations by interest are learned, activated and published', { tags: 'long' }, async () => {
    await decideByInterest()
    expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
    const { model } = await rankingOf(app.platform)
    expect(expectedOf(model.beliefs.receives, [2, 0])).toBeGreaterThan(0.15)
    expect(model.beliefs.receives.variance).not.toBe(matchingConstants.receivesVariance)
    const { expected } = (await (drawn[0] as Person).call('GET /api/matching')).body
    const ceramics = expected?.interests.find(({ interest }) => interest === 'ceramics')
    expect(ceramics?.receives).toBe(model.beliefs.receives.interests[1])
    expect(expected?.receivesVariance).toBe(model.beliefs.receives.variance)
  })

  it("new expectations are subtracted from effects that aren't fitted again, so that they don't count twice", {
    tags: 'long',
  }, async () => {
    await decideByInterest()
    await sql`insert into standings (user_id, is_liked, received_weight, made) select unnest(${ids}::uuid[]), 0.4, 8, 39
      on conflict (user_id) do update set is_liked = 0.4, received_weight = 8`.execute(app.platform.db)
    await withConstants({ trainingPeople: 40 }, async () => {
      expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
    })
    const { model } = await rankingOf(app.platform)
    const expected = expectedOf(model.beliefs.receives, [2, 0])
    expect(expected).toBeGreaterThan(0.15)
    const [one, other] = [await tallyOf(ids[3]), await tallyOf(ids[33])]
    expect(other.is_liked - one.is_liked).toBeCloseTo((expected * 8) / (8 + 1 / model.beliefs.receives.variance), 4)
  })

  it('reactivating an older version removes its expectations from people’s effects', async () => {
    await decideByInterest()
    expect(await trainModel(app.platform)).toMatchObject({ outcome: 'published' })
    const { model } = await rankingOf(app.platform)
    const before = new Map<string, number>()
    for (const id of ids) before.set(id, (await tallyOf(id)).is_liked)
    await activateModel(app.platform, 0)
    const likedBy = async (id = '') => (await tallyOf(id)).is_liked
    // The job adds the prior mean for this interest, which the defaults lack, and centres everyone.
    const gap = async () => (await likedBy(ids[3])) - (await likedBy(ids[33]))
    const gapBefore = (before.get(ids[3] ?? '') ?? 0) - (before.get(ids[33] ?? '') ?? 0)
    const weight = ({ received_weight }: { received_weight: number }) => received_weight / (received_weight + 1)
    const expected = expectedOf(model.beliefs.receives, [2, 0])
    const added = expected * weight(await tallyOf(ids[3]))
    expect(added).toBeGreaterThan(0.1)
    await expect.poll(gap).toBeGreaterThan(gapBefore + added / 2)
  })
})
