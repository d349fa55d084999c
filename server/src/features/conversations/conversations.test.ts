import { randomUUID } from 'node:crypto'
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

const rowsOf = (a: Person, b: Person) =>
  app.platform.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['messages.seq', 'messages.body', 'messages.sender_id'])
    .where('user_lo', 'in', [a.id, b.id])
    .where('user_hi', 'in', [a.id, b.id])
    .orderBy('seq')
    .execute()

describe('connecting', () => {
  it.each([[undefined], ['dt1_wrong'], [7], [{}]])('a connection with the token %s is refused', async (token) => {
    await expect(connect(app, { token: token as string })).rejects.toThrow('unauthenticated')
  })

  it('get_conversations sends the list to the asking connection', async () => {
    const [ana] = (await people(app, 1)) as [Person]
    const client = await connect(app, ana)
    client.socket.emit('get_conversations')
    expect(await client.next('conversations')).toEqual([])
  })
})

describe('opening a conversation', () => {
  it('opening a conversation acknowledges the other id, the newest 50 messages oldest first, and whether there are more', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    for (let n = 1; n <= 52; n++) await anaSocket.ask('send_message', outgoing(ana, ben, `message ${n}`))
    const ack = await anaSocket.ask('get_or_create_conversation', { withUser: ben.id })
    expect(ack).toMatchObject({ id: ben.id, hasMore: true })
    const messages = ack.messages as { message: string; seq: number }[]
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 3))
    expect(messages.at(-1)?.message).toBe('message 52')
  })

  it('concurrent openings by both people create one conversation', { tags: ['long', 'race'] }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const opens = Array.from({ length: 20 }, (_, n) =>
      n % 2
        ? anaSocket.ask('get_or_create_conversation', { withUser: ben.id })
        : benSocket.ask('get_or_create_conversation', { withUser: ana.id }),
    )
    for (const ack of await Promise.all(opens)) expect(ack).toMatchObject({ messages: [], hasMore: false })
    const rows = await app.platform.db
      .selectFrom('conversations')
      .select('id')
      .where('user_lo', 'in', [ana.id, ben.id])
      .where('user_hi', 'in', [ana.id, ben.id])
      .execute()
    expect(rows).toHaveLength(1)
  })

  it('an empty conversation is listed only for the person who opened it', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('get_or_create_conversation', { withUser: ben.id })
    expect(await anaSocket.next('conversations', (rows) => rows.length > 0)).toMatchObject([
      { id: ben.id, lastMessage: null, unreadCount: 0 },
    ])
    benSocket.socket.emit('get_conversations')
    expect(await benSocket.next('conversations')).toEqual([])
    expect((await ben.call('GET /api/messages/history')).body).toEqual([])
    expect((await ana.call('GET /api/messages/history')).body).toMatchObject([{ id: ben.id, messages: [] }])
  })

  it.each([
    ['an unknown person', randomUUID()],
    ['an id that is none', "'; drop table messages; --"],
    ['an empty id', ''],
  ])('opening a conversation with %s acknowledges an error', async (_who, withUser) => {
    const [, , anaSocket] = await pair(app)
    expect(await anaSocket.ask('get_or_create_conversation', { withUser })).toEqual({ error: { code: 'not_found' } })
  })

  it('opening a conversation with oneself acknowledges an error', async () => {
    const [ana, , anaSocket] = await pair(app)
    expect(await anaSocket.ask('get_or_create_conversation', { withUser: ana.id })).toEqual({
      error: { code: 'not_found' },
    })
  })
})

