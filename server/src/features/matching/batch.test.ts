import { interestIds } from '@duet/contract/catalogue.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { after, days } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { noteShown } from '../../test/shown.ts'
import { readBatch } from './batch.ts'
import { productFeatures } from './pair.ts'
import { findShownDecisions } from './training.queries.ts'
import { stages } from './training.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('a batch has both people as they were at the decision: their ages, distance, card and whether it was recent', async () => {
  const { db } = app.platform
  const now = app.clock.now()
  const at = { latitude: 40, longitude: -8 }
  const yearsAgo = (years: number, earlier: number) =>
    after(new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate())), -days(earlier))
      .toISOString()
      .slice(0, 10)
  // Ben's birthday was five days ago, so their ages differed by 20 ten days ago and differ by 21 today.
  const ana = await person(app, { at, birthDate: yearsAgo(30, 100) })
  const ben = await person(app, { at, birthDate: yearsAgo(51, 5) })
  const cem = await person(app, { at, birthDate: yearsAgo(30, 100) })
  const shown = (target: string, ago: number, kind: string, propensity: number, distance: number | null) =>
    sql`insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version, distance_km)
      values (${ana.id}, ${target}, ${after(now, -days(ago))}, ${after(now, -days(ago))}, 0, ${kind}, ${propensity}, 0, ${distance})`.execute(
      db,
    )
  const decided = (target: string, ago: number) =>
    sql`insert into decisions (actor_id, target_id, decision, decided_at) values (${ana.id}, ${target}, 'pass', ${after(now, -days(ago))})`.execute(
      db,
    )
  await shown(ben.id, 20, 'explore', 0.5, 2)
  await shown(ben.id, 11, 'explore', 0.01, 50)
  await shown(ben.id, 9, 'explore', 0.5, 5)
  await decided(ben.id, 10)
  await shown(cem.id, 2, 'regular', 1, null)
  await decided(cem.id, 1)
  await sql`insert into standings (user_id, made) values (${ana.id}, 2) on conflict (user_id) do update set made = 2`.execute(
    db,
  )

  const { batch, ids, isEverybody, cut } = await readBatch(app.platform, now, new Float64Array(interestIds.length))
  expect(batch.targets.length).toBe(2)
  const of = (id: string) => {
    const place = batch.targets.indexOf(ids.indexOf(id))
    const value = (name: string) =>
      batch.rows[place * batch.columns + (productFeatures as readonly string[]).indexOf(name)]
    return {
      gap: value('age.gap'),
      distance: value('distance.log'),
      recent: batch.recent[place],
      exploring: batch.exploring[place],
    }
  }
  expect(of(ben.id)).toEqual({
    gap: 2,
    distance: Math.log1p(50) / Math.log1p(200),
    recent: 0,
    exploring: expect.closeTo(100, 3),
  })
  expect(of(cem.id)).toEqual({ gap: 0, distance: Math.log1p(2) / Math.log1p(200), recent: 1, exploring: 0 })
  expect({ isEverybody, cut: cut.size }).toEqual({ isEverybody: true, cut: 0 })

  // A card with a recorded distance beyond all buckets counts as far, even if the two live close to each other today.
  await sql`update impressions set distance_km = 32767 where target_id = ${cem.id}`.execute(db)
  const again = await readBatch(app.platform, now, new Float64Array(interestIds.length))
  const place = again.batch.targets.indexOf(again.ids.indexOf(cem.id))
  expect(again.batch.rows[place * again.batch.columns + 2]).toBe(1)
})

it('a batch records whether a like had a comment, for people who allow it, but neither the text nor the outcome', async () => {
  const { db } = app.platform
  const now = app.clock.now()
  const [ana, ben, cem, dan, eve] = await Promise.all([person(app), person(app), person(app), person(app), person(app)])
  const words = 'zanzibar'
  const like = async (target: Person, comment: string | null) => {
    await noteShown(app, ana, target, after(now, -days(2)))
    await sql`insert into decisions (actor_id, target_id, decision, comment, decided_at)
      values (${ana.id}, ${target.id}, 'like', ${comment}, ${after(now, -days(1))})`.execute(db)
  }
  await like(ben, words)
  await like(cem, null)
  await like(dan, words)
  await like(eve, words)
  // Cem and Ana match and write to each other; Dan opted out of learning, and Ana changed her mind about Eve.
  await cem.call('PUT /api/decisions/:userId', { params: { userId: ana.id }, body: { decision: 'like' } })
  const both = [ana.id, cem.id]
  for (const [sender, receiver] of [both, [...both].reverse()] as [string, string][])
    await sql`select * from append_messages(array[${sender}::uuid], array[${receiver}::uuid], array[${sender}], array[${words}],
      array[${now}::timestamptz], array[null]::bigint[], array[null]::uuid[], true, ${now})`.execute(db)
  await dan.call('PATCH /api/user/updateUser', { body: { learnFromMe: false } })
  await ana.call('PUT /api/decisions/:userId', { params: { userId: eve.id }, body: { decision: 'pass' } })
  await sql`insert into standings (user_id, made) values (${ana.id}, 4) on conflict (user_id) do update set made = 4`.execute(
    db,
  )

  const period = { since: after(now, -days(10)), recentSince: after(now, -days(5)), until: after(app.clock.now(), 1) }
  const rows = await findShownDecisions(db, [ana.id], period, 100)
  expect(JSON.stringify(rows)).not.toContain(words)
  const { batch, ids } = await readBatch(app.platform, app.clock.now(), new Float64Array(interestIds.length))
  const read = [...batch.targets.keys()].filter((place) => ids[batch.actors[place]!] === ana.id)
  const stageOf = new Map(read.map((place) => [ids[batch.targets[place]!], stages[batch.stages[place]!]]))
  expect(Object.fromEntries(stageOf)).toEqual({ [ben.id]: 'words', [cem.id]: 'like', [eve.id]: 'like' })
})
