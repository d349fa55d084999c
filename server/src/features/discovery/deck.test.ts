import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { goToNoon, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

let places = 0
const somewhere = () => ({ latitude: 10, longitude: -170 + 4 * places++ })
const deck = async (viewer: Person, limit?: number) =>
  (await viewer.call('GET /api/deck', limit ? { query: { limit } } : {})).body
const ids = async (viewer: Person) => (await deck(viewer)).cards.map(({ id }) => id)
const decide = (viewer: Person, userId: string, decision: 'like' | 'pass') =>
  viewer.call('PUT /api/decisions/:userId', { params: { userId }, body: { decision } })

async function town(count: number) {
  const at = somewhere()
  const viewer = await person(app, { name: 'Ana', at })
  const others: Person[] = []
  for (let n = 0; n < count; n++) others.push(await person(app, { name: `P${n}`, at, gender: 'man' }))
  return { at, viewer, others }
}

describe('decks', () => {
  it('a deck stays the same until its people are decided on', async () => {
    const { viewer, others } = await town(5)
    const before = await ids(viewer)
    expect([...before].sort()).toEqual(others.map(({ id }) => id).sort())
    expect(await ids(viewer)).toEqual(before)
    await decide(viewer, before[0] as string, 'pass')
    expect(await ids(viewer)).toEqual(before.slice(1))
  })

  it('a deck has complete cards with the reasons why they are shown', async () => {
    const at = somewhere()
    const viewer = await person(app, { at, interests: ['cats', 'chess'], intents: ['dating'] })
    await person(app, {
      ...{ name: 'Ben', at, interests: ['chess', 'tea'], intents: ['dating', 'open'], heightCm: 184, smoking: 'never' },
      prompts: [{ prompt: 'proud_of', answer: 'Bread' }],
    })
    const { cards, state, today, undoable } = await deck(viewer)
    expect({ state, undoable }).toEqual({ state: 'ready', undoable: 0 })
    expect(today).toMatchObject({ likes: 0, limit: 100 })
    const [card] = cards
    expect(card).toMatchObject({
      ...{ name: 'Ben', canLike: true, matched: false, myDecision: null, questions: { agreed: 0, asked: 0 } },
      facts: { heightCm: 184, smoking: 'never', children: null },
      prompts: [{ prompt: 'proud_of', answer: 'Bread' }],
    })
    expect(card?.why).toContainEqual({ kind: 'intent', params: { intent: 'dating' } })
    expect(card?.reasons).toHaveLength(card?.why.length ?? 0)
    expect(card?.reasons).toContain('You’re both looking to date')
  })

  it('a shown person is recorded once, with the slot and its propensity', { tags: 'long' }, async () => {
    const { viewer, others } = await town(4)
    await Promise.all(Array.from({ length: 5 }, () => deck(viewer)))
    const { rows } = await app.platform.pool.query(
      'select slot, slot_kind, propensity, model_version, distance_km from impressions where viewer_id = $1 order by slot',
      [viewer.id],
    )
    expect(rows.map(({ slot }) => slot)).toEqual([0, 1, 2, 3])
    for (const { propensity, model_version, distance_km } of rows) {
      expect(distance_km).toBe(2)
      expect(propensity).toBeGreaterThan(0)
      expect(propensity).toBeLessThanOrEqual(1)
      expect(model_version).toBe(0)
    }
    const counted = await app.platform.pool.query('select impressions from standings where user_id = any($1)', [
      others.map(({ id }) => id),
    ])
    expect(counted.rows.map(({ impressions }) => impressions)).toEqual([1, 1, 1, 1])
  })

  it('a person counts as shown once per viewer and day, however often the deck is rebuilt', {
    tags: 'long',
  }, async () => {
    const { viewer, others } = await town(3)
    const shown = async () => {
      const { rows } = await app.platform.pool.query(
        `select impressions, (select count(*)::int from impressions where target_id = user_id) as noted
         from standings where user_id = any($1)`,
        [others.map(({ id }) => id)],
      )
      return rows
    }
    const builtAt = async () =>
      (await app.platform.pool.query('select built_at from decks where user_id = $1', [viewer.id])).rows[0].built_at
    goToNoon(app)
    await deck(viewer)
    const first = await builtAt()
    for (let visit = 0; visit < 5; visit++) {
      app.clock.advance(seconds(11))
      expect(await ids(viewer)).toHaveLength(3)
    }
    expect(await builtAt()).not.toEqual(first)
    expect(await shown()).toEqual(others.map(() => ({ impressions: 1, noted: 1 })))
    app.clock.advance(days(1))
    await deck(viewer)
    expect(await shown()).toEqual(others.map(() => ({ impressions: 2, noted: 2 })))
  })

  it('a deck is rebuilt when filters change, and after half an hour', { tags: 'long' }, async () => {
    const { at, viewer } = await town(2)
    expect(await ids(viewer)).toHaveLength(2)
    const eva = await person(app, { name: 'Eva', at, gender: 'woman' })
    await viewer.call('PATCH /api/user/updateUser', { body: { interestedIn: ['woman'] } })
    expect(await ids(viewer)).toEqual([eva.id])
    const fay = await person(app, { name: 'Fay', at, gender: 'woman' })
    app.clock.advance(minutes(31))
    expect((await ids(viewer)).sort()).toEqual([eva.id, fay.id].sort())
  })

  it('people who no longer fit disappear immediately: blocked, paused, hidden, or with other preferences', async () => {
    const { viewer, others } = await town(5)
    const [blocked, paused, hidden, picky, left] = others as [Person, Person, Person, Person, Person]
    expect(await ids(viewer)).toHaveLength(5)
    await blocked.call('PUT /api/blocks/:userId', { params: { userId: viewer.id } })
    await paused.call('PATCH /api/user/updateUser', { body: { paused: true } })
    await app.platform.pool.query('update profiles set hidden = true where user_id = $1', [hidden.id])
    await picky.call('PATCH /api/user/updateUser', { body: { ageMin: 70, ageMax: 80 } })
    expect(await ids(viewer)).toEqual([left.id])
  })

  it('people who passed the viewer come after the others', { tags: 'long' }, async () => {
    const { viewer, others } = await town(6)
    const [shy] = others as [Person]
    await decide(shy, viewer.id, 'pass')
    expect((await ids(viewer)).at(-1)).toBe(shy.id)
  })

  it('the order of a deck reveals nothing about a hidden presence', { tags: 'long' }, async () => {
    const { viewer, others } = await town(2)
    const [ben, cem] = others as [Person, Person]
    const order = async (daysAway: number) => {
      const away = `update profiles set last_active_at = now() - make_interval(days => $2) where user_id = $1`
      await app.platform.pool.query(away, [ben.id, daysAway])
      await app.platform.pool.query(away, [cem.id, 3])
      await app.platform.pool.query('delete from decks where user_id = $1', [viewer.id])
      return ids(viewer)
    }
    expect(await order(0)).toEqual([ben.id, cem.id])
    expect(await order(30)).toEqual([cem.id, ben.id])
    await ben.call('PATCH /api/privacy', { body: { hidePresence: true } })
    expect(await order(0)).toEqual(await order(30))
  })

  it('an empty deck has a state that explains why', async () => {
    const nowhere = await person(app)
    expect(await deck(nowhere)).toMatchObject({ cards: [], state: 'no_place' })
    const alone = await person(app, { at: somewhere() })
    expect(await deck(alone)).toMatchObject({ cards: [], state: 'nobody_fits' })
    // People whose profile is hidden until a review must not learn of it from the deck.
    await app.platform.pool.query('update accounts set unseen = true where id = $1', [alone.id])
    expect(await deck(alone)).toMatchObject({ cards: [], state: 'nobody_fits' })
    await alone.call('PATCH /api/user/updateUser', { body: { paused: true } })
    expect(await deck(alone)).toMatchObject({ cards: [], state: 'paused' })
    const { viewer, others } = await town(1)
    await decide(viewer, (others[0] as Person).id, 'pass')
    expect(await deck(viewer)).toMatchObject({ cards: [], state: 'seen_all', undoable: 1 })
  })

  it.each(['0', '11', '-1', 'many', '1.5'])('a deck of %s cards gets a 400', async (limit) => {
    const viewer = await person(app)
    expect((await viewer.send('GET', `/api/deck?limit=${limit}`)).status).toBe(400)
  })

  it('a deck needs a token', async () => {
    expect((await caller(app.url).call('GET /api/deck')).status).toBe(401)
  })
})

describe('the pool meter', () => {
  it('the pool meter counts in steps, suggests what would help, and stores nothing', async () => {
    const at = somewhere()
    const viewer = await person(app, { at, ageMin: 30, ageMax: 40, gender: 'woman' })
    for (let n = 0; n < 6; n++) await person(app, { at, birthDate: '1998-03-03' })
    await person(app, { at, birthDate: '1990-03-03', smoking: 'often' })
    const { body } = await viewer.call('POST /api/pool', { body: {} })
    expect(body).toMatchObject({ iSee: 1, seeMe: 5, both: 1 })
    expect(body.wideners).toEqual([{ item: 'ages', adds: 5, changes: { ageMin: 25, ageMax: 45 } }])
    const preferences = { smoking: { accepts: ['never' as const], dealbreaker: true } }
    const tried = await viewer.call('POST /api/pool', { body: { preferences } })
    expect(tried.body.both).toBe(0)
    expect(tried.body.wideners.map(({ item }) => item).sort()).toEqual(['ages', 'smoking'])
    expect((await viewer.call('GET /api/user/myDetails')).body.preferences).toEqual({})
  })

  it('with few people who fit from one side only, the counts reveal no more than for those who can appear', {
    tags: 'long',
  }, async () => {
    const at = somewhere()
    const viewer = await person(app, { at, birthDate: '1960-03-03' })
    const counts = async () => {
      const { body } = await viewer.call('POST /api/pool', { body: { ageMin: 23, ageMax: 99 } })
      return [body.iSee, body.seeMe, body.both]
    }
    const before = await counts()
    // The first person doesn't want to be seen by people of the viewer's age; the viewer isn't looking for people like
    // the second.
    await person(app, { at, ageMin: 20, ageMax: 30 })
    await person(app, { at, birthDate: '2008-01-01' })
    expect(await counts()).toEqual(before)
    for (let n = 0; n < 5; n++) await person(app, { at, ageMin: 20, ageMax: 30 })
    expect(await counts()).toEqual([5, 0, 0])
  })

  it.each([
    ['ages in the wrong order', { ageMin: 40, ageMax: 30 }],
    ['a distance that is no bucket', { maxDistanceKm: 7 }],
    ['an unknown wish', { preferences: { income: { accepts: [], dealbreaker: true } } }],
    ['heights in the wrong order', { preferences: { height: { min: 190, max: 160, dealbreaker: true } } }],
    ['a list', []],
  ])('the pool meter refuses %s', async (_what, body) => {
    const viewer = await person(app)
    expect((await viewer.send('POST', '/api/pool', body)).status).toBe(400)
  })
})
