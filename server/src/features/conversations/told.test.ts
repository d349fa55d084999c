import type { ListAck } from '@duet/contract/conversations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing, pair } from '../../test/talk.ts'
import { makeMatch } from '../matches/matches.ts'
import { createAbsence } from './absent.ts'
import { syncConversations } from './listing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const sync = async (client: Client, since?: string) =>
  (await client.ask('get_conversations', since === undefined ? undefined : { since })) as Extract<ListAck, { ok: true }>
const at = (peer: { id: string }, seq: number) => ({ userId: peer.id, seq: String(seq) as unknown as number })
const edit = (me: Person, peer: { id: string }, seq: number, message: string) =>
  me.call('PATCH /api/conversations/:userId/messages/:seq', { params: at(peer, seq), body: { message } })
const takeBack = (me: Person, peer: { id: string }, seq: number) =>
  me.call('DELETE /api/conversations/:userId/messages/:seq', { params: at(peer, seq) })

describe('someone who only opens a conversation', () => {
  it('nobody learns that someone opened a conversation with them, whatever cursor they use', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const { cursor } = await sync(benSocket)
    expect(await anaSocket.ask('get_or_create_conversation', { withUser: ben.id })).toMatchObject({ id: ben.id })
    for (const since of [cursor, 'none']) expect(await sync(benSocket, since)).toMatchObject({ ok: true, gone: [] })
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    for (const since of [cursor, 'none']) expect(await sync(benSocket, since)).toMatchObject({ ok: true, gone: [] })
  })

  it('removing a conversation that was only opened reaches all devices, and opening it again lists it', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('get_or_create_conversation', { withUser: ben.id })
    const { cursor } = await sync(anaSocket)
    await ana.call('DELETE /api/conversations/:userId', { params: { userId: ben.id } })
    expect((await sync(await connect(app, ana), cursor)).gone).toEqual([ben.id])
    await anaSocket.ask('get_or_create_conversation', { withUser: ben.id })
    expect((await ana.call('GET /api/messages/history')).body).toMatchObject([{ id: ben.id, archived: false }])
  })
})

async function quietCursor({ id }: Person): Promise<string> {
  let { cursor } = await syncConversations(app.platform, id)
  await expect
    .poll(async () => {
      const found = await syncConversations(app.platform, id, cursor)
      cursor = found.cursor
      return found.conversations
    })
    .toEqual([])
  return cursor
}

it.each(['of a request', 'without receipts'])(
  'what is read %s is published only to the reader’s devices, even if the row is sent again',
  async (which) => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    if (which === 'without receipts') {
      await transaction(app.platform, (tx) => makeMatch(tx, ana.id, ben.id, [], () => undefined))
      await ben.call('PATCH /api/user/updateUser', { body: { readReceipts: false } })
    }
    await anaSocket.ask('send_message', outgoing(ana, ben))
    if (which === 'without receipts') await benSocket.ask('mark_as_delivered', { conversationId: ana.id, upToSeq: 1 })
    const [anas, bens] = [await quietCursor(ana), await quietCursor(ben)]
    if (which === 'of a request') await benSocket.ask('mark_as_delivered', { conversationId: ana.id, upToSeq: 1 })
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
    expect((await syncConversations(app.platform, ana.id, anas)).conversations).toEqual([])
    expect((await syncConversations(app.platform, ben.id, bens)).conversations).toMatchObject([
      { id: ana.id, unreadCount: 0, myReadSeq: 1 },
    ])
  },
)

it("comments of likes get distinct message ids when they open a match's conversation", async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const lines = [
    { from: ana.id, to: ben.id, text: 'The lake!' },
    { from: ben.id, to: ana.id, text: 'The cello!' },
  ]
  await transaction(app.platform, (tx) => makeMatch(tx, ana.id, ben.id, lines, () => undefined))
  const [row] = (await ana.call('GET /api/messages/history')).body
  expect(row?.messages?.map(({ message }) => message)).toEqual(['The lake!', 'The cello!'])
  expect(new Set(row?.messages?.map(({ id }) => id)).size).toBe(2)
})

