import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing, pair } from '../../test/talk.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('reading', () => {
  it('reading sets the unread count to zero and publishes it to both people', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await benSocket.ask('send_message', outgoing(ben, ana, 'Shall we?'))
    await anaSocket.ask('send_message', outgoing(ana, ben, 'one'))
    await anaSocket.ask('send_message', outgoing(ana, ben, 'two'))
    expect((await ben.call('GET /api/messages/history')).body[0]?.unreadCount).toBe(2)
    expect(await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })).toEqual({ ok: true })
    expect((await ben.call('GET /api/messages/history')).body[0]?.unreadCount).toBe(0)
    expect(await anaSocket.next('conversation_read')).toEqual({ conversationId: ben.id, readerId: ben.id, seq: 3 })
    const [conversation] = (await ana.call('GET /api/messages/history')).body
    expect(conversation?.messages?.map(({ status }) => status)).toEqual(['sent', 'read', 'read'])
    expect(conversation?.readSeq).toBe(3)
  })

  it('reading up to a seq leaves later messages unread, and a mark never moves back', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    for (const text of ['one', 'two', 'three']) await anaSocket.ask('send_message', outgoing(ana, ben, text))
    const unread = async () => (await ben.call('GET /api/messages/history')).body[0]?.unreadCount
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id, upToSeq: 2 })
    expect(await unread()).toBe(1)
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id, upToSeq: 1 })
    expect(await unread()).toBe(1)
  })

  it('reading tells other devices how many messages are unread among how many, even while more arrive', {
    tags: 'long',
  }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await benSocket.ask('get_or_create_conversation', { withUser: ana.id })
    const reading: Promise<unknown>[] = []
    for (let seq = 1; seq <= 40; seq++) {
      await anaSocket.ask('send_message', outgoing(ana, ben, `${seq}`))
      // Not awaited, so that more messages arrive in the meantime.
      if (seq <= 20)
        reading.push(benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id, upToSeq: seq }))
    }
    await Promise.all(reading)
    const told = benSocket.received('conversation_read')
    expect(told.length).toBeGreaterThan(0)
    for (const { seq, unreadCount, lastSeq = 0 } of told) expect(unreadCount).toBe(lastSeq - seq)
  })

  it("reading in someone else's name is refused and changes nothing", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    expect(await anaSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })).toEqual({
      ok: false,
      code: 'forbidden',
    })
    expect((await ben.call('GET /api/messages/history')).body[0]?.unreadCount).toBe(1)
  })

  it('reading a missing conversation is refused', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    expect(await anaSocket.ask('mark_as_read', { conversationId: ben.id, userId: ana.id })).toEqual({
      ok: false,
      code: 'not_found',
    })
  })

  it('reading loses no concurrent message: unread always equals a recount', { tags: 'long' }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const work = Array.from({ length: 40 }, (_, n) =>
      n % 3 === 2
        ? benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
        : anaSocket.ask('send_message', outgoing(ana, ben, `${n}`)),
    )
    await Promise.all(work)
    const { rows } = await app.platform.pool.query(
      `select case $1::uuid when user_lo then unread_lo else unread_hi end as unread, (select count(*) from messages x
          where x.conversation_id = c.id and x.seq > case $1::uuid when user_lo then read_lo else read_hi end and x.sender_id <> $1::uuid) as counted
       from conversations c where $1::uuid in (user_lo, user_hi)`,
      [ben.id],
    )
    expect(rows[0].unread).toBe(rows[0].counted)
  })
})

