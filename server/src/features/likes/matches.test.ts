import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { kinds, like, matchesAlone, pass, received } from '../../test/likes.ts'
import { neighbours } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const { here, couple } = neighbours(() => app)
const matches = async (viewer: Person) => (await viewer.call('GET /api/matches')).body.matches
const hide = (who: Person) => app.platform.pool.query('update profiles set hidden = true where user_id = $1', [who.id])

describe('two likes', () => {
  it('two likes make one match and one conversation, and notify both people once', async () => {
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

  it('two simultaneous likes make one match, ten times in a row', { tags: ['long', 'race'] }, async () => {
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

  it("a like can't be passed, retracted or undone while it is a match", async () => {
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
  it('ending a match ends the conversation for both and keeps the two apart', async () => {
    const [ana, ben] = await couple()
    await like(ana, ben.id)
    await like(ben, ana.id)
    const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
    expect((await ana.call('DELETE /api/matches/:userId', { params: { userId: ben.id } })).status).toBe(200)
    expect(await anaSocket.next('match_ended')).toEqual({ userId: ben.id })
    expect(benSocket.received('match_ended')).toEqual([])
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

  for (const { tags, cases } of firstQuick(1, ['hidden', 'blocked by them']))
    it.each(cases)(
      'ending a match with someone %s changes nothing and answers as for anyone who is gone',
      { tags },
      async (how) => {
        const [ana, ben] = await couple()
        await like(ana, ben.id)
        await like(ben, ana.id)
        const benSocket = await connect(app, ben)
        if (how === 'hidden') await hide(ben)
        else await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
        expect((await ana.call('DELETE /api/matches/:userId', { params: { userId: ben.id } })).status).toBe(404)
        for (const userId of [ben.id, randomUUID()])
          expect((await ana.call('DELETE /api/decisions/:userId', { params: { userId } })).body).toEqual({ ok: true })
        const { rows } = await app.platform.pool.query(
          'select ended_at from matches where id = conversation_id($1, $2)',
          [ana.id, ben.id],
        )
        expect(rows).toEqual([{ ended_at: null }])
        expect(benSocket.received('match_ended')).toEqual([])
      },
    )

  it('ending a match with someone unmatched is a 404', async () => {
    const [ana, ben] = await couple()
    for (const userId of [ben.id, ana.id, randomUUID(), 'no-one'])
      expect((await ana.call('DELETE /api/matches/:userId', { params: { userId } })).status).toBe(404)
  })
})

it('every match, even an ended one, has a conversation with a row for each person', async () => {
  expect(await matchesAlone(app)).toEqual([])
})

it('only matches may write to each other with CHAT_POLICY=matches', { tags: 'long' }, async () => {
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
