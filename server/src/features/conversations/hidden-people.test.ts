import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import type { Person } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing, pair } from '../../test/talk.ts'
import { createHolding } from './holding.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Two people who have both written, so that none of their messages are ever held. */
async function talking(): Promise<[Person, Person, Client, Client]> {
  const [ana, ben, anaSocket, benSocket] = await pair(app)
  await anaSocket.ask('send_message', outgoing(ana, ben, 'Hello'))
  await benSocket.ask('send_message', outgoing(ben, ana, 'Hi'))
  await benSocket.next('private message')
  return [ana, ben, anaSocket, benSocket]
}

const textsOf = (socket: Client) => socket.received('private message').map(({ message }) => message)
const setUnseen = (person: Person, unseen: boolean) =>
  app.platform.pool.query('update accounts set unseen = $2 where id = $1', [person.id, unseen])
const row = async (me: Person) => (await me.call('GET /api/messages/history')).body[0]

describe('someone who erases their account', () => {
  it('someone who requested erasure reaches nobody, but still reads their conversations', async () => {
    const [ana, ben, anaSocket, benSocket] = await talking()
    await benSocket.ask('send_message', outgoing(ben, ana, 'Are you there?'))
    expect((await ana.call('POST /api/erasure', { body: {} })).status).toBe(200)
    const answer = await anaSocket.ask('send_message', outgoing(ana, ben, 'still here'))
    expect(answer).toMatchObject({ ok: false, code: 'not_found' })
    const mark = { conversationId: ben.id, upToSeq: 3 }
    expect(await anaSocket.ask('mark_as_delivered', mark)).toEqual({ ok: true })
    expect(await anaSocket.ask('mark_as_read', { ...mark, userId: ana.id })).toEqual({ ok: true })
    expect(await anaSocket.ask('get_or_create_conversation', { withUser: ben.id })).toMatchObject({ id: ben.id })
    // The answer arrives after every event published before it, because both use one connection.
    await benSocket.ask('get_conversations')
    expect(textsOf(benSocket)).not.toContain('still here')
    expect(benSocket.received('conversation_read')).toEqual([])
    expect(benSocket.received('conversation_delivered')).toEqual([])
    await ana.call('DELETE /api/erasure')
    expect(await anaSocket.ask('send_message', outgoing(ana, ben, 'I stay'))).toMatchObject({ ok: true })
    expect((await benSocket.next('private message', ({ message }) => message === 'I stay')).seq).toBe(4)
  })
})

describe('someone unseen', () => {
  it('someone unseen sees their messages as sent, and the receiver gets them after the review', async () => {
    const [ana, ben, anaSocket, benSocket] = await talking()
    await setUnseen(ana, true)
    for (const text of ['one', 'two'])
      expect(await anaSocket.ask('send_message', outgoing(ana, ben, text))).toMatchObject({ ok: true })
    benSocket.socket.disconnect()
    await expect.poll(() => app.platform.realtime.isConnected(ben.id)).toBe(false)
    await anaSocket.ask('send_message', outgoing(ana, ben, 'three'))
    const back = await connect(app, ben)
    await back.ask('get_conversations')
    expect([...textsOf(benSocket), ...textsOf(back)].filter((text) => text !== 'Hello' && text !== 'Hi')).toEqual([])
    expect(await row(ben)).toBeUndefined()
    await setUnseen(ana, false)
    expect(await row(ben)).toMatchObject({ id: ana.id, unreadCount: 4, lastMessage: { message: 'three' } })
    const kinds = (await ben.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
    expect(kinds).not.toContain('message')
  })
})

describe('released messages', () => {
  const holding = () => createHolding(app.platform, { onHeld: () => undefined, onSettled: async () => undefined })
  const hold = (sender: Person) => transaction(app.platform, (tx) => holding().hold(tx, sender.id))
  const release = (sender: Person) => transaction(app.platform, (tx) => holding().release(tx, sender.id))

  it('a released conversation returns to the list as it was', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await ben.call('PATCH /api/conversations/:userId', { params: { userId: ana.id }, body: { archived: true } })
    await hold(ana)
    expect(await row(ben)).toBeUndefined()
    await release(ana)
    expect(await row(ben)).toMatchObject({ id: ana.id, archived: true })
  })

  it('a released conversation stays off the list if the receiver had removed it, until a new message', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await ben.call('DELETE /api/conversations/:userId', { params: { userId: ana.id } })
    await hold(ana)
    const back = await connect(app, ben)
    await release(ana)
    await back.ask('get_conversations')
    expect([await row(ben), textsOf(back)]).toEqual([undefined, []])
    await anaSocket.ask('send_message', outgoing(ana, ben, 'again'))
    expect(await row(ben)).toMatchObject({ id: ana.id, lastMessage: { message: 'again' } })
  })
})
