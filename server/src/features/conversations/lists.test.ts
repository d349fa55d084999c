import { randomUUID } from 'node:crypto'
import type { ListAck } from '@duet/contract/conversations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealCursor } from '../../platform/http/cursor.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing, pair } from '../../test/talk.ts'
import { makeMatch } from '../matches/matches.ts'
import { syncConversations } from './listing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const change = (me: Person, peer: { id: string }, body: { muted?: boolean; archived?: boolean; accepted?: true }) =>
  me.call('PATCH /api/conversations/:userId', { params: { userId: peer.id }, body })
const remove = (me: Person, peer: { id: string }) =>
  me.call('DELETE /api/conversations/:userId', { params: { userId: peer.id } })
const listOf = async (me: Person) => (await me.call('GET /api/messages/history')).body
const rowOf = async (me: Person, peer: { id: string }) => (await listOf(me)).find(({ id }) => id === peer.id)
const match = (a: Person, b: Person) =>
  transaction(app.platform, (tx) => makeMatch(tx, a.id, b.id, [], () => undefined))
const sync = async (client: Client, since?: string) =>
  (await client.ask('get_conversations', since === undefined ? undefined : { since })) as Extract<ListAck, { ok: true }>

describe('muting', () => {
  it('muting reaches only my devices, and a muted sender causes no notification', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const anaSocket = await connect(app, ana)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'one'))
    const told = async () =>
      (await ben.call('GET /api/notifications')).body.notifications.filter(({ kind }) => kind === 'message')
    await expect.poll(async () => (await told()).length).toBe(1)
    await ben.call('DELETE /api/notifications')
    const { status, body } = await change(ben, ana, { muted: true })
    expect([status, body.muted]).toEqual([200, true])
    expect((await rowOf(ana, ben))?.muted).toBe(false)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'two'))
    await change(ben, ana, { muted: false })
    await anaSocket.ask('send_message', outgoing(ana, ben, 'three'))
    await expect.poll(told).toMatchObject([{ message: 'three' }])
  })
})

describe('archiving', () => {
  it('archiving lasts until the next message, and longer if the conversation is also muted', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect((await change(ben, ana, { archived: true })).body.archived).toBe(true)
    expect(await benSocket.next('conversations', ([row]) => row?.archived === true)).toMatchObject([{ id: ana.id }])
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect(
      await benSocket.next('conversations', ([row]) => row?.archived === false && row.lastSeq === 1),
    ).toMatchObject([{ id: ana.id, unreadCount: 1, lastMessage: null }])
    expect(await rowOf(ben, ana)).toMatchObject({ archived: false, unreadCount: 2, lastSeq: 2 })
    await change(ben, ana, { archived: true, muted: true })
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect(await rowOf(ben, ana)).toMatchObject({ archived: true, muted: true, unreadCount: 3 })
    await change(ben, ana, { muted: false })
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect(await rowOf(ben, ana)).toMatchObject({ archived: false, unreadCount: 4 })
  })
})

