import { randomUUID } from 'node:crypto'
import type { Message } from '@duet/contract/conversations.ts'
import { cutText } from '@duet/contract/cut-text.ts'
import { limits } from '@duet/contract/limits.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing, pair } from '../../test/talk.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const at = (peer: { id: string }, seq: number) => ({ userId: peer.id, seq: String(seq) as unknown as number })
const edit = (me: Person, peer: { id: string }, seq: number, message: string) =>
  me.call('PATCH /api/conversations/:userId/messages/:seq', { params: at(peer, seq), body: { message } })
const takeBack = (me: Person, peer: { id: string }, seq: number) =>
  me.call('DELETE /api/conversations/:userId/messages/:seq', { params: at(peer, seq) })
const react = (me: Person, peer: { id: string }, seq: number, emoji: string | null) =>
  me.call('PUT /api/conversations/:userId/messages/:seq/reaction', { params: at(peer, seq), body: { emoji } })
const all = async (me: Person, peer: { id: string }) =>
  (await me.call('GET /api/conversations/:userId/messages', { params: { userId: peer.id }, query: { limit: 100 } }))
    .body.messages

describe('editing messages', () => {
  it('an edit changes the text for both people with a time and a higher revision, on all devices', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const other = await connect(app, ana)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'Helo'))
    const { status, body } = await edit(ana, ben, 1, 'Hello')
    expect(status).toBe(200)
    expect(body).toMatchObject({ seq: 1, revision: 2, message: 'Hello', editedAt: expect.any(String) })
    for (const socket of [anaSocket, other]) expect(await socket.next('message_changed')).toEqual(body)
    expect(await benSocket.next('message_changed')).toEqual({ ...body, conversationId: ana.id })
    expect(await all(ben, ana)).toEqual([{ ...body, conversationId: ana.id }])
  })

  it('an edit to the same text changes nothing', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'Hello'))
    expect((await edit(ana, ben, 1, 'Hello')).body).toMatchObject({ revision: 1 })
  })

  it('a message can be edited 30 times, so that every version stays available to reports', {
    tags: 'long',
  }, async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'Hello'))
    for (let count = 1; count <= limits.messageEdits; count++)
      expect((await edit(ana, ben, 1, `Hello ${count}`)).status).toBe(200)
    const once = await edit(ana, ben, 1, 'Once more')
    expect([once.status, once.body.code]).toEqual([409, 'conflict'])
    expect((await takeBack(ana, ben, 1)).status).toBe(200)
  })

  it("a message can be edited for 15 minutes by the server's clock", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'one'))
    app.clock.advance(minutes(limits.changeMinutes) - 2_000)
    expect((await edit(ana, ben, 1, 'two')).status).toBe(200)
    app.clock.advance(3_000)
    const late = await edit(ana, ben, 1, 'three')
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
    expect((await takeBack(ana, ben, 1)).status).toBe(409)
    expect((await all(ana, ben))[0]?.message).toBe('two')
  })

  it.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['a text that is too long', 'x'.repeat(2001)],
  ])('an edit to %s is refused', async (_what, text) => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'one'))
    expect((await edit(ana, ben, 1, text)).status).toBe(400)
  })
})

describe('deleting messages', () => {
  it('a deleted message keeps only its place, and deleting it is idempotent, even later', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'oops'))
    await react(ben, ana, 1, '👍')
    const { body } = await takeBack(ana, ben, 1)
    expect(body).toMatchObject({ message: '', deletedAt: expect.any(String) })
    expect(body.reactions).toBeUndefined()
    expect(await benSocket.next('message_changed', ({ deletedAt }) => deletedAt !== undefined)).toMatchObject({
      seq: 1,
    })
    app.clock.advance(minutes(20))
    const again = await takeBack(ana, ben, 1)
    expect([again.status, again.body]).toEqual([200, body])
    expect((await edit(ana, ben, 1, 'back')).status).toBe(409)
    expect((await react(ben, ana, 1, '👍')).status).toBe(409)
    const { rows } = await app.platform.pool.query('select body from messages where sender_id = $1', [ana.id])
    expect(rows).toEqual([{ body: '' }])
  })

  it('a repeated send of a deleted message returns its deleted state', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const message = outgoing(ana, ben, 'oops')
    await anaSocket.ask('send_message', message)
    const { body } = await takeBack(ana, ben, 1)
    expect(await anaSocket.ask('send_message', message)).toEqual({ ok: true, message: body })
    expect(await benSocket.next('private message', ({ deletedAt }) => deletedAt !== undefined)).toMatchObject({
      message: '',
    })
  })
})