describe('notifications of absent people', () => {
  const previewsOf = async (who: Person) =>
    (await who.call('GET /api/notifications')).body.notifications.flatMap(({ kind, message }) =>
      kind === 'message' ? [message] : [],
    )

  it.each([
    ['57P01', 6_000],
    ['55P03', 20],
    ['40001', 20],
  ])(
    'an absent person is notified of the last message after the database failed with %s while %i others waited',
    async (code, count) => {
      // Ben is connected when the messages arrive, so only the retry can notify him.
      const [ana, ben, device] = await pair(app)
      for (const text of ['number 1', 'number 2']) await device.ask('send_message', outgoing(ana, ben, text))
      let left = 3
      const db = app.platform.db.withPlugin({
        transformQuery({ node }) {
          if (left-- > 0) throw Object.assign(new Error('the database is away'), { code })
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const absence = createAbsence({ ...app.platform, db })
      for (const seq of [1, 2]) absence.tell({ senderId: ana.id, receiverId: ben.id, seq })
      for (let n = 0; n < count; n += 1) absence.tell({ senderId: ben.id, receiverId: ana.id, seq: 9 })
      await expect.poll(() => previewsOf(ben)).toEqual(['number 2'])
      await absence.drain()
      expect(await previewsOf(ben)).toEqual(['number 2'])
    },
  )

  it('an absent person is notified of a stored message whose sender got no answer', async () => {
    const [ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    const device = await connect(app, ana)
    const message = outgoing(ana, ben, 'Hello')
    await device.ask('send_message', message)
    await expect.poll(() => previewsOf(ben)).toEqual(['Hello'])
    await app.platform.pool.query('delete from notifications where user_id = $1', [ben.id])
    await device.ask('send_message', message)
    await expect.poll(() => previewsOf(ben)).toEqual(['Hello'])
    await app.platform.pool.query('delete from notifications where user_id = $1', [ben.id])
    app.clock.advance(minutes(11))
    await device.ask('send_message', message)
    await device.ask('send_message', outgoing(ana, cem, 'later'))
    await expect.poll(() => previewsOf(cem)).toEqual(['later'])
    expect(await previewsOf(ben)).toEqual([])
  })
})

describe('quotes in notifications of absent people', () => {
  const told = async (me: Person) =>
    (await me.call('GET /api/notifications')).body.notifications
      .filter(({ kind }) => kind === 'message')
      .map(({ message }) => message)

  async function written(...texts: string[]) {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const socket = await connect(app, ana)
    for (const text of texts) await socket.ask('send_message', outgoing(ana, ben, text))
    await expect.poll(() => told(ben)).toEqual([texts.at(-1)])
    return [ana, ben] as const
  }

  it('the notification of an edited message quotes the new text', async () => {
    const [ana, ben] = await written('Helo')
    await edit(ana, ben, 1, 'Hello')
    expect(await told(ben)).toEqual(['Hello'])
  })

  it("a quote never splits an emoji, and a failed notification doesn't affect others in the batch", async () => {
    const [ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    const socket = await connect(app, ana)
    const letters = 'a'.repeat(79)
    await Promise.all([
      socket.ask('send_message', outgoing(ana, ben, `${letters}👩‍👩‍👧‍👦 and more`)),
      socket.ask('send_message', outgoing(ana, cem, 'plain')),
    ])
    await expect.poll(() => told(ben)).toEqual([`${letters}👩‍👩‍👧‍👦…`])
    await expect.poll(() => told(cem)).toEqual(['plain'])
  })

  it('the notification of a deleted message is withdrawn if nothing else is unread', async () => {
    const [ana, ben] = await written('my secret')
    await takeBack(ana, ben, 1)
    expect(await told(ben)).toEqual([])
  })

  it("a deleted message isn't quoted if other messages are unread or the notification was seen", async () => {
    const [ana, ben] = await written('one', 'my secret')
    await takeBack(ana, ben, 2)
    expect(await told(ben)).toEqual(['…'])
    const [cem, dan] = await written('my secret')
    await dan.call('PATCH /api/notifications', { body: { read: true } })
    await takeBack(cem, dan, 1)
    expect(await told(dan)).toEqual(['…'])
  })
})
