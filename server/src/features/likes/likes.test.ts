import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hours, minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { matchingConstants } from '../matching/matching.ts'
import { endSanction, sanction } from '../moderation/moderation.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

// Each test has a place of its own, too far from the others for its people to be news there.
const here = { latitude: 52.52, longitude: 13.405 }
beforeEach(() => {
  here.longitude += 2
})

const someone = (name = 'Jun', wanted: Parameters<typeof person>[1] = {}) => person(app, { name, at: here, ...wanted })
const couple = async (): Promise<[Person, Person]> => [await someone('Ana'), await someone('Ben')]

const decide = (viewer: Person, userId: string, body: object) =>
  viewer.call('PUT /api/decisions/:userId', { params: { userId }, body: body as never })
const like = (viewer: Person, userId: string, more: object = {}) =>
  decide(viewer, userId, { decision: 'like', ...more })
const pass = (viewer: Person, userId: string) => decide(viewer, userId, { decision: 'pass' })
const later = (viewer: Person, userId: string) => decide(viewer, userId, { decision: 'later' })
const received = async (viewer: Person) => (await viewer.call('GET /api/likes')).body
const made = async (viewer: Person, decision: 'like' | 'pass' | 'later') =>
  (await viewer.call('GET /api/decisions', { query: { decision } })).body.decisions.map(({ user }) => user.name)
const matches = async (viewer: Person) => (await viewer.call('GET /api/matches')).body.matches
// But for news of newcomers: everybody in a test lives in one place.
const kinds = async (viewer: Person) =>
  (await viewer.call('GET /api/notifications')).body.notifications
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'nearby')

const hide = (who: Person) => app.platform.pool.query('update profiles set hidden = true where user_id = $1', [who.id])