describe('messages of other people', () => {
  it("a message of another person can't be edited or deleted, and looks like a missing one", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const [eve] = (await people(app, 1)) as [Person]
    await anaSocket.ask('send_message', outgoing(ana, ben))
    const answers = await Promise.all([
      edit(ben, ana, 1, 'mine now'),
      takeBack(ben, ana, 1),
      edit(ana, ben, 2, 'none'),
      edit(eve, ana, 1, 'foreign'),
      react(eve, ana, 1, '👍'),
      edit(ana, { id: randomUUID() }, 1, 'no-one'),
      edit(ana, { id: 'nothing' }, 1, 'no-one'),
    ])
    const bodies = answers.map(({ body: { requestId, ...body } }) => body)
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('neither person can change messages after a block', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    for (const answer of [await edit(ana, ben, 1, 'x'), await takeBack(ana, ben, 1), await react(ben, ana, 1, '👍')]) {
      expect(answer.status).toBe(404)
    }
  })
})

describe('reacting to messages', () => {
  it('a message shows the latest emoji of each person until it is removed', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await react(ana, ben, 1, '🎉')
    await react(ben, ana, 1, '👍')
    const { body } = await react(ben, ana, 1, '❤️')
    expect(body.reactions).toHaveLength(2)
    expect(body.reactions).toEqual(
      expect.arrayContaining([
        { userId: ana.id, emoji: '🎉' },
        { userId: ben.id, emoji: '❤️' },
      ]),
    )
    expect((await react(ben, ana, 1, null)).body.reactions).toEqual([{ userId: ana.id, emoji: '🎉' }])
    expect((await react(ana, ben, 1, null)).body.reactions).toBeUndefined()
  })

  it.each(['x', '', '👍👍', '<b>', '1'])('a reaction with %j is refused', async (emoji) => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect((await react(ben, ana, 1, emoji)).status).toBe(400)
  })
})

describe('replying to messages', () => {
  it('a reply quotes the message as it is now, with at most 140 characters', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'x'.repeat(200)))
    const ack = await benSocket.ask('send_message', outgoing(ben, ana, 'really?', { replyTo: 1 }))
    const replyTo = { seq: 1, senderId: ana.id, message: 'x'.repeat(140), kind: 'text' }
    expect(ack).toMatchObject({ ok: true, message: { seq: 2, replyTo } })
    expect(await anaSocket.next('private message')).toMatchObject({ replyTo })
    await edit(ana, ben, 1, 'y')
    expect((await all(ben, ana))[1]).toMatchObject({ seq: 2, revision: 2, replyTo: { message: 'y' } })
    await takeBack(ana, ben, 1)
    expect((await all(ben, ana))[1]?.replyTo).toEqual({ ...replyTo, message: '', kind: 'deleted' })
  })

  it('changing a message with many replies sends one event and one revision', { tags: 'long' }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'Helo'))
    for (let count = 0; count < 20; count++)
      await benSocket.ask('send_message', outgoing(ben, ana, 'what?', { replyTo: 1 }))
    expect((await edit(ana, ben, 1, 'Hello')).body).toMatchObject({ seq: 1, revision: 22 })
    expect((await takeBack(ana, ben, 1)).body).toMatchObject({ seq: 1, revision: 23 })
    await benSocket.next('message_changed', ({ deletedAt }) => deletedAt !== undefined)
    expect(benSocket.received('message_changed').map(({ seq, revision }) => [seq, revision])).toEqual([
      [1, 22],
      [1, 23],
    ])
    const query = { after: 21, since: 21 }
    const { body } = await ben.call('GET /api/conversations/:userId/changes', { params: { userId: ana.id }, query })
    expect(body.messages.map(({ seq }) => seq)).toEqual([1])
    for (const { seq, replyTo } of await all(ben, ana))
      expect([seq, replyTo?.kind]).toEqual([seq, seq === 1 ? undefined : 'deleted'])
  })

  it("a reply to a message that doesn't exist is sent without a quote", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const ack = await anaSocket.ask('send_message', outgoing(ana, ben, 'to the future', { replyTo: 7 }))
    expect(ack).toMatchObject({ ok: true, message: { seq: 1 } })
    expect((ack.message as Message).replyTo).toBeUndefined()
  })
})

