import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import type { TestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { administrator } from '../reports/cases.test-reports.ts'
import { endSanction, sanction } from '../sanctions/sanctions.ts'
import { peopleSince, send, startLimited } from '../spam/acts.test-spam.ts'

let database: TestDatabase
let app: TestApp
/** A second process on the same database, with production rate limits. */
let limited: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  ;({ open: app, limited } = await startLimited(database))
})
afterAll(async () => {
  await app.close()
  await limited.close()
  await database.drop()
})

const eventually = <T>(read: () => T) => expect.poll(read)
const params = ({ id }: Person) => ({ params: { userId: id } })
const online = (client: Client) =>
  client
    .received('user_online')
    .at(-1)
    ?.map(({ id }) => id)
const write = async (client: Client, from: Person, to: Person, text?: string) =>
  expect(await client.ask('send_message', outgoing(from, to, text))).toMatchObject({ ok: true })

/** Resolves once the server has sent everything that was pending for this device, because its timers fire in order. */
async function heardEverything(client: Client, { id }: Person, server = app): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 200))
  const senderId = randomUUID()
  server.platform.realtime.publish([id], 'stop_typing', { senderId })
  await client.next('stop_typing', (payload) => payload.senderId === senderId)
}

async function acquainted(server = app): Promise<[Person, Person, Client, Client]> {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const [anas, bens] = [await connect(server, ana), await connect(server, ben)]
  await write(anas, ana, ben)
  await write(bens, ben, ana)
  await eventually(() => [online(anas), online(bens)]).toEqual([[ben.id], [ana.id]])
  return [ana, ben, anas, bens]
}

async function expectTogether([ana, ben, anas, bens]: [Person, Person, Client, Client]): Promise<void> {
  await eventually(() => [online(anas), online(bens)]).toEqual([[ben.id], [ana.id]])
  const before = [anas, bens].map((client) => client.received('typing').length)
  await anas.ask('typing', { to: ben.id })
  await bens.ask('typing', { to: ana.id })
  await expect
    .poll(() => [anas, bens].map((client) => client.received('typing').length))
    .toEqual(before.map((n) => n + 1))
}

describe('a block', () => {
  it('a block by a stranger, or by a contact who is away, sends nothing to the blocked person', {
    tags: 'long',
  }, async () => {
    const [ana, ben, anas, bens] = await acquainted()
    anas.socket.disconnect()
    await eventually(() => online(bens)).toEqual([])
    const [eve, jun] = (await people(app, 2)) as [Person, Person]
    const eves = await connect(app, eve)
    await eves.next('user_online')
    const heard: unknown[] = []
    bens.socket.onAny((event: string) => void heard.push(event))
    await ana.call('PUT /api/blocks/:userId', params(ben))
    await eve.call('PUT /api/blocks/:userId', params(ben))
    const report = { userId: ben.id, subject: { kind: 'profile' as const }, reason: 'spam' as const, block: true }
    expect((await jun.call('POST /api/reports', { body: report })).status).toBe(201)
    await heardEverything(bens, ben)
    expect(heard).toEqual(['stop_typing'])
  })

  it('all devices of the blocking person are told of a block and of its end', async () => {
    const [ana, ben, anas] = await acquainted()
    await ana.call('PUT /api/blocks/:userId', params(ben))
    await eventually(() => anas.received('resync')).toEqual([{ withinMs: 0 }])
    await anas.ask('get_conversations')
    expect(anas.received('conversations').at(-1)).toEqual([])
    await ana.call('DELETE /api/blocks/:userId', params(ben))
    await eventually(() => anas.received('resync')).toHaveLength(2)
  })
})

