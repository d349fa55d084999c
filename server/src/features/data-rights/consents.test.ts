import { questionCatalogue, sensitiveQuestions } from '@duet/contract/question-catalogue.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hours } from '../../platform/clock.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { readMigrations } from '../../platform/database/schema-files.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { writeSheet } from '../questions/sheet.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const at = { latitude: 59.33, longitude: 18.06 }
const consentsOf = async (who: Person) => {
  const { consents } = (await who.call('GET /api/consents')).body
  return Object.fromEntries(consents.map(({ purpose, granted }) => [purpose, granted]))
}
const change = (who: Person, purpose: 'sensitive' | 'location' | 'learning', granted: boolean) =>
  who.call('PUT /api/consents', { body: { purpose, granted } })
const seenBy = async (viewer: Person, who: Person) =>
  (await viewer.call('GET /api/user/:id', { params: { id: who.id } })).body
const rowsOf = (who: Person) =>
  app.platform.db.selectFrom('consents').selectAll().where('user_id', '=', who.id).orderBy('id').execute()

describe('consents', () => {
  it('a new account has consented to the terms and to learning; other consents are recorded when someone shares the data', async () => {
    const ana = await person(app)
    expect(await consentsOf(ana)).toEqual({ terms: true, sensitive: false, location: false, learning: true })
    await ana.call('PATCH /api/user/updateUser', { body: { gender: 'woman' } })
    await ana.call('PATCH /api/user/updateLocation', { body: at })
    expect(await consentsOf(ana)).toEqual({ terms: true, sensitive: true, location: true, learning: true })
    const [{ consents }] = [(await ana.call('GET /api/consents')).body]
    expect(consents.every(({ version, at: when }) => version === '1' && when !== null)).toBe(true)
  })

  it('withdrawing the sensitive consent hides this data from everyone immediately', async () => {
    const about = { genderText: 'femme', pronouns: 'she' }
    const ana = await person(app, {
      at,
      ...about,
      gender: 'woman',
      interestedIn: ['man'],
      diet: 'halal',
      interests: ['ceramics'],
    })
    const ben = await person(app, { at })
    const answer = { choice: 'early', accepts: ['early'], importance: 'very' }
    expect((await ana.send('PUT', '/api/questions/day_rhythm/answer', answer)).status).toBe(200)
    expect(await seenBy(ben, ana)).toMatchObject({ gender: 'woman', pronouns: 'she', facts: { diet: 'halal' } })
    expect((await change(ana, 'sensitive', false)).status).toBe(200)
    const seen = await seenBy(ben, ana)
    expect(seen).toMatchObject({
      gender: null,
      genderText: '',
      pronouns: '',
      facts: { diet: null },
      interests: ['ceramics'],
    })
    expect((await ana.call('GET /api/user/myDetails')).body.interestedIn).toEqual([])
    expect((await ana.call('GET /api/questions')).body.answers).toEqual([])
    expect(await consentsOf(ana)).toMatchObject({ sensitive: false, location: true })
  })

  it("the first answer about faith, politics or sex records a consent, and other answers don't", async () => {
    const answer = (who: Person, { id, choices: [choice] }: (typeof questionCatalogue)[number]) =>
      who.send('PUT', `/api/questions/${id}/answer`, { choice, accepts: [choice], importance: 'very' })
    const ana = await person(app)
    for (const one of questionCatalogue)
      if (!sensitiveQuestions.includes(one.id)) expect((await answer(ana, one)).status).toBe(200)
    expect(await consentsOf(ana)).toMatchObject({ sensitive: false })
    for (const one of questionCatalogue.filter(({ id }) => sensitiveQuestions.includes(id))) {
      await answer(ana, one)
      expect(await consentsOf(ana), one.id).toMatchObject({ sensitive: true })
      await change(ana, 'sensitive', false)
      expect((await ana.call('GET /api/questions')).body.answers).toEqual([])
    }
  })

  it('preferring a religious diet records a consent, and withdrawing it removes the preference', async () => {
    const ana = await person(app)
    const wishes = { smoking: { accepts: ['never' as const], dealbreaker: true } }
    const diet = { accepts: ['kosher' as const], dealbreaker: true }
    await ana.call('PATCH /api/user/updateUser', { body: { preferences: wishes } })
    expect(await consentsOf(ana)).toMatchObject({ sensitive: false })
    await ana.call('PATCH /api/user/updateUser', { body: { preferences: { ...wishes, diet } } })
    expect(await consentsOf(ana)).toMatchObject({ sensitive: true })
    await change(ana, 'sensitive', false)
    expect((await ana.call('GET /api/user/myDetails')).body.preferences).toEqual(wishes)
  })

  it('withdrawing a consent during an answer leaves no answer without a consent', async () => {
    const ana = await person(app, { gender: 'woman' })
    const answer = { choice: 'important', accepts: ['important'], importance: 'very' }
    const { pool, db } = connectOwner(ownerOf(app.platform), () => undefined)
    onTestFinished(() => db.destroy())
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select from profiles where user_id = $1 for update', [ana.id])
    const acts = [change(ana, 'sensitive', false), ana.send('PUT', '/api/questions/faith_daily/answer', answer)]
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(2)
    await holder.query('commit')
    holder.release()
    expect((await Promise.all(acts)).map(({ status }) => status)).toEqual([200, 200])
    const { answers } = (await ana.call('GET /api/questions')).body
    expect((await consentsOf(ana)).sensitive).toBe(answers.length > 0)
  })

  it('the migration deletes earlier answers without a consent instead of inventing one, and no others', async () => {
    const [ana, ben] = [await person(app), await person(app, { gender: 'man' })]
    const given = questionCatalogue.map(({ id, choices: [choice] }) => {
      return { question: id, choice, accepts: [choice], importance: 'very' as const }
    })
    const { pool, db } = connectOwner(ownerOf(app.platform), () => undefined)
    onTestFinished(() => db.destroy())
    const client = await pool.connect()
    await client.query('begin; set local session_replication_role = replica')
    for (const { id } of [ana, ben])
      await client.query('insert into answer_sheets (user_id, sheet) values ($1, $2)', [id, writeSheet(given)])
    await client.query(`update profiles set preferences = '{"diet": {"accepts": ["halal"], "dealbreaker": true}}'`)
    await client.query('commit')
    const migrations = await readMigrations()
    await client.query(migrations.find(({ name }) => name.startsWith('0039'))?.text ?? 'no such migration')
    client.release()
    const left = async (who: Person) => [
      (await who.call('GET /api/questions')).body.answers.map(({ question }) => question),
      Object.keys((await who.call('GET /api/user/myDetails')).body.preferences),
    ]
    const all = questionCatalogue.map(({ id }) => id)
    expect(await left(ben)).toEqual([all, ['diet']])
    expect(await left(ana)).toEqual([all.filter((id) => !sensitiveQuestions.includes(id)), []])
  })

  it('after withdrawing the location consent, a person is found by nobody and finds nobody', async () => {
    const [ana, ben] = [await person(app, { at, gender: 'woman' }), await person(app, { at, gender: 'man' })]
    const near = async () => (await ben.call('GET /api/user/nearBy')).body.users.map(({ id }) => id)
    expect(await near()).toContain(ana.id)
    for (const one of [ana, ben]) expect((await one.call('GET /api/deck')).status).toBe(200)
    const between = 'select distance_km from impressions where viewer_id = any($1) and target_id = any($1)'
    const noted = async () =>
      (await app.platform.pool.query(between, [[ana.id, ben.id]])).rows.map(({ distance_km }) => distance_km)
    expect(await noted()).toEqual([2, 2])
    await change(ana, 'location', false)
    expect(await noted()).toEqual([null, null])
    expect(await near()).not.toContain(ana.id)
    expect((await ana.call('GET /api/user/myDetails')).body.area).toBeNull()
    expect(await seenBy(ben, ana)).toMatchObject({ distanceKm: null })
    await ana.call('PATCH /api/user/updateLocation', { body: at })
    expect(await consentsOf(ana)).toMatchObject({ location: true })
  })

  it('the learning consent and the learning setting always match, whichever is changed', async () => {
    const ana = await person(app)
    const learns = async () => (await ana.call('GET /api/user/myDetails')).body.learnFromMe
    await change(ana, 'learning', false)
    expect([await learns(), (await consentsOf(ana)).learning]).toEqual([false, false])
    await ana.call('PATCH /api/user/updateUser', { body: { learnFromMe: true } })
    expect([await learns(), (await consentsOf(ana)).learning]).toEqual([true, true])
    await ana.call('PATCH /api/user/updateUser', { body: { learnFromMe: false } })
    await change(ana, 'learning', true)
    expect([await learns(), (await consentsOf(ana)).learning]).toEqual([true, true])
  })

  it('consents are an append-only log: a given consent stays, with the time it was withdrawn', async () => {
    const ana = await person(app, { at })
    await change(ana, 'location', true)
    app.clock.advance(hours(1))
    await change(ana, 'location', false)
    await change(ana, 'location', false)
    await change(ana, 'location', true)
    const rows = (await rowsOf(ana)).filter(({ purpose }) => purpose === 'location')
    expect(rows.map(({ withdrawn_at }) => withdrawn_at !== null)).toEqual([true, false])
    expect(Number(rows[0]?.withdrawn_at) - Number(rows[0]?.granted_at)).toBeGreaterThanOrEqual(hours(1))
    const { db } = app.platform
    const first = db.updateTable('consents').where('user_id', '=', ana.id)
    await expect(first.set({ withdrawn_at: null }).execute()).rejects.toThrow('stays as it was')
    await expect(first.set({ version: '2' }).execute()).rejects.toThrow('permission denied')
    await expect(db.deleteFrom('consents').where('user_id', '=', ana.id).execute()).rejects.toThrow('permission denied')
  })
})