describe('requests', () => {
  it('a first message from an unmatched person is a request until it is answered or accepted', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect(await rowOf(ben, ana)).toMatchObject({ isRequest: true, matched: false })
    expect(await rowOf(ana, ben)).toMatchObject({ isRequest: false })
    await benSocket.ask('send_message', outgoing(ben, ana))
    expect(await rowOf(ben, ana)).toMatchObject({ isRequest: false })
    const [cem, dan, cemSocket] = await pair(app)
    await cemSocket.ask('send_message', outgoing(cem, dan))
    expect((await change(dan, cem, { accepted: true })).body.isRequest).toBe(false)
    expect(await rowOf(dan, cem)).toMatchObject({ isRequest: false })
  })

  it('a message between matched people is no request', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await match(ana, ben)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect(await rowOf(ben, ana)).toMatchObject({ isRequest: false, matched: true })
  })

  /** Ana has written to Ben, who has received and read her message but not answered. */
  async function readRequest() {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const { cursor } = await sync(anaSocket)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await benSocket.ask('mark_as_delivered', { conversationId: ana.id, upToSeq: 1 })
    expect(await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })).toEqual({ ok: true })
    return { ana, ben, anaSocket, benSocket, cursor }
  }
  const marks = { deliveredSeq: 1, readSeq: 1 }

  it("the sender of a request doesn't learn that it arrived or was read", async () => {
    const { ana, ben, anaSocket, cursor } = await readRequest()
    expect(await rowOf(ben, ana)).toMatchObject({ isRequest: true, unreadCount: 0, myReadSeq: 1 })
    expect(await rowOf(ana, ben)).toMatchObject({ deliveredSeq: 0, readSeq: 0 })
    await sync(anaSocket, cursor)
    const rows = anaSocket.received('conversations').flat()
    expect(rows.at(-1)).toMatchObject({ id: ben.id, lastSeq: 1 })
    expect(rows.map((row) => [row.deliveredSeq, row.readSeq])).toEqual(rows.map(() => [0, 0]))
    expect(anaSocket.received('conversation_read')).toEqual([])
    expect(anaSocket.received('conversation_delivered')).toEqual([])
  })

  it.each<[string, (of: Awaited<ReturnType<typeof readRequest>>) => Promise<unknown>]>([
    ['accepted', ({ ana, ben }) => change(ben, ana, { accepted: true })],
    ['answered', ({ ana, ben, benSocket }) => benSocket.ask('send_message', outgoing(ben, ana))],
  ])('both people see the marks immediately when a request is %s, even on devices that were away', async (_, agree) => {
    const asked = await readRequest()
    const { ana, ben, anaSocket, benSocket } = asked
    const { cursor } = await sync(anaSocket)
    await agree(asked)
    await expect
      .poll(() => anaSocket.received('conversations').flat())
      .toContainEqual(expect.objectContaining({ id: ben.id, ...marks }))
    expect(await rowOf(ana, ben)).toMatchObject(marks)
    const away = await connect(app, ana)
    await sync(away, cursor)
    expect(await away.next('conversations')).toMatchObject([{ id: ben.id, ...marks }])
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
    await expect.poll(() => anaSocket.received('conversation_read')).toHaveLength(1)
  })
})

describe('removing conversations', () => {
  it('removing takes a conversation off only my list until the next message, and is idempotent', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'old'))
    await benSocket.next('private message')
    expect((await remove(ben, ana)).body).toEqual({ ok: true })
    expect((await remove(ben, ana)).status).toBe(200)
    expect(await listOf(ben)).toEqual([])
    expect(await listOf(ana)).toHaveLength(1)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'new'))
    expect((await rowOf(ben, ana))?.messages?.map(({ message }) => message)).toEqual(['old', 'new'])
  })

  it.each([
    ['an unknown person', randomUUID()],
    ['an id that is none', 'nothing'],
  ])('removing a conversation with %s is not found', async (_, userId) => {
    const [ana] = (await people(app, 1)) as [Person]
    expect((await remove(ana, { id: userId })).status).toBe(404)
    expect((await change(ana, { id: userId }, { muted: true })).status).toBe(404)
  })

  it('removing, reading and everything else is not found after a block', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    for (const [me, peer] of [
      [ana, ben],
      [ben, ana],
    ] as const) {
      expect((await remove(me, peer)).status).toBe(404)
      expect((await change(me, peer, { muted: true })).status).toBe(404)
    }
    const asked = { conversationId: ana.id, userId: ben.id, upToSeq: 1 }
    for (const event of ['mark_as_read', 'mark_as_delivered']) {
      expect(await benSocket.ask(event, asked)).toEqual({ ok: false, code: 'not_found' })
    }
    const { rows } = await app.platform.pool.query(
      'select read_lo, read_hi, delivered_lo, delivered_hi from conversations where $1 in (user_lo, user_hi)',
      [ana.id],
    )
    expect(rows).toEqual([{ read_lo: 0, read_hi: 0, delivered_lo: 0, delivered_hi: 0 }])
  })
})