describe('history', () => {
  it('history lists conversations newest last message first, each with its messages oldest first', async () => {
    const [ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    const [benSocket, cemSocket] = [await connect(app, ben), await connect(app, cem)]
    await benSocket.ask('send_message', outgoing(ben, ana, 'early'))
    await cemSocket.ask('send_message', outgoing(cem, ana, 'later'))
    await benSocket.ask('send_message', outgoing(ben, ana, 'latest'))
    const { body } = await ana.call('GET /api/messages/history')
    expect(body.map(({ id }) => id)).toEqual([ben.id, cem.id])
    expect(body[0]?.messages?.map(({ message }) => message)).toEqual(['early', 'latest'])
    expect(body[0]?.lastMessage?.message).toBe('latest')
  })

  it('history has only the last message for conversations after the fifth', async () => {
    const [ana, ...others] = (await people(app, 8)) as [Person, ...Person[]]
    const socket = await connect(app, ana)
    for (const other of others)
      for (const text of ['first', 'last']) await socket.ask('send_message', outgoing(ana, other, text))
    const { body } = await ana.call('GET /api/messages/history')
    const texts = body.map(({ messages = [] }) => messages.map(({ message }) => message))
    expect(texts).toEqual([...Array(5).fill(['first', 'last']), ['last'], ['last']])
  })

  it('pages of history join without a gap', { tags: 'long' }, async () => {
    const [ana, ben, anaSocket] = await pair(app)
    for (let n = 1; n <= 25; n++) await anaSocket.ask('send_message', outgoing(ana, ben, `${n}`))
    const page = async (query: { before?: number; after?: number }) =>
      (
        await ben.call('GET /api/conversations/:userId/messages', {
          params: { userId: ana.id },
          query: { ...query, limit: 10 },
        })
      ).body
    const newest = await page({})
    expect(newest).toMatchObject({ hasMore: true })
    const middle = await page({ before: newest.messages[0]?.seq as number })
    const oldest = await page({ before: middle.messages[0]?.seq as number })
    expect(oldest.hasMore).toBe(false)
    expect([...oldest.messages, ...middle.messages, ...newest.messages].map(({ seq }) => seq)).toEqual(
      Array.from({ length: 25 }, (_, n) => n + 1),
    )
    expect((await page({ after: 20 })).messages.map(({ seq }) => seq)).toEqual([21, 22, 23, 24, 25])
  })

  it("history of other people's conversations is not found", async () => {
    const [ana, ben, anaSocket] = await pair(app)
    const [eve] = (await people(app, 1)) as [Person]
    await anaSocket.ask('send_message', outgoing(ana, ben, 'secret'))
    expect((await eve.call('GET /api/messages/history')).body).toEqual([])
    const { status } = await eve.call('GET /api/conversations/:userId/messages', { params: { userId: ana.id } })
    expect(status).toBe(404)
  })
})

describe('messages to absent people', () => {
  it('an absent receiver gets one notification for all unread messages of a sender, which disappears once they are read', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const anaSocket = await connect(app, ana)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'first'))
    await anaSocket.ask('send_message', outgoing(ana, ben, 'second'))
    const told = async () =>
      (await ben.call('GET /api/notifications')).body.notifications.filter(({ kind }) => kind === 'message')
    await expect.poll(async () => (await told())[0]?.message).toBe('second')
    expect(await told()).toMatchObject([
      { title: 'Jun messaged you', message: 'second', type: 'message', read: false, link: `/chat/${ana.id}` },
    ])
    const benSocket = await connect(app, ben)
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
    const after = await ben.call('GET /api/notifications')
    expect(after.body.notifications.find(({ kind }) => kind === 'message')?.read).toBe(true)
  })

  it('a connected receiver gets no notification', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await benSocket.next('private message')
    expect(
      (await ben.call('GET /api/notifications')).body.notifications.filter(({ kind }) => kind === 'message'),
    ).toEqual([])
  })
})

describe('with CHAT_POLICY=matches', () => {
  it('people without a match cannot write to each other', { tags: 'long' }, async () => {
    const careful = await startTestApp({ CHAT_POLICY: 'matches' })
    const [ana, ben] = [await person(careful), await person(careful)]
    const socket = await connect(careful, ana)
    expect(await socket.ask('send_message', outgoing(ana, ben))).toEqual({ ok: false, code: 'forbidden' })
    expect(await socket.ask('get_or_create_conversation', { withUser: ben.id })).toEqual({
      error: { code: 'forbidden' },
    })
    await careful.close()
  })
})
