import { randomUUID } from 'node:crypto'
import type { Problem } from '@duet/contract/errors.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { kinds, later, like, made, pass, received } from '../../test/likes.ts'
import { neighbours } from '../../test/neighbours.ts'
import { caller, type Person } from '../../test/people.ts'
import { matchingConstants } from '../matching/constants.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const { someone, couple } = neighbours(() => app)
const hide = (who: Person) => app.platform.pool.query('update profiles set hidden = true where user_id = $1', [who.id])

describe('decisions', () => {
  it('a decision about a person who has since been hidden can be undone', async () => {
    const [ana, ben] = await couple()
    await like(ana, ben.id)
    await hide(ben)
    const { status, body } = await ana.call('POST /api/decisions/undo')
    expect([status, body.userId, body.card]).toEqual([200, ben.id, null])
  })

  it('decisions can be undone one after the other, latest first, within ten minutes', async () => {
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

  it('a decision can be undone by name only while it is the latest', { tags: 'long' }, async () => {
    const ana = await someone('Ana')
    const [ben, cem] = [await someone('Ben'), await someone('Cem')]
    const undo = (userId: string) => ana.call('POST /api/decisions/undo', { body: { userId } })
    const refusal = async (userId: string) => {
      const { status, body } = await undo(userId)
      return [status, (body as unknown as Problem).code]
    }
    expect(await refusal(ben.id)).toEqual([404, 'not_found'])
    await like(ana, ben.id)
    app.clock.advance(1000)
    expect((await pass(ana, cem.id)).body).toMatchObject({ undoable: 2, undoNext: cem.id })
    for (const id of [ben.id, randomUUID(), 'no-one']) expect(await refusal(id)).toEqual([409, 'conflict'])
    expect((await received(ben)).count).toBe(1)

    const first = await undo(cem.id)
    expect(first.body).toMatchObject({ userId: cem.id, decision: 'pass', undoable: 1, undoNext: ben.id })
    // Repeating the undo, as after a lost answer, doesn't undo the next decision.
    expect(await refusal(cem.id)).toEqual([409, 'conflict'])
    expect(await made(ana, 'like')).toEqual(['Ben'])
    expect((await ana.call('GET /api/deck')).body.undoNext).toBe(ben.id)

    app.clock.advance(minutes(11))
    expect((await ana.call('GET /api/deck')).body).toMatchObject({ undoable: 0, undoNext: null })
    expect(await refusal(ben.id)).toEqual([404, 'not_found'])
  })

  it('concurrent undos by name undo a decision once', {
    tags: ['long', 'race'],
  }, async () => {
    const ana = await someone('Ana')
    const [ben, cem] = [await someone('Ben'), await someone('Cem')]
    await pass(ana, ben.id)
    app.clock.advance(1000)
    await pass(ana, cem.id)
    const undo = () => ana.call('POST /api/decisions/undo', { body: { userId: cem.id } })
    const answers = await Promise.all(Array.from({ length: 6 }, undo))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await made(ana, 'pass')).toEqual(['Ben'])
  })

  it('decisions can be undone without a name, or with an empty body, for older clients', async () => {
    const ana = await someone('Ana')
    const [ben, cem] = [await someone('Ben'), await someone('Cem')]
    await pass(ana, ben.id)
    app.clock.advance(1000)
    await pass(ana, cem.id)
    const one = await ana.call('POST /api/decisions/undo')
    expect([one.status, one.body.userId]).toEqual([200, cem.id])
    const other = await ana.call('POST /api/decisions/undo', { body: {} })
    expect([other.status, other.body.userId]).toEqual([200, ben.id])
    expect((await ana.send('POST', '/api/decisions/undo', { user: ben.id })).status).toBe(400)
  })

  it('a pass can become a like, and a like can be retracted', async () => {
    const [ana, ben] = await couple()
    await pass(ana, ben.id)
    await like(ana, ben.id)
    expect(await made(ana, 'pass')).toEqual([])
    expect((await ana.call('DELETE /api/decisions/:userId', { params: { userId: ben.id } })).status).toBe(200)
    expect(await made(ana, 'like')).toEqual([])
    expect((await received(ben)).count).toBe(0)
    expect((await ana.call('DELETE /api/decisions/:userId', { params: { userId: ben.id } })).status).toBe(404)
  })

  it('decisions are listed page by page without gaps or repeats', { tags: 'long' }, async () => {
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

  it("another person's cursor is refused", { tags: 'long' }, async () => {
    const [ana, ben] = await couple()
    for (let n = 0; n < 2; n++) await pass(ana, (await someone()).id)
    const { body } = await ana.call('GET /api/decisions', { query: { decision: 'pass', limit: 1 } })
    const query = { decision: 'pass' as const, cursor: body.nextCursor as string }
    expect((await ben.call('GET /api/decisions', { query })).status).toBe(400)
  })
})

it('someone who opts out of learning is forgotten immediately, and can start again', async () => {
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

it('everyone can read how matching works, with the numbers of the code', async () => {
  const { status, body } = await caller(app.url).call('GET /api/matching')
  expect(status).toBe(200)
  expect(body.constants).toEqual(matchingConstants)
  expect(body.features.length).toBeGreaterThan(5)
  expect(body).toMatchObject({ modelVersion: 0, trainedAt: null, dailyLikes: 100 })
})