describe('a like', () => {
  it('reaches the one who is liked, with the thing that was liked and the comment', async () => {
    const [ana, ben] = await couple()
    await ben.call('PATCH /api/user/updateUser', { body: { prompts: [{ prompt: 'proud_of', answer: 'My bread' }] } })
    const answer = await like(ana, ben.id, { item: { kind: 'prompt', prompt: 'proud_of' }, comment: ' Sourdough? ' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ decision: 'like', match: null, undoable: 1, today: { likes: 1, limit: 100 } })
    const { likes, count } = await received(ben)
    expect(count).toBe(1)
    expect(likes).toMatchObject([
      {
        user: { id: ana.id, name: 'Ana' },
        item: { kind: 'prompt', prompt: 'proud_of', answer: 'My bread' },
        comment: 'Sourdough?',
      },
    ])
    expect(await made(ana, 'like')).toEqual(['Ben'])
    expect(await kinds(ben)).toEqual(['like', 'welcome'])
  })

  it('is heard at once on the devices of the one who is liked', async () => {
    const [ana, ben] = await couple()
    const socket = await connect(app, ben)
    await like(ana, ben.id)
    expect(await socket.next('likes_changed')).toEqual({ count: 1 })
  })

  it('can be repeated and stays one', async () => {
    const [ana, ben] = await couple()
    await Promise.all(Array.from({ length: 8 }, () => like(ana, ben.id)))
    expect((await received(ben)).count).toBe(1)
    expect((await kinds(ben)).filter((kind) => kind === 'like')).toHaveLength(1)
  })

  it.each([
    ['oneself', async (ana: Person) => ana.id, 400],
    ['somebody unknown', async () => randomUUID(), 404],
    ['something that is no id', async () => "' or 1=1 --", 404],
    [
      'somebody who has blocked',
      async (ana: Person) => {
        const cem = await someone('Cem')
        await cem.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
        return cem.id
      },
      404,
    ],
    [
      'somebody one has blocked',
      async (ana: Person) => {
        const cem = await someone('Cem')
        await ana.call('PUT /api/blocks/:userId', { params: { userId: cem.id } })
        return cem.id
      },
      404,
    ],
    [
      'somebody hidden',
      async () => {
        const cem = await someone('Cem')
        await app.platform.pool.query('update profiles set hidden = true where user_id = $1', [cem.id])
        return cem.id
      },
      404,
    ],
    ['somebody who takes a pause', async () => (await someone('Cem', { paused: true })).id, 409],
    ['somebody without a place', async () => (await person(app, { name: 'Cem' })).id, 409],
    ['somebody who seeks others', async () => (await someone('Cem', { interestedIn: ['woman'] })).id, 409],
    ['somebody too far away', async () => (await someone('Cem', { at: { latitude: 48.2, longitude: 16.37 } })).id, 409],
    ['somebody whose ages do not fit', async () => (await someone('Cem', { ageMin: 18, ageMax: 20 })).id, 409],
  ])('of %s is refused and changes nothing', async (_whom, target, status) => {
    const ana = await someone('Ana', { gender: 'man' })
    const userId = await target(ana)
    const answer = await like(ana, userId)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain('problem+json')
    const { rows } = await app.platform.pool.query('select 1 from decisions where actor_id = $1', [ana.id])
    expect(rows).toEqual([])
  })

  it.each([
    ['an unknown decision', { decision: 'maybe' }],
    ['none', {}],
    ['a comment on a pass', { decision: 'pass', comment: 'No' }],
    ['a comment that is too long', { decision: 'like', comment: 'x'.repeat(301) }],
    ['an empty comment', { decision: 'like', comment: ' ' }],
    ['an unknown field', { decision: 'like', superlike: true }],
    [
      'a photo that is not theirs',
      { decision: 'like', item: { kind: 'photo', fileName: 'AAAAAAAAAAAAAAAAAAAAAA.webp' } },
    ],
    ['a prompt they did not answer', { decision: 'like', item: { kind: 'prompt', prompt: 'proud_of' } }],
    ['a number', 7],
  ])('with %s is a 400 and changes nothing', async (_what, body) => {
    const [ana, ben] = await couple()
    expect((await ana.send('PUT', `/api/decisions/${ben.id}`, body)).status).toBe(400)
    expect((await received(ben)).count).toBe(0)
  })
})

it('what somebody writes with a like who is held back as a spammer is read by themselves alone, until it is released', async () => {
  const [eve, ben] = await couple()
  const given = {
    userId: eve.id,
    kind: 'shadow',
    ground: 'spam',
    decidedBy: null,
    days: 7,
    statement: 'It was spam.',
  } as const
  await transaction(app.platform, (tx) => sanction(tx, given))
  expect((await like(eve, ben.id, { comment: 'Invest with me' })).status).toBe(200)
  const sent = (await eve.call('GET /api/decisions', { query: { decision: 'like' } })).body.decisions
  expect(sent.map(({ comment }) => comment)).toEqual(['Invest with me'])
  const comments = async () => (await received(ben)).likes.map(({ comment }) => comment)
  expect(await comments()).toEqual([null])
  const { rows } = await app.platform.pool.query(`select id from sanctions where user_id = $1 and kind = 'shadow'`, [
    eve.id,
  ])
  await transaction(app.platform, (tx) =>
    endSanction(tx, { id: rows[0].id, user_id: eve.id, kind: 'shadow' }, { as: 'lifted', by: null }),
  )
  expect(await comments()).toEqual(['Invest with me'])
})

