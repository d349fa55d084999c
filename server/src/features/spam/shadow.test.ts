import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { openReview } from '../claims/open-review.ts'
import { administrator, soon } from '../reports/cases.test-reports.ts'
import { endOverdueSanctions, sanction } from '../sanctions/sanctions.ts'
import { send } from './acts.test-spam.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app)
})
afterAll(() => app.close())

const note = 'The same words to many people.'
/** Applies a shadow restriction without holding earlier messages. */
const shadow = ({ id: userId }: Person) =>
  transaction(app.platform, async (tx) => {
    await openReview(tx, { kind: 'spam', userId, note })
    await sanction(tx, { userId, kind: 'shadow', ground: 'spam', decidedBy: null, statement: note, days: 7 })
  })
const pause = () => new Promise((resolve) => setTimeout(resolve, 400))

async function decide(who: Person, action: 'dismiss' | 'restrict', kind = 'spam') {
  const { body } = await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })
  const { id } = body.reviews.find((one) => one.person.id === who.id && one.kind === kind) ?? { id: '' }
  const ruling =
    action === 'dismiss' ? { action } : { action, ground: 'spam', statement: 'You sent spam to many people.', days: 7 }
  const { status } = await admin.send('POST', `/api/admin/reviews/${id}/decision`, ruling)
  expect(status).toBe(200)
}

/** Everything a client received, with names instead of the two ids and without times. */
function transcript(heard: unknown[][], from: Person, to: Person): string {
  return heard
    .map((part) => part.map((one) => JSON.stringify(one)).join('\n'))
    .join('\n\n')
    .replaceAll(from.id, 'FROM')
    .replaceAll(to.id, 'TO')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"cursor":"[^"]+"/g, '"cursor":"…"')
}

function listen(client: Client): [string, unknown][] {
  const heard: [string, unknown][] = []
  client.socket.onAny((event: string, payload: unknown) => heard.push([event, payload]))
  return heard
}

/** Keeps only the last `user_online`, because its position among the other events varies. */
function settled(heard: [string, unknown][]): unknown[] {
  const isOnline = ([event]: [string, unknown]) => event === 'user_online'
  return [...heard.filter((one) => !isOnline(one)), heard.findLast(isOnline)]
}

/** Performs every action in an unanswered conversation and records everything its sender sees. */
async function script(from: Person, to: Person): Promise<string> {
  const [device, second] = [await connect(app, from), await connect(app, from)]
  await pause()
  const [first, other] = [listen(device), listen(second)]
  const answers: unknown[] = []
  const ask = async (event: string, payload?: unknown) => answers.push(await device.ask(event, payload))
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await from.send(method, path.replace(':to', to.id), body)
    answers.push([answer.status, { ...answer.body, requestId: '' }])
  }
  const { body: since } = await from.call('GET /api/messages/history')
  answers.push(since)
  for (const [id, text] of [
    ['a', 'Hello you'],
    ['b', 'Are you there?'],
    ['a', 'Hello you'],
  ] as const)
    await ask('send_message', outgoing(from, to, text, { id, timestamp: '2026-11-21T10:00:00.000Z' }))
  await ask('get_or_create_conversation', { withUser: to.id })
  await ask('send_message', outgoing(from, to, 'And this', { id: 'c', replyTo: 1 }))
  await ask('get_conversations')
  device.socket.emit('typing', { to: to.id })
  await call('PATCH', '/api/conversations/:to/messages/2', { message: 'Are you here?' })
  await call('PUT', '/api/conversations/:to/messages/1/reaction', { emoji: '❤️' })
  await call('DELETE', '/api/conversations/:to/messages/3')
  await call('GET', '/api/conversations/:to/messages?limit=20')
  await call('GET', '/api/conversations/:to/changes?after=0&since=0&limit=20')
  await call('GET', '/api/messages/search?query=here&limit=20')
  await call('PATCH', '/api/conversations/:to', { archived: true })
  await ask('send_message', outgoing(from, to, 'Back again', { id: 'd' }))
  await call('DELETE', '/api/conversations/:to')
  await ask('send_message', outgoing(from, to, 'And again', { id: 'e' }))
  await ask('mark_as_read', { conversationId: to.id, userId: from.id, upToSeq: 5 })
  await ask('mark_as_delivered', { conversationId: to.id, upToSeq: 5 })
  await call('GET', '/api/messages/history')
  await call('GET', '/api/standing')
  await call('GET', `/api/user/:to`)
  await pause()
  return transcript([answers, settled(first), settled(other)], from, to)
}