describe('changes of messages', () => {
  type Step = { kind: 'send' | 'edit' | 'delete' | 'react'; pick: number; reply: boolean }
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom('send', 'send', 'edit', 'delete', 'react'),
      pick: fc.nat(1_000),
      reply: fc.boolean(),
    }),
    { minLength: 2, maxLength: 25 },
  )

  function quoteNow({ replyTo }: Message, known: Map<number, Message>): Pick<Message, 'replyTo'> {
    const quoted = replyTo && known.get(replyTo.seq)
    if (!quoted) return {}
    const kind = quoted.deletedAt ? 'deleted' : (quoted.attachment?.kind ?? 'text')
    return { replyTo: { ...replyTo, kind, message: cutText(quoted.message, 140) } }
  }

  /** Loads page by page, like a device that knows some messages and the changes up to a revision. */
  async function catchUp(me: Person, peer: { id: string }, known: Map<number, Message>, since: number, limit: number) {
    let cursor = { after: Math.max(0, ...known.keys()), since }
    for (let page = 0; page < 100; page++) {
      const { body } = await me.call('GET /api/conversations/:userId/changes', {
        params: { userId: peer.id },
        query: { ...cursor, limit },
      })
      for (const message of body.messages) {
        if (message.revision >= (known.get(message.seq)?.revision ?? 0)) known.set(message.seq, message)
      }
      // Quotes reflect the latest known state of the quoted message.
      for (const [seq, message] of known) known.set(seq, { ...message, ...quoteNow(message, known) })
      if (!body.hasMore) return
      const last = body.messages.at(-1) as Message
      cursor = { after: Math.max(0, ...known.keys()), since: last.revision }
    }
    throw new Error('the pages do not end')
  }

  const sorted = (messages: Iterable<Message>) => [...messages].sort((a, b) => a.seq - b.seq)

  it('pages of changes of any size, from any point, lead to the same state as a fresh load', {
    tags: 'long',
  }, async () => {
    const property = fc.asyncProperty(steps, fc.nat(24), fc.integer({ min: 1, max: 7 }), async (plan, cut, limit) => {
      const [ana, ben, anaSocket] = await pair(app)
      await anaSocket.ask('send_message', outgoing(ana, ben, 'first'))
      let count = 1
      let known: Message[] = await all(ben, ana)
      let since = 1
      for (const [n, { kind, pick, reply }] of plan.entries()) {
        const seq = (pick % count) + 1
        if (kind === 'send') {
          await anaSocket.ask('send_message', outgoing(ana, ben, `${n}`, reply ? { replyTo: seq } : {}))
          count += 1
        }
        if (kind === 'edit') await edit(ana, ben, seq, `edited ${n}`)
        if (kind === 'delete') await takeBack(ana, ben, seq)
        if (kind === 'react') await react(ben, ana, seq, n % 2 ? '👍' : '🎉')
        if (n === cut) {
          known = await all(ben, ana)
          since = Math.max(...known.map(({ revision }) => revision))
        }
      }
      const mine = new Map(known.map((message) => [message.seq, message]))
      await catchUp(ben, ana, mine, since, limit)
      expect(sorted(mine.values())).toEqual(await all(ben, ana))
      const nothing = new Map<number, Message>()
      await catchUp(ben, ana, nothing, 0, limit)
      expect(sorted(nothing.values())).toEqual(await all(ben, ana))
      // Also from an inconsistent state: the device knows later changes, but not all earlier messages.
      const odd = new Map(known.slice(0, 1).map((message) => [message.seq, message]))
      await catchUp(ben, ana, odd, since, limit)
      expect([...odd.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n + 1))
    })
    await fc.assert(property, { numRuns: 8 })
  })

  it('concurrent edits, reactions, reads and sends never share a revision and leave nothing unread', {
    tags: ['long', 'race'],
  }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    for (let n = 0; n < 10; n++) await anaSocket.ask('send_message', outgoing(ana, ben, `${n}`))
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        edit(ana, ben, n + 1, `edited ${n}`),
        react(ben, ana, n + 1, '👍'),
        n % 2 ? takeBack(ana, ben, n + 1) : undefined,
        benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id }),
        anaSocket.ask('send_message', outgoing(ana, ben, `more ${n}`)),
      ]).flat(),
    )
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
    const messages = await all(ben, ana)
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(new Set(messages.map(({ revision }) => revision)).size).toBe(20)
    const [conversation] = (await ben.call('GET /api/messages/history')).body
    expect(conversation).toMatchObject({ unreadCount: 0, myReadSeq: 20, lastSeq: 20 })
    expect(conversation?.revision).toBeGreaterThanOrEqual(Math.max(...messages.map(({ revision }) => revision)))
  })

  it("changes of other people's conversations are not found", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const [eve] = (await people(app, 1)) as [Person]
    await anaSocket.ask('send_message', outgoing(ana, ben))
    const query = { after: 0, since: 0 }
    const answer = await eve.call('GET /api/conversations/:userId/changes', { params: { userId: ana.id }, query })
    expect(answer.status).toBe(404)
  })
})