describe('receipts', () => {
  it('receipts show what has arrived and what was read, and never go back', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await match(ana, ben)
    for (const text of ['one', 'two', 'three']) await anaSocket.ask('send_message', outgoing(ana, ben, text))
    const statuses = async () => (await rowOf(ana, ben))?.messages?.map(({ status }) => status)
    expect(await benSocket.ask('mark_as_delivered', { conversationId: ana.id, upToSeq: 2 })).toEqual({ ok: true })
    expect(await anaSocket.next('conversation_delivered')).toEqual({ conversationId: ben.id, seq: 2 })
    expect(await statuses()).toEqual(['delivered', 'delivered', 'sent'])
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id, upToSeq: 1 })
    expect(await statuses()).toEqual(['read', 'delivered', 'sent'])
    await benSocket.ask('mark_as_delivered', { conversationId: ana.id, upToSeq: 1 })
    await benSocket.ask('mark_as_delivered', { conversationId: ana.id, upToSeq: 99 })
    expect(await anaSocket.next('conversation_delivered', ({ seq }) => seq !== 2)).toEqual({
      conversationId: ben.id,
      seq: 3,
    })
    expect(await statuses()).toEqual(['read', 'delivered', 'delivered'])
    expect(await rowOf(ana, ben)).toMatchObject({ readSeq: 1, deliveredSeq: 3 })
  })

  it('receipts tell my other devices what is left unread', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await match(ana, ben)
    const other = await connect(app, ben)
    for (const text of ['one', 'two', 'three']) await anaSocket.ask('send_message', outgoing(ana, ben, text))
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id, upToSeq: 2 })
    const own = { conversationId: ana.id, readerId: ben.id, seq: 2, unreadCount: 1, lastSeq: 3 }
    expect(await other.next('conversation_read')).toEqual(own)
    expect(await anaSocket.next('conversation_read')).toEqual({ conversationId: ben.id, readerId: ben.id, seq: 2 })
  })

  it.each(['the reader', 'the writer'])(
    'read receipts switched off by %s reveal no reading to either person',
    async (who) => {
      const [ana, ben, anaSocket, benSocket] = await pair(app)
      await match(ana, ben)
      const off = await (who === 'the reader' ? ben : ana).call('PATCH /api/user/updateUser', {
        body: { readReceipts: false },
      })
      expect(off.body.readReceipts).toBe(false)
      await anaSocket.ask('send_message', outgoing(ana, ben, 'one'))
      await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
      expect(await benSocket.next('conversation_read')).toMatchObject({ unreadCount: 0 })
      await benSocket.ask('mark_as_delivered', { conversationId: ana.id, upToSeq: 1 })
      await benSocket.ask('send_message', outgoing(ben, ana, 'two'))
      await anaSocket.next('private message')
      expect(anaSocket.received('conversation_read')).toEqual([])
      expect(await rowOf(ana, ben)).toMatchObject({ readSeq: 0, deliveredSeq: 1 })
      expect((await rowOf(ana, ben))?.messages?.[0]?.status).toBe('delivered')
      expect(await rowOf(ben, ana)).toMatchObject({ unreadCount: 0, myReadSeq: 1, readSeq: 0 })
    },
  )
})

