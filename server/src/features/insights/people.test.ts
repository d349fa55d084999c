import type { ProfileChanges } from '@duet/contract/profiles.ts'
import type { Updateable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DB } from '../../platform/database/schema.ts'
import { foldedName } from '../../platform/folded-name.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { foldNames } from '../spam/folded-names.ts'

let app: TestApp
let operator: Person
beforeAll(async () => {
  app = await startTestApp()
  operator = await person(app, { name: 'Olga' })
  await app.platform.grantSuperAdmin(operator.email)
})
afterAll(() => app.close())

const find = async (query: string) =>
  (await operator.call('GET /api/admin/people', { query: { query } })).body.people.map(({ name }) => name)
const set = ({ id }: Person, values: Updateable<DB['profiles']>) =>
  app.platform.db.updateTable('profiles').set(values).where('user_id', '=', id).execute()
const funnel = async (who: Person) =>
  (await operator.call('GET /api/admin/people/:userId/funnel', { params: { userId: who.id } })).body
const left = async (who: Person) =>
  Object.fromEntries((await funnel(who)).steps.map(({ filter, remaining }) => [filter, remaining]))

describe('searching for people', () => {
  it('a person is found by the beginning of their name or by their whole address, in any spelling', async () => {
    await person(app, { name: 'Zoë Quist', email: 'first.zq@example.com' })
    await person(app, { name: 'Another', email: 'zoe.quist@example.com' })
    expect(await find('ZOË q')).toEqual(['Zoë Quist'])
    expect(await find('Zoe.Quist@example.com')).toEqual(['Another'])
    expect(await find('zo')).toEqual(['Zoë Quist'])
    expect(await find('quist')).toEqual([])
  })

  it('a person is found despite invisible characters in their name or in the search', async () => {
    await person(app, { name: 'A\u200bl\u{e0061}\u{1d173}ma\ufe0f' })
    expect(await find('alma')).toHaveLength(1)
    expect(await find('al\u00adm')).toHaveLength(1)
  })

  it('no character that Unicode lists as default-ignorable hides a person', async () => {
    const codes = Array.from({ length: 0x11_0000 }, (_, code) => code)
    const ignorable = codes.filter((code) => /^\p{DI}$/u.test(String.fromCodePoint(code)))
    expect(foldedName(String.fromCodePoint(...ignorable))).toBe('')
    expect(await find('\u00ad')).toEqual([])
  })

  it.each([
    ['Łukasz Żak', 'lukasz zak'],
    ['lucja', 'ŁUCJA'],
    ['Renée', 'RENEE'],
    ['Strauß', 'STRAUSS'],
    ['أحمد', 'احمد'],
  ])('with the name %s is found by %s', async (name, query) => {
    const { id } = await person(app, { name: 'Before' })
    await app.platform.db.updateTable('profiles').set({ name }).where('user_id', '=', id).execute()
    await foldNames(app.platform)
    const ana = await person(app, { name })
    const found = (await operator.call('GET /api/admin/people', { query: { query } })).body.people
    expect(found.map((one) => one.id)).toEqual(expect.arrayContaining([id, ana.id]))
    await ana.call('PATCH /api/user/updateUser', { body: { name: `X${name}` } })
    expect(await find(`x${query}`)).toEqual([`X${name}`])
  })

  it('an administrator sees an address only if they searched for it', async () => {
    const ana = await person(app, { name: 'Anastasia', email: 'ana.secret@example.com' })
    const seen = async (query: string) =>
      (await operator.call('GET /api/admin/people', { query: { query } })).body.people
    expect(await seen('anast')).toMatchObject([{ id: ana.id, email: '' }])
    for (const beginning of ['ana.s', 'ana.secret@example.co']) expect(await seen(beginning)).toEqual([])
    expect(await seen('Ana.Secret@Example.com')).toMatchObject([{ id: ana.id, email: 'ana.secret@example.com' }])
    expect((await funnel(ana)).person.email).toBe('')
  })

  it.each(['%', '_oë', '\\'])('a pattern finds nobody: %s', async (query) => {
    expect(await find(query)).toEqual([])
  })

  it('a search returns at most twenty people', async () => {
    for (let number = 0; number < 21; number++) await person(app, { name: `Crowd ${number}` })
    expect(await find('crowd')).toHaveLength(20)
  })

  it('a search needs some text', async () => {
    expect((await operator.send('GET', '/api/admin/people?query=%20')).status).toBe(400)
    expect((await operator.send('GET', '/api/admin/people')).status).toBe(400)
  })
})

