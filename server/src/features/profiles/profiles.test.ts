import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('my details', () => {
  it('my details include everything in a new profile', async () => {
    const { call, id, email } = await person(app, { name: 'Noor' })
    const { status, body } = await call('GET /api/user/myDetails')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      email,
      name: 'Noor',
      birthDate: '1994-05-17',
      gender: null,
      bio: '',
      images: [],
      photos: [],
      area: null,
      ageMin: 18,
      ageMax: 99,
      maxDistanceKm: 100,
      interestedIn: [],
      isSuperAdmin: false,
      onboardingComplete: false,
      completeness: { percent: 0 },
    })
    expect(body.completeness.items.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
  })

  it('my details need a token', async () => {
    expect((await caller(app.url).call('GET /api/user/myDetails')).status).toBe(401)
  })
})

describe('changing a profile', () => {
  it('an update can change any part, and returns the whole profile', async () => {
    const { call } = await person(app)
    const changes = {
      name: 'Inés  de la   Cruz',
      gender: 'woman',
      genderText: 'femme',
      pronouns: 'she/her',
      bio: 'Line one\nline two',
      intents: ['relationship', 'friendship'],
      interests: ['cats', 'night_trains'],
      prompts: [{ prompt: 'proud_of', answer: 'Bread' }],
      interestedIn: ['man', 'nonbinary'],
      ageMin: 27,
      ageMax: 38,
      maxDistanceKm: 25,
    } as const
    const { status, body } = await call('PATCH /api/user/updateUser', { body: structuredClone(changes) as never })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...changes, name: 'Inés de la Cruz' })
    expect((await call('GET /api/user/myDetails')).body).toEqual(body)
  })

  it('completeness says how many more of each item are missing', async () => {
    const mina = await person(app)
    const missing = async () => {
      const { items } = (await mina.call('GET /api/user/myDetails')).body.completeness
      return Object.fromEntries(items.map(({ item, missing }) => [item, missing]))
    }
    const before = { photo: undefined, more_photos: 2, bio: 40, prompts: 2, interests: 3, facts: 3, questions: 10 }
    expect(await missing()).toMatchObject(before)
    const prompts = [{ prompt: 'proud_of' as const, answer: 'Bread.' }]
    const body = {
      prompts,
      bio: 'x'.repeat(30),
      interests: ['cats', 'dogs', 'chess', 'tea'] as never,
      smoking: 'never' as const,
    }
    await mina.call('PATCH /api/user/updateUser', { body })
    expect(await missing()).toMatchObject({ prompts: 1, bio: 10, interests: 0, facts: 2 })
  })

  it('each item raises completeness by its weight', async () => {
    const { call } = await person(app)
    const { body: before } = await call('GET /api/user/myDetails')
    const { body: after } = await call('PATCH /api/user/updateUser', { body: { gender: 'man' } })
    const weight = before.completeness.items.find(({ item }) => item === 'gender')?.weight
    expect(after.completeness.percent - before.completeness.percent).toBe(weight)
  })

  it.each([
    ['nothing at all but a list', []],
    ['an unknown field', { nickname: 'x' }],
    ['the birth date', { birthDate: '1990-01-01' }],
    ['the id', { id: randomUUID() }],
    ['the e-mail address', { email: 'eve@example.com' }],
    ['administrator rights', { isSuperAdmin: true }],
    ['verification', { verified: true }],
    ['an empty name', { name: '' }],
    ['a name of control characters', { name: '\u0000\u202e' }],
    ['a name that is too long', { name: 'x'.repeat(41) }],
    ['a bio that is too long', { bio: 'x'.repeat(501) }],
    ['a bio that is a number', { bio: 5 }],
    ['an unknown gender', { gender: 'robot' }],
    ['an unknown interest', { interests: ['crime'] }],
    ['eleven interests', { interests: Array(11).fill('cats') }],
    [
      'a prompt twice',
      {
        prompts: [
          { prompt: 'proud_of', answer: 'a' },
          { prompt: 'proud_of', answer: 'b' },
        ],
      },
    ],
    ['a distance that is no bucket', { maxDistanceKm: 7 }],
    ['an age below 18', { ageMin: 17 }],
    ['ages in the wrong order', { ageMin: 40, ageMax: 30 }],
    ['a lowest age above the highest that is kept', { ageMin: 99, ageMax: 98 }],
    ['photos that are not there', { images: ['AAAAAAAAAAAAAAAAAAAAAA.webp'] }],
    ['a prototype', JSON.parse('{"__proto__":{"polluted":true}}')],
  ])('an update with %s is refused and changes nothing', async (_what, changes) => {
    const { call, send } = await person(app, { bio: 'before' })
    const { body: before } = await call('GET /api/user/myDetails')
    const answer = await send('PATCH', '/api/user/updateUser', changes)
    expect(answer.status).toBe(400)
    expect(['validation_failed', 'malformed']).toContain(answer.body.code)
    expect((await call('GET /api/user/myDetails')).body).toEqual(before)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('an error names the invalid field', async () => {
    const { send } = await person(app)
    const { body } = await send('PATCH', '/api/user/updateUser', { prompts: [{ prompt: 'proud_of', answer: 7 }] })
    expect(body.errors?.[0]?.path).toBe('prompts.0.answer')
  })

  it('simultaneous updates end with one of them, complete', { tags: ['long', 'race'] }, async () => {
    const { call } = await person(app)
    const wishes = Array.from({ length: 10 }, (_, n) => ({ ageMin: 20 + n, ageMax: 40 + n, bio: `wish ${n}` }))
    const answers = await Promise.all(wishes.map((body) => call('PATCH /api/user/updateUser', { body })))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { body } = await call('GET /api/user/myDetails')
    expect(wishes).toContainEqual({ ageMin: body.ageMin, ageMax: body.ageMax, bio: body.bio })
  })
})

