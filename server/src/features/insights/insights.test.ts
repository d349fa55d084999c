import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days, hours, minutes } from '../../platform/clock.ts'
import { seededRandom } from '../../platform/random.ts'
import { goToNoon, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { forgetLearned } from '../matching/learning.ts'
import { placesOf } from './insights.ts'

let app: TestApp
let operator: Person
beforeAll(async () => {
  app = await startTestApp()
  goToNoon(app)
  operator = await person(app, { name: 'Olga' })
  await app.platform.grantSuperAdmin(operator.email)
})
afterAll(() => app.close())

const ago = (ms: number) => new Date(app.clock.now().getTime() - ms)
const lisbon = { latitude: 38.72, longitude: -9.14 }
const porto = { latitude: 41.15, longitude: -8.61 }

const show = (viewer: Person, target: Person, at: Date) =>
  app.platform.db
    .insertInto('impressions')
    .values({
      viewer_id: viewer.id,
      target_id: target.id,
      deck_at: at,
      shown_at: at,
      slot: 0,
      slot_kind: 'ranked',
      propensity: 1,
      model_version: 0,
    })
    .execute()
const decide = (actor: Person, target: Person, decision: string, at: Date) =>
  app.platform.db
    .insertInto('decisions')
    .values({ actor_id: actor.id, target_id: target.id, decision, decided_at: at })
    .execute()
const match = (one: Person, other: Person, at: Date) => {
  const [lo, hi] = [one.id, other.id].sort() as [string, string]
  return app.platform.db
    .insertInto('matches')
    .values({ id: crypto.randomUUID(), user_lo: lo, user_hi: hi, matched_at: at })
    .execute()
}
/** Signs in again, because an operator's session lasts less than a day. */
async function signInAgain(): Promise<void> {
  const anonymous = caller(app.url)
  const sent = app.mails.length
  await anonymous.call('POST /api/user/requestOtp', { body: { email: operator.email } })
  await expect.poll(() => app.mails.length).toBeGreaterThan(sent)
  const otp = await app.codeFor(operator.email)
  const { body } = await anonymous.call('POST /api/user/authenticate', { body: { email: operator.email, otp } })
  operator = { ...body, ...caller(app.url, body.token) }
}
/** Moves the clock first, because results are cached for a minute. */
const insights = async () => {
  app.clock.advance(minutes(1))
  return (await operator.call('GET /api/admin/insights')).body
}

describe('insights', () => {
  it('insights of an empty pool are zeros and nulls, not made-up rates', async () => {
    const body = await insights()
    expect(body).toMatchObject({ accounts: 1, places: 0, areas: [], sample: null })
    expect(body.totals).toEqual({
      people: 0,
      genders: { woman: 0, man: 0, nonbinary: 0, unsaid: 0 },
      activeWeek: 0,
      likesWeek: 0,
      matchesWeek: 0,
    })
    expect(body.week).toEqual({ cards: 0, gini: null, genders: [], groups: [], neverShown: null, matchesPer100: null })
    expect(body.days).toHaveLength(30)
    expect(body.newcomers).toMatchObject({ people: 0, guarantee: 50, median: null, reached: null })
  })

  it('insights count the pool by place, with its likes and matches', async () => {
    const [ana, bea] = [
      await person(app, { name: 'Ana', gender: 'woman', at: lisbon }),
      await person(app, { name: 'Bea', gender: 'woman', at: lisbon }),
    ]
    const [cem, dan] = [
      await person(app, { name: 'Cem', gender: 'man', at: lisbon }),
      await person(app, { name: 'Dan', at: porto }),
    ]
    await person(app, { name: 'Nowhere' })
    await app.platform.db
      .updateTable('profiles')
      .set({ last_active_at: ago(days(12)) })
      .where('user_id', '=', bea.id)
      .execute()
    const yesterday = ago(days(1))
    await decide(cem, ana, 'like', yesterday)
    await decide(ana, cem, 'like', yesterday)
    await decide(cem, bea, 'pass', yesterday)
    await decide(dan, bea, 'later', ago(days(12)))
    await decide(bea, dan, 'like', ago(days(12)))
    await match(ana, cem, yesterday)
    for (const viewer of [bea, cem, dan]) await show(viewer, ana, yesterday)
    await show(ana, cem, yesterday)
    await show(ana, bea, ago(days(12)))

    const body = await insights()
    expect(body).toMatchObject({ accounts: 6, places: 2 })
    expect(body.areas.map(({ people }) => people)).toEqual([3, 1])
    expect(body.areas[0]).toMatchObject({
      genders: { woman: 2, man: 1, nonbinary: 0, unsaid: 0 },
      activeWeek: 2,
      likesWeek: 2,
      matchesWeek: 1,
    })
    expect(body.totals).toMatchObject({ people: 4, activeWeek: 3, likesWeek: 2, matchesWeek: 1 })
  })

  it('insights show how evenly cards are shared, who is never shown, and what cards lead to', async () => {
    const { week, month } = await insights()
    // Cards this week: Ana 3, Cem 1, Bea 0, Dan 0. Earlier this month: Bea 1.
    expect(week).toMatchObject({ cards: 4, gini: 0.625, neverShown: 0.5, matchesPer100: 25 })
    expect(month).toMatchObject({ cards: 5, neverShown: 0.25, matchesPer100: 20 })
    expect(week.genders).toEqual([
      { gender: 'woman', people: 2, gini: 0.5 },
      { gender: 'man', people: 1, gini: 0 },
      { gender: 'unsaid', people: 1, gini: null },
    ])
  })

  it('people who have paused or reset learning count in both matches and cards', async () => {
    const before = await insights()
    const { rows } = await app.platform.pool.query<{ user_id: string }>(
      "select user_id from profiles where name = 'Cem'",
    )
    const [{ user_id: cem } = { user_id: '' }] = rows
    await app.platform.db.updateTable('profiles').set({ paused: true }).where('user_id', '=', cem).execute()
    await forgetLearned(app.platform, cem)
    const { totals, week, month } = await insights()
    expect(totals).toMatchObject({ people: 3, matchesWeek: 1 })
    expect(week).toMatchObject({ cards: 4, matchesPer100: 25 })
    expect(month).toMatchObject({ cards: 5, matchesPer100: 20 })
    // Cards this week without Cem: Ana 3, Bea 0, Dan 0.
    expect(week.neverShown).toBeCloseTo(2 / 3)
    await app.platform.db.updateTable('profiles').set({ paused: false }).where('user_id', '=', cem).execute()
    expect((await insights()).week).toEqual(before.week)
  })

  it('insights count decisions and matches by day, oldest first, without gaps', async () => {
    const { days: series } = await insights()
    const dayOf = (date: Date) => date.toISOString().slice(0, 10)
    expect(series.at(-1)?.day).toBe(dayOf(app.clock.now()))
    expect(new Set(series.map(({ day }) => day)).size).toBe(30)
    const on = (date: Date) => series.find(({ day }) => day === dayOf(date))
    expect(on(ago(days(1)))).toMatchObject({ likes: 2, passes: 1, laters: 0, matches: 1 })
    expect(on(ago(days(12)))).toMatchObject({ likes: 1, passes: 0, laters: 1, matches: 0 })
  })

  it('insights measure newcomers once their first 48 hours are over, and only what happened in them', async () => {
    expect((await insights()).newcomers.people).toBe(0)
    const arrived = app.clock.now().getTime()
    const eve = await person(app, { name: 'Eve', at: porto })
    const viewers = [operator, await person(app)]
    for (const viewer of viewers)
      for (let minute = 1; minute <= 30; minute++) await show(viewer, eve, new Date(arrived + minutes(minute)))
    await show(operator, eve, new Date(arrived + hours(60)))
    app.clock.advance(hours(49))
    await signInAgain()
    const { newcomers } = await insights()
    expect(newcomers).toMatchObject({ people: 5, reached: 0.2, median: 1 })
    expect(newcomers.steps).toEqual([
      { from: 0, people: 1 },
      { from: 1, people: 3 },
      { from: 10, people: 0 },
      { from: 25, people: 0 },
      { from: 50, people: 1 },
    ])
  })

  it('insights are measured once a minute', async () => {
    const before = await insights()
    await person(app, { at: lisbon })
    expect((await operator.call('GET /api/admin/insights')).body).toEqual(before)
    expect((await insights()).totals.people).toBe(before.totals.people + 1)
  })
})

describe('insights of many people', () => {
  it('with many people, insights count accounts and estimate the rest from samples', { tags: 'long' }, async () => {
    await person(app, { at: lisbon })
    const now = app.clock.now()
    // Inserted in parts and without a timeout, because this takes long on a slow machine and isn't what is tested.
    const part = 4_000
    const fill = (before: number) =>
      app.platform.db.transaction().execute(async (db) => {
        await sql`set local statement_timeout = 0`.execute(db)
        await sql`create temp table crowd on commit drop as
        select gen_random_uuid() as id, 'crowd-' || n || '@example.com' as email, n
        from generate_series(${before + 1}::integer, ${before + part}::integer) n`.execute(db)
        await sql`insert into accounts (id, email, terms_accepted_at, created_at) select id, email, ${now}, ${now} from crowd`.execute(
          db,
        )
        await sql`insert into profiles (user_id, name, birth_date, gender, last_active_at, created_at)
        select id, 'Crowd', '1990-01-01', 'woman', ${now}, ${now} from crowd`.execute(db)
        await sql`insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
        select id, cell, cell, l.latitude, l.longitude, case when n % 2 = 0 then 'Metropolis' else 'Town ' || n % 500 end, ${now}
        from crowd, (select * from locations limit 1) l`.execute(db)
        await sql`insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version)
        select ${operator.id}, id, ${now}, ${now}, 0, 'ranked', 1, 0 from crowd`.execute(db)
        await sql`insert into decisions (actor_id, target_id, decision, decided_at)
        select id, ${operator.id}, 'pass', ${now} from crowd`.execute(db)
      })
    for (let before = 0; before < 24_000; before += part) await fill(before)
    const { rows } = await app.platform.pool.query<{ accounts: number; visible: number; areas: number }>(
      `select (select count(*) from profiles)::int as accounts, count(*)::int as visible,
         count(distinct area)::int as areas from candidates join locations using (user_id)`,
    )
    const [real = { accounts: 0, visible: 0, areas: 0 }] = rows
    const body = await insights()
    expect(body).toMatchObject({ sample: 1000, accounts: real.accounts })
    expect(body.areas).toHaveLength(50)
    expect(body.areas[0]?.area).toBe('Metropolis')
    // Estimates must be within six standard deviations. Almost everyone was shown once, decided once and can be found;
    // one person was shown sixty times.
    for (const [estimate = 0, expected, deviation] of [
      [body.totals.people, real.visible, 20],
      [body.totals.genders.woman, 24_000, 20],
      [body.areas[0]?.people, 12_000, 150],
      [body.places, real.areas, 2],
      [body.week.cards, 24_000, 400],
      [body.days.at(-1)?.passes, 24_000, 20],
    ] as const)
      expect(Math.abs(estimate - expected)).toBeLessThan(6 * deviation)
    expect(body.week.gini).toBeLessThan(0.1)
  })
})

describe('the number of areas', () => {
  it('the number of areas is exact when everyone was counted, and never below the number seen', () => {
    expect(placesOf({ places: 7, lone: 3 }, 40, 1)).toBe(7)
    expect(placesOf({ places: 1, lone: 1 }, 1, 0.01)).toBe(100)
    expect(placesOf({ places: 7, lone: 0 }, 40, 0.01)).toBe(7)
  })

  it('the number of areas is estimated within a tenth from a sample', () => {
    const random = seededRandom(1)
    const [people, areas, share] = [30_000, 2_000, 0.1]
    const seen = new Map<number, number>()
    // The random numbers are skewed, so that areas differ in size by up to a factor of seven.
    for (let n = 0; n < people; n++) {
      const area = Math.floor(areas * random() ** 1.5)
      if (random() < share) seen.set(area, (seen.get(area) ?? 0) + 1)
    }
    const counts = [...seen.values()]
    const sampled = counts.reduce((sum, count) => sum + count, 0)
    const lone = counts.filter((count) => count === 1).length
    const estimate = placesOf({ places: counts.length, lone }, sampled, share)
    expect(counts.length).toBeLessThan(0.95 * areas)
    expect(Math.abs(estimate / areas - 1)).toBeLessThan(0.1)
  })
})