describe('presence and typing', () => {
  it('presence and typing return on open connections when a block ends', { tags: 'long' }, async () => {
    const all = await acquainted()
    const [ana, ben, anas, bens] = all
    await ana.call('PUT /api/blocks/:userId', params(ben))
    await eventually(() => [online(anas), online(bens)]).toEqual([[], []])
    await ana.call('DELETE /api/blocks/:userId', params(ben))
    await expectTogether(all)
  })

  it('presence and typing return on open connections when an erasure is cancelled', { tags: 'long' }, async () => {
    const all = await acquainted()
    const [ana, , , bens] = all
    await ana.call('POST /api/erasure', { body: {} })
    await eventually(() => online(bens)).toEqual([])
    await ana.call('DELETE /api/erasure')
    await expectTogether(all)
  })

  it('presence and typing return when a suspension is lifted, even for people who connected meanwhile', {
    tags: 'long',
  }, async () => {
    const [ana, ben, , bens] = await acquainted()
    const given = { userId: ana.id, kind: 'suspension' as const, ground: 'spam' as const, decidedBy: null }
    const id = await transaction(app.platform, (tx) => sanction(tx, { ...given, statement: 'It was spam.', days: 1 }))
    await eventually(() => online(bens)).toEqual([])
    bens.socket.disconnect()
    const again = await connect(app, ben)
    expect(await again.next('user_online')).toEqual([])
    await transaction(app.platform, (tx) =>
      endSanction(tx, { id, user_id: ana.id, kind: 'suspension' }, { as: 'lifted', by: null }),
    )
    const anonymous = caller(app.url)
    await anonymous.call('POST /api/user/requestOtp', { body: { email: ana.email } })
    const otp = await app.codeFor(ana.email)
    const { body } = await anonymous.call('POST /api/user/authenticate', { body: { email: ana.email, otp } })
    await expectTogether([ana, ben, await connect(app, body), again])
  })

  it('presence and typing of someone about to be erased reach nobody', async () => {
    const [ana, ben, anas, bens] = await acquainted()
    await ana.call('POST /api/erasure', { body: {} })
    anas.socket.disconnect()
    const again = await connect(app, ana)
    await again.next('user_online')
    await again.ask('typing', { to: ben.id })
    await heardEverything(bens, ben)
    expect(bens.received('typing')).toEqual([])
    expect(online(bens)).toEqual([])
  })

  it('a block keeps presence and typing ended when held messages are released, and when a sender is held later', {
    tags: 'long',
  }, async () => {
    const [bot, victim, ...others] = await peopleSince(app, database, 10, 100)
    const [first, blocker] = [victim as Person, others.pop() as Person]
    const sender = bot as Person
    const [device, firsts, blockers] = [
      await connect(limited, sender),
      await connect(limited, first),
      await connect(limited, blocker),
    ]
    const there = ({ token }: Person) => caller(limited.url, token)
    const pitch = (n: number) =>
      `Hello there! I am Sofia and I would so much like to know all about you${'!'.repeat(n)}`
    await send(device, sender, blocker, 'Good evening')
    await there(blocker).call('PUT /api/blocks/:userId', params(sender))
    for (const [n, other] of [first, ...others].entries()) await send(device, sender, other, pitch(n))
    await eventually(async () => (await first.call('GET /api/messages/history')).body).toEqual([])
    await there(first).call('PUT /api/blocks/:userId', params(sender))
    const seen = () => [firsts, blockers].map(online)
    await eventually(seen).toEqual([[], []])
    await eventually(() => online(device)).not.toContain(first.id)
    expect(online(device)).not.toContain(blocker.id)
    const admin = await administrator(app)
    const { body } = await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })
    const review = body.reviews.find(({ person: { id } }) => id === sender.id)
    await there(admin).send('POST', `/api/admin/reviews/${review?.id}/decision`, { action: 'dismiss' })
    for (const [client, who] of [
      [firsts, first],
      [blockers, blocker],
    ] as const) {
      await device.ask('typing', { to: who.id })
      await heardEverything(client, who, limited)
      expect([online(client), client.received('typing')]).toEqual([[], []])
    }
    expect(online(device)).not.toContain(first.id)
  })

  it("people who connected while the database didn't answer get presence and typing without reconnecting", {
    tags: 'long',
  }, async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const anas = await connect(app, ana)
    await write(anas, ana, ben)
    const owner = new pg.Client(database.config)
    await owner.connect()
    await owner.query('revoke select on conversation_members from duet_app')
    const bens = await connect(app, ben)
    await heardEverything(bens, ben)
    expect(bens.received('user_online')).toEqual([])
    await owner.query('grant select on conversation_members to duet_app')
    await owner.end()
    await eventually(() => online(bens)).toEqual([ana.id])
    await expectTogether([ana, ben, anas, bens])
  })
})

it('without a message, marking as delivered is answered like marking as read', async () => {
  const [ana, ben] = [await person(app), await person(app)]
  const anas = await connect(app, ana)
  const read = await anas.ask('mark_as_read', { conversationId: ben.id, userId: ana.id })
  expect(await anas.ask('mark_as_delivered', { conversationId: ben.id, upToSeq: 1 })).toEqual(read)
  expect(read).toEqual({ ok: false, code: 'not_found' })
})