describe('sending', () => {
  it("a sent message is acknowledged as stored, and the receiver gets it with its seq and the sender's conversation", async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const message = outgoing(ana, ben, 'Hello Ben')
    const ack = await anaSocket.ask('send_message', message)
    expect(ack).toEqual({ ok: true, message: { ...message, seq: 1, revision: 1, conversationId: ben.id } })
    expect(await benSocket.next('private message')).toEqual({ ...message, seq: 1, revision: 1, conversationId: ana.id })
    expect(await rowsOf(ana, ben)).toEqual([{ seq: 1, body: 'Hello Ben', sender_id: ana.id }])
  })

  it('a first message is preceded by its conversation for the receiver', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const order: string[] = []
    benSocket.socket.onAny((event: string) => order.push(event))
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await benSocket.next('private message')
    expect(order.indexOf('conversations')).toBeGreaterThanOrEqual(0)
    expect(order.indexOf('conversations')).toBeLessThan(order.indexOf('private message'))
    expect(benSocket.received('conversations')[0]).toMatchObject([
      { id: ana.id, user: { id: ana.id, name: 'Jun' }, unreadCount: 0, lastMessage: null },
    ])
  })

  it("a message reaches the sender's other devices, but not the one that sent it", async () => {
    const [ana, ben, first] = await pair(app)
    const second = await connect(app, ana)
    await first.ask('send_message', outgoing(ana, ben, 'from the first'))
    expect(await second.next('private message')).toMatchObject({ message: 'from the first', conversationId: ben.id })
    expect(first.received('private message')).toEqual([])
  })

  it('sending the same id again returns the original, keeps one row and delivers it again', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const message = outgoing(ana, ben, 'once')
    const first = await anaSocket.ask('send_message', message)
    const acks = await Promise.all(
      Array.from({ length: 20 }, () => anaSocket.ask('send_message', { ...message, message: 'changed' })),
    )
    for (const ack of acks) expect(ack).toEqual(first)
    expect(await rowsOf(ana, ben)).toHaveLength(1)
    await expect.poll(() => benSocket.received('private message').length).toBe(21)
  })

  it('the same id to another receiver is a different message', async () => {
    const [ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    const socket = await connect(app, ana)
    const message = outgoing(ana, ben)
    await socket.ask('send_message', message)
    expect(await socket.ask('send_message', { ...message, receiverId: cem.id })).toMatchObject({
      ok: true,
      message: { seq: 1 },
    })
  })

  it('messages are numbered 1, 2, 3 … without gaps when both people write from several devices', {
    tags: 'race',
  }, async () => {
    const [ana, ben, ...sockets] = await pair(app)
    const more = [await connect(app, ana), await connect(app, ben)]
    const sends = [...sockets, ...more].flatMap((socket, device) =>
      Array.from({ length: 15 }, (_, n) =>
        socket.ask(
          'send_message',
          device % 2 ? outgoing(ben, ana, `b${device} ${n}`) : outgoing(ana, ben, `a${device} ${n}`),
        ),
      ),
    )
    expect((await Promise.all(sends)).every((ack) => ack.ok)).toBe(true)
    expect((await rowsOf(ana, ben)).map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
    const { rows } = await app.platform.pool.query(
      'select unread_lo, unread_hi from conversations where $1 in (user_lo, user_hi)',
      [ana.id],
    )
    expect(rows).toEqual([{ unread_lo: 30, unread_hi: 30 }])
  })

  it('many messages sent together are stored and delivered in the order they were sent', { tags: 'race' }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const texts = Array.from({ length: 40 }, (_, n) => `${n}`)
    await Promise.all(texts.map((text) => anaSocket.ask('send_message', outgoing(ana, ben, text))))
    expect((await rowsOf(ana, ben)).map(({ body }) => body)).toEqual(texts)
    await expect.poll(() => benSocket.received('private message').map(({ message }) => message)).toEqual(texts)
  })

  it("a message in someone else's name is refused and not stored", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    expect(
      await anaSocket.ask('send_message', outgoing(ana, ben, 'forged', { senderId: ben.id, receiverId: ana.id })),
    ).toEqual({ ok: false, code: 'forbidden' })
    expect(await rowsOf(ana, ben)).toEqual([])
  })

  it.each([
    ['an empty text', { message: '' }],
    ['only blanks', { message: ' \n\t ' }],
    ['nothing that shows', { message: '\u200b\u2060' }],
    ['a text that is too long', { message: 'x'.repeat(2001) }],
    ['a text that is a number', { message: 7 }],
    ['no id', { id: undefined }],
    ['an id that is too long', { id: 'x'.repeat(65) }],
    ['an id with a NUL', { id: 'a\u0000b' }],
    ['no receiver', { receiverId: undefined }],
  ])('a message with %s is refused and not stored', async (_what, changes) => {
    const [ana, ben, anaSocket] = await pair(app)
    const ack = await anaSocket.ask('send_message', outgoing(ana, ben, 'x', changes))
    expect(ack).toEqual({ ok: false, code: 'validation_failed' })
    expect(await rowsOf(ana, ben)).toEqual([])
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'hello'],
    ['a list', []],
    ['null', null],
  ])('sending %s instead of a message is refused', async (_what, payload) => {
    const [, , anaSocket] = await pair(app)
    expect(await anaSocket.ask('send_message', payload)).toEqual({ ok: false, code: 'validation_failed' })
  })

  it('a message to an unknown person is refused', async () => {
    const [ana, , anaSocket] = await pair(app)
    expect(await anaSocket.ask('send_message', outgoing(ana, { id: randomUUID() }))).toEqual({
      ok: false,
      code: 'not_found',
    })
  })

  it('a message keeps every character except control characters and unpaired surrogates', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const text = '<script>alert(1)</script> \' " \\ %_ 👩‍👩‍👧 مرحبا'
    expect(await anaSocket.ask('send_message', outgoing(ana, ben, `\ud83d${text}\u0000\u0007\udc4b`))).toMatchObject({
      ok: true,
      message: { message: text },
    })
  })

  it('a plausible time of the sender is kept, and one more than five minutes off is replaced', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const near = new Date(Date.now() - minutes(4)).toISOString()
    const far = new Date(Date.now() - minutes(6)).toISOString()
    expect(await anaSocket.ask('send_message', outgoing(ana, ben, 'near', { timestamp: near }))).toMatchObject({
      message: { timestamp: near },
    })
    const ack = await anaSocket.ask('send_message', outgoing(ana, ben, 'far', { timestamp: far }))
    const { timestamp } = ack.message as { timestamp: string }
    expect(Math.abs(Date.now() - new Date(timestamp).getTime())).toBeLessThan(minutes(1))
    expect(
      await anaSocket.ask('send_message', outgoing(ana, ben, 'no time', { timestamp: 'yesterday' })),
    ).toMatchObject({ ok: true })
  })

  it("lastAt is the server's time of the last message, whatever the sender's clock says", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const ahead = new Date(Date.now() + minutes(4)).toISOString()
    const before = Date.now()
    await anaSocket.ask('send_message', outgoing(ana, ben, 'ahead', { timestamp: ahead }))
    const [row] = (await ben.call('GET /api/messages/history')).body
    expect(row?.lastMessage?.timestamp).toBe(ahead)
    expect(Date.parse(row?.lastAt ?? '')).toBeGreaterThanOrEqual(before - 1)
    expect(Date.parse(row?.lastAt ?? '')).toBeLessThan(Date.parse(ahead))
  })

  it('unknown fields of a message are ignored', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    expect(await anaSocket.ask('send_message', outgoing(ana, ben, 'x', { extra: { nested: true } }))).toMatchObject({
      ok: true,
    })
  })

  it('a message without an acknowledgement callback is delivered too', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    anaSocket.socket.emit('send_message', outgoing(ana, ben, 'silent'))
    expect(await benSocket.next('private message')).toMatchObject({ message: 'silent' })
  })
})

describe('unknown events', () => {
  it('unknown events are refused in the acknowledgement and affect nobody else', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    expect(await anaSocket.ask('join_room', { room: `user:${ben.id}` })).toEqual({ ok: false, code: 'unknown_event' })
    expect(await anaSocket.ask('constructor', {})).toEqual({ ok: false, code: 'unknown_event' })
    expect(await anaSocket.ask('send_message', outgoing(ana, ben))).toMatchObject({ ok: true })
  })

  it('a flood of unknown events gets rate_limited, and other people are served', async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const [ana, ben] = (await people(strict, 2)) as [Person, Person]
    const [flooding, calm] = [await connect(strict, ana), await connect(strict, ben)]
    const acks = await Promise.all(Array.from({ length: 100 }, () => flooding.ask('nonsense', {})))
    expect(acks.some((ack) => ack.code === 'rate_limited' && Number(ack.retryAfterMs) > 0)).toBe(true)
    expect(await calm.ask('get_or_create_conversation', { withUser: ana.id })).toMatchObject({ id: ana.id })
    await strict.close()
  })
})
