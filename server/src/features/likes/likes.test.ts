import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hours, minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { kinds, like, made, pass, received } from '../../test/likes.ts'
import { neighbours } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { endSanction, sanction } from '../sanctions/sanctions.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const { someone, couple } = neighbours(() => app)

describe('a like', () => {
  it('a like reaches its target with the liked item and the comment', async () => {
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

  it("a like is published immediately to the target's devices", async () => {
    const [ana, ben] = await couple()
    const socket = await connect(app, ben)
    await like(ana, ben.id)
    expect(await socket.next('likes_changed')).toEqual({ count: 1 })
  })

  it('an answered like disappears from the count on all devices of the person who answered, in order', async () => {
    const ben = await someone('Ben')
    const likers = await Promise.all(['Ana', 'Cem', 'Dana'].map((name) => someone(name)))
    for (const liker of likers) await like(liker, ben.id)
    const socket = await connect(app, ben)
    await Promise.all(likers.map(({ id }) => pass(ben, id)))
    await socket.next('likes_changed', ({ count }) => count === 0)
    const counts = socket.received('likes_changed').map(({ count }) => count)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    await ben.call('POST /api/decisions/undo', { body: {} })
    await socket.next('likes_changed', ({ count }) => count === 1)
  })

  it("answering a like that isn't on the list doesn't reveal it", async () => {
    const [ana, ben] = await couple()
    await like(ana, ben.id)
    await ana.call('PATCH /api/user/updateUser', { body: { paused: true } })
    const cem = await someone('Cem')
    const socket = await connect(app, ben)
    await pass(ben, ana.id)
    await like(cem, ben.id)
    await socket.next('likes_changed')
    expect(socket.received('likes_changed')).toEqual([{ count: 1 }])
  })

  it('a repeated like stays one like', async () => {
    const [ana, ben] = await couple()
    await Promise.all(Array.from({ length: 8 }, () => like(ana, ben.id)))
    expect((await received(ben)).count).toBe(1)
    expect((await kinds(ben)).filter((kind) => kind === 'like')).toHaveLength(1)
  })

  it.each([
    ['oneself', async (ana: Person) => ana.id, 400],
    ['someone unknown', async () => randomUUID(), 404],
    ['something that is no id', async () => "' or 1=1 --", 404],
    [
      'someone who has blocked',
      async (ana: Person) => {
        const cem = await someone('Cem')
        await cem.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
        return cem.id
      },
      404,
    ],
    [
      'someone one has blocked',
      async (ana: Person) => {
        const cem = await someone('Cem')
        await ana.call('PUT /api/blocks/:userId', { params: { userId: cem.id } })
        return cem.id
      },
      404,
    ],
    [
      'someone hidden',
      async () => {
        const cem = await someone('Cem')
        await app.platform.pool.query('update profiles set hidden = true where user_id = $1', [cem.id])
        return cem.id
      },
      404,
    ],
    ['someone who takes a pause', async () => (await someone('Cem', { paused: true })).id, 409],
    ['someone without a place', async () => (await person(app, { name: 'Cem' })).id, 409],
    ['someone who seeks others', async () => (await someone('Cem', { interestedIn: ['woman'] })).id, 409],
    ['someone too far away', async () => (await someone('Cem', { at: { latitude: 48.2, longitude: 16.37 } })).id, 409],
    ['someone whose ages do not fit', async () => (await someone('Cem', { ageMin: 18, ageMax: 20 })).id, 409],
  ])('a like of %s is refused and changes nothing', async (_target, target, status) => {
    const ana = await someone('Ana', { gender: 'man' })
    const userId = await target(ana)
    const answer = await like(ana, userId)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain('problem+json')
    const { rows } = await app.platform.pool.query('select 1 from decisions where actor_id = $1', [ana.id])
    expect(rows).toEqual([])
  })

  it.each([
    ['whose own profile is paused is refused with that reason', { paused: true }, 'Your profile is paused.'],
    [
      'whose filters differ is refused with that reason',
      { interestedIn: ['woman'] },
      "Your filters and theirs don't match.",
    ],
  ])('a like by someone %s', async (_who, changes, detail) => {
    const [ana, ben] = await couple()
    expect((await ana.send('PATCH', '/api/user/updateUser', changes)).status).toBe(200)
    const answer = await like(ana, ben.id)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', detail } })
    expect((await received(ben)).count).toBe(0)
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
  ])('a decision with %s gets a 400 and changes nothing', async (_what, body) => {
    const [ana, ben] = await couple()
    expect((await ana.send('PUT', `/api/decisions/${ben.id}`, body)).status).toBe(400)
    expect((await received(ben)).count).toBe(0)
  })
})

it('only its writer sees the comment of a held like until it is released', async () => {
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
  it('likes above the daily limit are refused, even concurrent ones, and passing still works', {
    tags: 'race',
  }, async () => {
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

  it('the daily limit resets at midnight where the person is', async () => {
    const ana = await someone('Ana', { at: { latitude: 35.68, longitude: 139.69 } })
    const { today } = (await ana.call('GET /api/deck')).body
    const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' })
    expect(time.format(new Date(today.resetsAt))).toBe('00:00')
    expect(new Date(today.resetsAt).getTime() - app.clock.now().getTime()).toBeLessThanOrEqual(hours(24))
  })
})