describe("someone's profile", () => {
  it('a profile shows others what is meant for them, and nothing else', async () => {
    const [ana] = (await people(app, 1)) as [Person]
    const ben = await person(app, {
      name: 'Ben',
      bio: 'Hello',
      gender: 'man',
      prompts: [{ prompt: 'proud_of', answer: 'Bread' }],
    })
    const { status, body } = await ana.call('GET /api/user/:id', { params: { id: ben.id } })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      'active',
      'age',
      'area',
      'bio',
      'canLike',
      'distanceKm',
      'facts',
      'gender',
      'genderText',
      'id',
      'images',
      'intents',
      'interests',
      'matched',
      'mayMessage',
      'myDecision',
      'name',
      'photos',
      'prompts',
      'pronouns',
      'questions',
      'reasons',
      'verified',
      'why',
    ])
    expect(JSON.stringify(body)).not.toContain(ben.email)
    expect(JSON.stringify(body)).not.toContain('1994-05-17')
  })

  it('people can open their own profile as others see it', async () => {
    const [ana] = (await people(app, 1)) as [Person]
    expect((await ana.call('GET /api/user/:id', { params: { id: ana.id } })).body).toMatchObject({
      id: ana.id,
      name: 'Jun',
    })
  })

  it('missing, malformed, blocked and blocking people give the same 404', async () => {
    const [ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    await cem.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    const answers = await Promise.all(
      [randomUUID(), 'no-one', "' or 1=1 --", ben.id, cem.id].map((id) =>
        ana.call('GET /api/user/:id', { params: { id } }),
      ),
    )
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect({ ...body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' })
    }
  })

  it('a profile shows in steps when someone was last active', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const active = async () =>
      (await (await person(app)).call('GET /api/user/:id', { params: { id: ben.id } })).body.active
    const socket = await connect(app, ben)
    expect((await ana.call('GET /api/user/:id', { params: { id: ben.id } })).body.active).toBe('online')
    socket.socket.disconnect()
    await expect.poll(active).toBe('today')
    app.clock.advance(days(2))
    expect(await active()).toBe('week')
    app.clock.advance(days(6))
    expect(await active()).toBe('earlier')
  })

  it('a hidden presence leaves no gap among the reasons', { tags: 'long' }, async () => {
    const wants = { intents: ['dating' as const], children: 'want' as const }
    const [ana, ben] = [
      await person(app, { at: { latitude: 5, longitude: 5 }, ...wants }),
      await person(app, { at: { latitude: 5.3, longitude: 5 }, ...wants }),
    ]
    const why = async () =>
      (await ana.call('GET /api/user/:id', { params: { id: ben.id } })).body.why.map(({ kind }) => kind)
    expect(await why()).toEqual(['intent', 'children', 'active_today'])
    await ben.call('PATCH /api/privacy', { body: { hidePresence: true } })
    const today = await why()
    await app.platform.pool.query(`update profiles set last_active_at = now() - interval '3 days' where user_id = $1`, [
      ben.id,
    ])
    expect(await why()).toEqual(today)
  })

  it('a profile shows how far two people agree, but a changed answer reveals no single one of theirs', async () => {
    const [ana, ben] = [
      await person(app, { at: { latitude: 8, longitude: 8 } }),
      await person(app, { at: { latitude: 8, longitude: 8 } }),
    ]
    const { questions } = (await ana.call('GET /api/questions')).body
    const answer = (who: Person, id: string, choice: string, accepts: string[]) =>
      who.call('PUT /api/questions/:id/answer', {
        params: { id },
        body: { choice, accepts, importance: 'very' },
      })
    const told = async () => {
      const { body } = await ana.call('GET /api/user/:id', { params: { id: ben.id } })
      return { ...body.questions, why: body.why }
    }
    for (const { id, choices } of questions.slice(0, 10)) await answer(ben, id, choices[1] as string, choices)
    for (const { id, choices } of questions.slice(0, 5)) await answer(ana, id, choices[0] as string, choices)
    const before = await told()
    expect(before).toMatchObject({ agreed: 5, asked: 5 })
    for (const { id, choices } of questions.slice(0, 2))
      for (const choice of choices) {
        await answer(ana, id, choice, [choice])
        expect(await told()).toEqual(before)
      }
    await ana.call('DELETE /api/questions/:id/answer', { params: { id: questions[4]?.id ?? '' } })
    expect(await told()).toEqual(before)
    for (const { id, choices } of questions.slice(2, 10)) await answer(ana, id, choices[0] as string, choices)
    expect(await told()).toMatchObject({ asked: 10 })
  })
})