/** Collects everything a person can find out about someone who may have messaged them. */
async function lookAround(who: Person, from: Person): Promise<unknown> {
  const client = await connect(app, who)
  const at = (path: string) => who.send('GET', path.replace(':from', from.id)).then(({ status }) => status)
  const { conversations, gone } = (await client.ask('get_conversations', { since: undefined })) as never
  const notifications = (await who.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
  return {
    ...{ conversations, gone, notifications, online: client.received('user_online').flat() },
    history: (await who.call('GET /api/messages/history')).body,
    search: (await who.send('GET', '/api/messages/search?query=hello&limit=20')).body,
    pages: [
      await at('/api/conversations/:from/messages?limit=20'),
      await at('/api/conversations/:from/changes?after=0&since=0&limit=9'),
    ],
    read: await client.ask('mark_as_read', { conversationId: from.id, userId: who.id, upToSeq: 1 }),
    delivered: await client.ask('mark_as_delivered', { conversationId: from.id, upToSeq: 1 }),
    changed: (await who.send('PATCH', `/api/conversations/${from.id}`, { muted: true })).status,
    reported: (
      await who.send('POST', '/api/reports', { userId: from.id, reason: 'spam', subject: { kind: 'message', seq: 1 } })
    ).status,
  }
}

describe('someone with a shadow restriction', () => {
  it('A shadow-restricted sender sees what every sender sees, byte for byte, and the receiver sees nothing.', {
    tags: 'long',
  }, async () => {
    const [spammer, sender, victim, receiver, stranger] = (await people(app, 5)) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    await shadow(spammer)
    const [hers, theirs] = [await connect(app, victim), await connect(app, receiver)]
    await pause()
    const { cursor } = (await hers.ask('get_conversations')) as { cursor: string }
    const [heardByVictim, heardByReceiver] = [listen(hers), listen(theirs)]
    const seen = await script(spammer, victim)
    expect(seen).toBe(await script(sender, receiver))
    expect(heardByReceiver.length).toBeGreaterThan(8)
    expect(heardByVictim).toEqual([])
    expect(await hers.ask('get_conversations', { since: cursor })).toMatchObject({ gone: [] })
    expect(hers.received('conversations').flat()).toEqual([])
    expect(await lookAround(victim, spammer)).toEqual(await lookAround(victim, stranger))
  })

  it('A shadow-restricted person’s messages arrive once the receiver has written.', { tags: 'long' }, async () => {
    const [spammer, ben, cleo] = (await people(app, 3)) as [Person, Person, Person]
    const [device, bens, cleos] = [await connect(app, spammer), await connect(app, ben), await connect(app, cleo)]
    await send(bens, ben, spammer, 'Hello')
    await shadow(spammer)
    await send(device, spammer, ben, 'Heard')
    await bens.next('private message', ({ message }) => message === 'Heard')
    await send(device, spammer, cleo, 'Not heard')
    await pause()
    expect(cleos.received('private message')).toEqual([])
    expect(await cleos.ask('get_or_create_conversation', { withUser: spammer.id })).toMatchObject({ messages: [] })
    expect((await cleo.call('GET /api/messages/history')).body).toMatchObject([{ lastSeq: 0, unreadCount: 0 }])
    expect(await send(cleos, cleo, spammer, 'Do I know you?')).toMatchObject({ ok: true, message: { seq: 2 } })
    await device.next('private message', ({ message }) => message === 'Do I know you?')
    await send(device, spammer, cleo, 'Heard now')
    await cleos.next('private message', ({ message }) => message === 'Heard now')
    const { body } = await cleo.call('GET /api/messages/history')
    expect(body[0]?.messages?.map(({ message }) => message)).toEqual(['Not heard', 'Do I know you?', 'Heard now'])
  })

  it('When a shadow restriction is dismissed, every message is delivered once, in order and counted.', {
    tags: 'long',
  }, async () => {
    const [spammer, ben, cleo] = (await people(app, 3)) as [Person, Person, Person]
    const [device, bens] = [await connect(app, spammer), await connect(app, ben)]
    await shadow(spammer)
    for (const to of [ben, cleo]) for (const text of ['One', 'Two', 'Three']) await send(device, spammer, to, text)
    await decide(spammer, 'dismiss')
    await bens.next('private message', ({ message }) => message === 'Three')
    await pause()
    expect(bens.received('private message').map(({ message }) => message)).toEqual(['One', 'Two', 'Three'])
    expect(bens.received('conversations').flat()).toMatchObject([{ id: spammer.id, unreadCount: 0, lastSeq: 0 }])
    expect(bens.received('user_online').at(-1)).toEqual([{ id: spammer.id }])
    for (const one of [ben, cleo])
      expect((await one.call('GET /api/messages/history')).body).toMatchObject([
        { id: spammer.id, unreadCount: 3, lastSeq: 3, isRequest: true },
      ])
    const kinds = await soon(async () => {
      const found = (await cleo.call('GET /api/notifications')).body.notifications.filter(
        ({ kind }) => kind === 'message',
      )
      return found.length > 0 ? found : undefined
    })
    expect(kinds).toHaveLength(1)
    await send(device, spammer, ben, 'Four')
    await bens.next('private message', ({ message }) => message === 'Four')
    expect(device.received('resync')).toEqual([])
  })

  it('When a shadow restriction is upheld, messages stay held, and the person gets the decision with reasons.', async () => {
    const [spammer, ben] = (await people(app, 2)) as [Person, Person]
    const [device, bens] = [await connect(app, spammer), await connect(app, ben)]
    await shadow(spammer)
    await send(device, spammer, ben, 'Held')
    await decide(spammer, 'restrict')
    await pause()
    expect(bens.received('private message')).toEqual([])
    expect((await ben.call('GET /api/messages/history')).body).toEqual([])
    expect((await spammer.call('GET /api/standing')).body).toMatchObject({
      standing: 'restricted',
      sanctions: [{ kind: 'restriction', statement: 'You sent spam to many people.' }],
    })
  })

  it('Held messages are delivered only after every review of their sender is decided.', async () => {
    const [spammer, ben] = (await people(app, 2)) as [Person, Person]
    await shadow(spammer)
    await transaction(app.platform, (tx) => openReview(tx, { kind: 'linked_account', userId: spammer.id, note }))
    const hide = () => app.platform.pool.query('update accounts set unseen = true where id = $1', [spammer.id])
    await hide()
    await send(await connect(app, spammer), spammer, ben, 'Held')
    await decide(spammer, 'dismiss', 'linked_account')
    const listed = async () => (await ben.call('GET /api/messages/history')).body.map(({ id }) => id)
    expect(await listed()).toEqual([])
    await hide()
    await decide(spammer, 'dismiss')
    const owner = new pg.Client(ownerOf(app.platform))
    await owner.connect()
    const due = "select from graphile_worker.jobs where task_identifier = 'release-held'"
    await expect.poll(async () => (await owner.query(due)).rowCount).toBe(0)
    await owner.end()
    expect(await listed()).toEqual([])
  })

  it('A held message is only in its sender’s export.', async () => {
    const [spammer, ben] = (await people(app, 2)) as [Person, Person]
    await shadow(spammer)
    await send(await connect(app, spammer), spammer, ben, 'Held')
    const rows = async (own: string, table: string, id: string) =>
      (await app.platform.pool.query(`select 1 from ${table} where ${own.replaceAll('$1', `'${id}'`)}`)).rows.length
    const { registry } = await import('../data-rights/registry.ts')
    const [, received] = (registry.messages?.exports ?? []) as unknown as { own: { where: string } }[]
    const members = registry.conversation_members?.exports as { own: { where: string } }
    expect(await rows(received?.own.where ?? '', 'messages', ben.id)).toBe(0)
    expect(await rows(members.own.where, 'conversation_members', ben.id)).toBe(0)
    expect(await rows(members.own.where, 'conversation_members', spammer.id)).toBe(1)
  })

  it('A shadow restriction is reviewed after a week at the latest, and a dismissal then delivers the messages.', async () => {
    const [spammer, ben] = (await people(app, 2)) as [Person, Person]
    await shadow(spammer)
    await send(await connect(app, spammer), spammer, ben, 'Held')
    app.clock.advance(days(7) + 1_000)
    await endOverdueSanctions(app.platform)
    admin = await administrator(app)
    const reader = await person(app)
    await send(await connect(app, reader), reader, spammer, 'Unconcerned')
    await decide(spammer, 'dismiss', 'shadow_ended')
    const { rows } = await app.platform.pool.query('select held_from from conversations where held_from = $1', [
      spammer.id,
    ])
    expect(rows).toEqual([])
  })
})