describe('a funnel', () => {
  it('a funnel shows how many remain after each filter, in order, and which one costs most', async () => {
    const at = (north: number) => ({ latitude: 10 + north, longitude: 20 })
    const year = app.clock.now().getUTCFullYear()
    const like = (changes: Partial<ProfileChanges> = {}) => ({
      at: at(0),
      gender: 'man' as const,
      interestedIn: ['woman' as const],
      birthDate: `${year - 30}-01-01`,
      maxDistanceKm: 50 as const,
      ...changes,
    })
    const ana = await person(app, like({ gender: 'woman', interestedIn: ['man'], ageMin: 25, ageMax: 35 }))
    await set(ana, {
      smoking: 'often',
      preferences: JSON.stringify({ diet: { accepts: ['vegan'], dealbreaker: true } }),
    })
    await person(app, like())
    const [blocked, passed] = [await person(app, like()), await person(app, like())]
    await person(app, { ...like(), at: at(3) })
    await person(app, { ...like({ maxDistanceKm: 5 }), at: at(0.2) })
    await person(app, like({ interestedIn: ['man'] }))
    await person(app, { ...like(), birthDate: `${year - 50}-01-01` })
    await person(app, { ...like(), birthDate: `${year - 60}-01-01` })
    await person(app, { ...like(), birthDate: `${year - 70}-01-01` })
    await set(await person(app, like()), { diet: 'everything' })
    const nonsmokers = { smoking: { accepts: ['never'], dealbreaker: true } }
    await set(await person(app, like()), { preferences: JSON.stringify(nonsmokers) })
    await set(await person(app, like()), { paused: true })
    await ana.call('PUT /api/blocks/:userId', { params: { userId: blocked.id } })
    const decision = { actor_id: ana.id, target_id: passed.id, decision: 'pass', decided_at: app.clock.now() }
    await app.platform.db.insertInto('decisions').values(decision).execute()

    const found = await funnel(ana)
    expect(found).toMatchObject({ state: 'visible', everybody: 11, remaining: 1, costliest: 'ages' })
    expect(found.person).toMatchObject({ id: ana.id, name: ana.name })
    expect(found.steps).toEqual([
      { filter: 'distance', remaining: 9, alone: 1 },
      { filter: 'gender', remaining: 8, alone: 1 },
      { filter: 'ages', remaining: 5, alone: 3 },
      { filter: 'own_dealbreakers', remaining: 4, alone: 1 },
      { filter: 'their_dealbreakers', remaining: 3, alone: 1 },
      { filter: 'apart', remaining: 2, alone: 1 },
      { filter: 'decided', remaining: 1, alone: 1 },
    ])
  })

  it('the funnel of someone without a distance limit includes far-away people who have none either', async () => {
    const north = { latitude: 60, longitude: -30 }
    const ana = await person(app, { at: north, maxDistanceKm: null })
    const before = (await left(ana)).distance ?? 0
    await person(app, { at: { latitude: -60, longitude: 150 }, maxDistanceKm: null })
    await person(app, { at: { latitude: -60, longitude: 150 }, maxDistanceKm: 100 })
    expect((await left(ana)).distance).toBe(before + 1)
  })

  it("a funnel says when others can't find the person, and why", async () => {
    const ana = await person(app)
    expect(await funnel(ana)).toMatchObject({ state: 'no_place' })
    await ana.call('PATCH /api/user/updateLocation', { body: { latitude: 1, longitude: 1 } })
    expect(await funnel(ana)).toMatchObject({ state: 'visible' })
    await set(ana, { paused: true })
    expect(await funnel(ana)).toMatchObject({ state: 'paused' })
    await set(ana, { hidden: true })
    expect(await funnel(ana)).toMatchObject({ state: 'hidden' })
  })

  it('the funnel of someone without a place reaches nobody', async () => {
    expect(await funnel(await person(app, { maxDistanceKm: null }))).toMatchObject({
      remaining: 0,
      steps: [{ remaining: 0 }, {}, {}, {}, {}, {}, {}],
    })
  })

  it.each(['6f9619ff-8b86-4d01-b42d-00c04fc964ff', 'nonsense'])(
    'the funnel of an unknown person (%s) is not found',
    async (userId) => {
      expect((await operator.call('GET /api/admin/people/:userId/funnel', { params: { userId } })).status).toBe(404)
    },
  )
})