describe('the daily limit', () => {
  it('refuses likes above it, also many at once, and passes go on', async () => {
    await app.platform.pool.query(`insert into settings values ('dailyLikes', '3', now())
      on conflict (key) do update set value = '3'`)
    app.clock.advance(minutes(1))
    const ana = await someone('Ana')
    const others = await Promise.all(Array.from({ length: 6 }, () => someone()))
    const answers = await Promise.all(others.map(({ id }) => like(ana, id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({
      status: 409,
      code: 'daily_limit_reached',
    })
    const refused = others[answers.findIndex(({ status }) => status !== 200)] as Person
    expect((await pass(ana, refused.id)).status).toBe(200)
    const { body } = await ana.call('GET /api/deck')
    expect(body.today).toMatchObject({ likes: 3, limit: 3 })
    await app.platform.pool.query(`delete from settings`)
    app.clock.advance(minutes(1))
  })

  it('ends at midnight where the person is', async () => {
    const ana = await someone('Ana', { at: { latitude: 35.68, longitude: 139.69 } })
    const { today } = (await ana.call('GET /api/deck')).body
    const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' })
    expect(time.format(new Date(today.resetsAt))).toBe('00:00')
    expect(new Date(today.resetsAt).getTime() - app.clock.now().getTime()).toBeLessThanOrEqual(hours(24))
  })
})

describe('two likes', () => {
  it('make one match, one conversation that both see, and tell both once', async () => {
    const [ana, ben] = await couple()
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    await like(ana, ben.id, { comment: 'Your dog?' })
    const answer = await like(ben, ana.id, { comment: 'Mine indeed.' })
    expect(answer.body.match).toMatchObject({ user: { id: ana.id, name: 'Ana' }, hasMessages: true })
    expect((await anaSocket.next('match')).user.id).toBe(ben.id)
    expect((await benSocket.next('match')).user.id).toBe(ana.id)
    for (const [me, other] of [
      [ana, ben],
      [ben, ana],
    ] as const) {
      expect((await matches(me)).map(({ user }) => user.id)).toEqual([other.id])
      expect(await kinds(me)).toEqual(['match', 'welcome'])
      const { body: history } = await me.call('GET /api/messages/history')
      expect(history).toMatchObject([{ id: other.id, unreadCount: 1 }])
      expect(history[0]?.messages?.map(({ message }) => message)).toEqual(['Your dog?', 'Mine indeed.'])
    }
    expect((await received(ana)).count + (await received(ben)).count).toBe(0)
  })

  it('at the same moment make one match, ten times', async () => {
    for (let round = 0; round < 10; round++) {
      const [ana, ben] = await couple()
      const answers = await Promise.all([like(ana, ben.id), like(ben, ana.id)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers.filter(({ body }) => body.match !== null).length).toBeGreaterThanOrEqual(1)
      const { rows } = await app.platform.pool.query(
        `select (select count(*)::int from matches where id = conversation_id($1, $2)) as matches,
          (select count(*)::int from conversations where id = conversation_id($1, $2)) as conversations,
          (select count(*)::int from conversation_members where listed and conversation_id = conversation_id($1, $2)) as listed,
          (select count(*)::int from notifications where user_id in ($1, $2) and kind in ('like', 'match')) as told`,
        [ana.id, ben.id],
      )
      expect(rows[0]).toEqual({ matches: 1, conversations: 1, listed: 2, told: 2 })
    }
  })

  it('cannot be passed, taken back or undone while they are a match', async () => {
    const [ana, ben] = await couple()
    await like(ana, ben.id)
    await like(ben, ana.id)
    expect((await pass(ana, ben.id)).status).toBe(409)
    expect((await ana.call('DELETE /api/decisions/:userId', { params: { userId: ben.id } })).status).toBe(409)
    expect((await ana.call('POST /api/decisions/undo')).status).toBe(404)
    expect(await matches(ana)).toHaveLength(1)
  })
})

describe('unmatching', () => {
  it('ends the conversation for both and keeps the two apart', async () => {
    const [ana, ben] = await couple()
    await like(ana, ben.id)
    await like(ben, ana.id)
    const benSocket = await connect(app, ben)
    expect((await ana.call('DELETE /api/matches/:userId', { params: { userId: ben.id } })).status).toBe(200)
    expect(await benSocket.next('match_ended')).toEqual({ userId: ana.id })
    for (const [me, other] of [
      [ana, ben],
      [ben, ana],
    ] as const) {
      expect(await matches(me)).toEqual([])
      expect((await me.call('GET /api/messages/history')).body).toEqual([])
      expect((await me.call('GET /api/user/:id', { params: { id: other.id } })).status).toBe(404)
      expect((await like(me, other.id)).status).toBe(404)
      expect(
        (await me.call('GET /api/user/nearBy', { query: { limit: 50 } })).body.users.map(({ id }) => id),
      ).not.toContain(other.id)
    }
    const message = { id: randomUUID(), message: 'Why?', senderId: ben.id, receiverId: ana.id }
    expect(await benSocket.ask('send_message', message)).toEqual({ ok: false, code: 'not_found' })
  })

  it.each(['blocked by them', 'hidden'])(
    'of somebody who is not there, %s, is a 404 and changes nothing',
    async (how) => {
      const [ana, ben] = await couple()
      await like(ana, ben.id)
      await like(ben, ana.id)
      const benSocket = await connect(app, ben)
      if (how === 'hidden') await hide(ben)
      else await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
      expect((await ana.call('DELETE /api/matches/:userId', { params: { userId: ben.id } })).status).toBe(404)
      expect((await ana.call('DELETE /api/decisions/:userId', { params: { userId: ben.id } })).status).toBe(404)
      const { rows } = await app.platform.pool.query(
        'select ended_at from matches where id = conversation_id($1, $2)',
        [ana.id, ben.id],
      )
      expect(rows).toEqual([{ ended_at: null }])
      expect(benSocket.received('match_ended')).toEqual([])
    },
  )

  it('of people who are no match is a 404', async () => {
    const [ana, ben] = await couple()
    for (const userId of [ben.id, ana.id, randomUUID(), 'nobody'])
      expect((await ana.call('DELETE /api/matches/:userId', { params: { userId } })).status).toBe(404)
  })
})

describe('decisions', () => {
  it('about somebody who hides since can be undone', async () => {
    const [ana, ben] = await couple()
    await like(ana, ben.id)
    await hide(ben)
    const { status, body } = await ana.call('POST /api/decisions/undo')
    expect([status, body.userId, body.card]).toEqual([200, ben.id, null])
  })

  it('can be taken back one after the other, the latest first, within ten minutes', async () => {
    const ana = await someone('Ana')
    const [ben, cem, dan] = [await someone('Ben'), await someone('Cem'), await someone('Dan')]
    await pass(ana, ben.id)
    app.clock.advance(minutes(6))
    await like(ana, cem.id)
    app.clock.advance(1000)
    await later(ana, dan.id)
    const first = await ana.call('POST /api/decisions/undo')
    expect(first.body).toMatchObject({
      userId: dan.id,
      decision: 'later',
      undoable: 2,
      card: { id: dan.id, canLike: true },
    })
    expect((await ana.call('POST /api/decisions/undo')).body).toMatchObject({
      userId: cem.id,
      decision: 'like',
      undoable: 1,
    })
    expect((await received(cem)).count).toBe(0)
    expect(await kinds(cem)).toEqual(['welcome'])
    app.clock.advance(minutes(6))
    expect((await ana.call('POST /api/decisions/undo')).status).toBe(404)
    expect(await made(ana, 'pass')).toEqual(['Ben'])
  })

  it('can change: a pass becomes a like, a like is taken back', async () => {
    const [ana, ben] = await couple()
    await pass(ana, ben.id)
    await like(ana, ben.id)
    expect(await made(ana, 'pass')).toEqual([])
    expect((await ana.call('DELETE /api/decisions/:userId', { params: { userId: ben.id } })).status).toBe(200)
    expect(await made(ana, 'like')).toEqual([])
    expect((await received(ben)).count).toBe(0)
    expect((await ana.call('DELETE /api/decisions/:userId', { params: { userId: ben.id } })).status).toBe(404)
  })

  it('are listed page by page without a gap or a repeat', async () => {
    const ana = await someone('Ana')
    for (let n = 0; n < 7; n++) {
      const other = await someone(`P${n}`)
      await pass(ana, other.id)
      await like(other, ana.id)
      app.clock.advance(1000)
    }
    const walk = async (page: (cursor?: string) => Promise<{ names: string[]; next: string | null }>) => {
      const names: string[] = []
      let cursor: string | undefined
      do {
        const { names: some, next } = await page(cursor)
        names.push(...some)
        cursor = next ?? undefined
      } while (cursor)
      return names
    }
    const expected = ['P6', 'P5', 'P4', 'P3', 'P2', 'P1', 'P0']
    const passes = await walk(async (cursor) => {
      const query = { decision: 'pass' as const, limit: 3, ...(cursor && { cursor }) }
      const { body } = await ana.call('GET /api/decisions', { query })
      return { names: body.decisions.map(({ user }) => user.name), next: body.nextCursor }
    })
    expect(passes).toEqual(expected)
    const bea = await someone('Bea')
    for (let n = 0; n < 7; n++) {
      await like(await someone(`P${n}`), bea.id)
      app.clock.advance(1000)
    }
    const likes = await walk(async (cursor) => {
      const { body } = await bea.call('GET /api/likes', { query: { limit: 3, ...(cursor && { cursor }) } })
      expect(body.count).toBe(7)
      return { names: body.likes.map(({ user }) => user.name), next: body.nextCursor }
    })
    expect(likes).toEqual(expected)
  })

  it('of somebody else cannot be read with their cursor', async () => {
    const [ana, ben] = await couple()
    for (let n = 0; n < 2; n++) await pass(ana, (await someone()).id)
    const { body } = await ana.call('GET /api/decisions', { query: { decision: 'pass', limit: 1 } })
    const query = { decision: 'pass' as const, cursor: body.nextCursor as string }
    expect((await ben.call('GET /api/decisions', { query })).status).toBe(400)
  })
})

it('who does not want to be learned from is forgotten at once, and may start anew', async () => {
  const [ana, ben] = await couple()
  await like(ana, ben.id)
  const numbers = `select says_yes, made from standings where user_id = $1`
  await app.platform.pool.query(
    `insert into standings (user_id, says_yes, made) values ($1, 1, 3)
    on conflict (user_id) do update set says_yes = 1, made = 3`,
    [ana.id],
  )
  await ana.call('PATCH /api/user/updateUser', { body: { learnFromMe: false } })
  expect((await app.platform.pool.query(numbers, [ana.id])).rows).toEqual([{ says_yes: 0, made: 0 }])
  expect((await ana.call('DELETE /api/matching/learning')).status).toBe(200)
  expect(await made(ana, 'like')).toEqual(['Ben'])
})

it('how matching works is told to everybody, from the numbers of the code', async () => {
  const { status, body } = await caller(app.url).call('GET /api/matching')
  expect(status).toBe(200)
  expect(body.constants).toEqual(matchingConstants)
  expect(body.features.length).toBeGreaterThan(5)
  expect(body).toMatchObject({ modelVersion: 0, trainedAt: null, dailyLikes: 100 })
})

it('with CHAT_POLICY=matches only matches may write to each other', async () => {
  const strict = await startTestApp({ CHAT_POLICY: 'matches' })
  try {
    const [ana, ben] = [await person(strict, { at: here }), await person(strict, { at: here })]
    const socket = await connect(strict, ana)
    const message = { id: randomUUID(), message: 'Hello', senderId: ana.id, receiverId: ben.id }
    expect(await socket.ask('send_message', message)).toEqual({ ok: false, code: 'forbidden' })
    await like(ana, ben.id)
    await like(ben, ana.id)
    expect(await socket.ask('send_message', message)).toMatchObject({ ok: true })
  } finally {
    await strict.close()
  }
})