describe('get_conversations', () => {
  it('get_conversations without a cursor returns everything, and with a current cursor nothing', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    const first = await sync(anaSocket)
    expect(first).toMatchObject({ ok: true, gone: [] })
    expect(await anaSocket.next('conversations', (rows) => rows.some(({ lastSeq }) => lastSeq === 1))).toHaveLength(1)
    await expect
      .poll(async () => {
        // A concurrent transaction may make a row appear twice, but never makes it disappear.
        const { cursor } = await sync(anaSocket)
        return (await syncConversations(app.platform, ana.id, cursor)).conversations
      })
      .toEqual([])
  })

  it('get_conversations with a cursor returns what changed: messages, reading, muting, names, matches', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await benSocket.ask('send_message', outgoing(ben, ana))
    await anaSocket.ask('send_message', outgoing(ana, ben))
    const changes: (() => Promise<unknown>)[] = [
      () => anaSocket.ask('send_message', outgoing(ana, ben)),
      () => benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id }),
      () => change(ana, ben, { muted: true }),
      () => ben.call('PATCH /api/user/updateUser', { body: { name: 'Benjamin' } }),
      () => ben.call('PATCH /api/user/updateUser', { body: { readReceipts: false } }),
      () => match(ana, ben),
    ]
    let { cursor } = await sync(anaSocket)
    for (const act of changes) {
      await act()
      const found = await syncConversations(app.platform, ana.id, cursor)
      expect(found.conversations.map(({ id }) => id)).toEqual([ben.id])
      cursor = found.cursor
    }
  })

  it('get_conversations with a cursor names people who left the list: removed, blocked, hidden, unmatched', async () => {
    const [ana, ...others] = (await people(app, 5)) as [Person, Person, Person, Person, Person]
    const anaSocket = await connect(app, ana)
    for (const other of others) {
      const socket = await connect(app, other)
      await socket.ask('send_message', outgoing(other, ana))
    }
    const [removed, blocking, hidden, unmatched] = others as [Person, Person, Person, Person]
    await match(ana, unmatched)
    const { cursor } = await sync(anaSocket)
    await remove(ana, removed)
    await blocking.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    await app.platform.pool.query('update profiles set hidden = true where user_id = $1', [hidden.id])
    await unmatched.call('DELETE /api/matches/:userId', { params: { userId: ana.id } })
    const { gone } = await sync(anaSocket, cursor)
    expect(gone.sort()).toEqual(others.map(({ id }) => id).sort())
    await blocking.call('DELETE /api/blocks/:userId', { params: { userId: ana.id } })
    expect((await syncConversations(app.platform, ana.id, cursor)).conversations.map(({ id }) => id)).toEqual([
      blocking.id,
    ])
  })

  it("a cursor never passes open transactions, so commits out of order aren't missed", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const [cem] = (await people(app, 1)) as [Person]
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await anaSocket.ask('send_message', outgoing(ana, cem))
    const early = await app.platform.pool.connect()
    await early.query('begin')
    // The first transaction to get a number commits last.
    await early.query('update conversations set changed = pg_current_xact_id() where id = conversation_id($1, $2)', [
      ana.id,
      ben.id,
    ])
    await anaSocket.ask('send_message', outgoing(ana, cem, 'later and first'))
    const { cursor } = await syncConversations(app.platform, ana.id, '0')
    await early.query('commit')
    early.release()
    const { conversations } = await syncConversations(app.platform, ana.id, cursor)
    expect(conversations.map(({ id }) => id)).toContain(ben.id)
  })

  it('an invalid, foreign or future cursor returns everything, and a malformed one is refused', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    const foreign = (await sync(benSocket)).cursor
    // The cursor must not reveal how much has happened.
    expect((await sync(benSocket)).cursor.slice(0, 16)).not.toBe(foreign.slice(0, 16))
    for (const since of ['', 'x'.repeat(513), 7])
      expect(await anaSocket.ask('get_conversations', { since })).toMatchObject({ code: 'validation_failed' })
    const future = sealCursor(app.platform.secrets, `conversations of ${ana.id}`, ['9'.repeat(19)])
    for (const since of ['x', '-1', '1.5', '09', '9'.repeat(32), foreign, future]) {
      expect(await sync(anaSocket, since)).toMatchObject({ ok: true, gone: [] })
      const { conversations } = await syncConversations(app.platform, ana.id, since)
      expect(conversations.map(({ id }) => id)).toEqual([ben.id])
    }
  })
})

describe('a conversation that appears', () => {
  it('a conversation that appears counts as unread exactly the messages before the one it appears with', {
    tags: 'race',
  }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const burst = [1, 2, 3, 4].flatMap((nth) => [
      anaSocket.ask('send_message', outgoing(ana, ben, `from Ana ${nth}`)),
      ...(nth % 2 ? [benSocket.ask('send_message', outgoing(ben, ana, `from Ben ${nth}`))] : []),
    ])
    await Promise.all(burst)
    for (const [me, socket, peer] of [
      [ana, anaSocket, ben],
      [ben, benSocket, ana],
    ] as const) {
      const { messages } = (await me.call('GET /api/conversations/:userId/messages', { params: { userId: peer.id } }))
        .body
      const rows = socket.received('conversations').flat()
      expect(rows.length).toBeGreaterThan(0)
      for (const { lastSeq, unreadCount } of rows)
        expect(unreadCount).toBe(messages.filter(({ senderId, seq }) => senderId === peer.id && seq <= lastSeq).length)
    }
  })
})
