import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListAck } from '@duet/contract/conversations.ts'
import { listCursorHeader } from '@duet/contract/limits.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { type Client, connect } from '../../test/sockets.ts'
import { outgoing, pair } from '../../test/talk.ts'
import { createAbsence } from './absent.ts'
import { readUpTo } from './conversations.ts'
import { announceConversation, syncConversations } from './listing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function asOwner(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client(ownerOf(app.platform))
  await client.connect()
  await client.query(text, values).finally(() => client.end())
}

/** A person with `count` conversations, each ending with a long message from someone else. */
async function listOf(count: number): Promise<Person> {
  const [me] = (await people(app, 1)) as [Person]
  const ids = Array.from({ length: count }, () => randomUUID())
  await asOwner(
    `with given as (select id from unnest($1::uuid[]) as given (id)),
      made as (insert into accounts (id, email, terms_accepted_at, created_at)
        select id, id || '@example.com', now(), now() from given returning id)
      insert into profiles (user_id, name, birth_date, created_at, last_active_at)
        select id, 'Jun', '1994-05-17', now(), now() from made`,
    [ids],
  )
  await asOwner(
    `with given as (select id from unnest($1::uuid[]) as given (id)),
      talks as (insert into conversations (id, user_lo, user_hi, created_at, last_seq, revision, last_message_at, settled)
        select conversation_id(id, $2), least(id, $2), greatest(id, $2), now(), 1, 1, now(), true from given),
      members as (insert into conversation_members (user_id, conversation_id, peer_id, listed)
        select $2, conversation_id(id, $2), id, true from given
        union all select id, conversation_id(id, $2), $2, true from given)
      insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
        select conversation_id(id, $2), 1, 1, id, 'one', repeat('語', 2000), now(), now() from given`,
    [ids, me.id],
  )
  return me
}

const sync = async (client: Client, since?: string) =>
  (await client.ask('get_conversations', since === undefined ? undefined : { since })) as Extract<ListAck, { ok: true }>

/** The client's underlying WebSocket. Pausing it simulates a client that stops reading. */
function lineOf({ socket }: Client): { pause(): void; resume(): void } {
  const { transport } = socket.io.engine as unknown as { transport: { ws: { pause(): void; resume(): void } } }
  return transport.ws
}

describe('a list', () => {
  it('a list arrives in parts, all before the acknowledgement', async () => {
    const socket = await connect(app, await listOf(120))
    await sync(socket)
    expect(socket.received('conversations').map((rows) => rows.length)).toEqual([50, 50, 20])
    const loner = await connect(app, (await people(app, 1))[0] as Person)
    await sync(loner)
    expect(loner.received('conversations')).toEqual([[]])
  })

  it("a slow connection isn't cut off while it receives a long list", { tags: 'long' }, async () => {
    const socket = await connect(app, await listOf(1_000))
    const line = lineOf(socket)
    const asked = socket.socket.timeout(60_000).emitWithAck('get_conversations', {} as never)
    line.pause()
    await sleep(1_500)
    line.resume()
    expect(await asked).toMatchObject({ ok: true })
    expect(socket.received('conversations').flat()).toHaveLength(1_000)
    expect(socket.socket.connected).toBe(true)
  })

  it('a long list counts several times towards the rate limit', { tags: 'long' }, async () => {
    const { host = '', user = '', database = '' } = ownerOf(app.platform)
    const limited = await startTestApp({ RATE_LIMIT_SCALE: '0.1' }, { database: { config: { host, user, database } } })
    try {
      const [much, little] = [await listOf(1_000), await listOf(1)]
      const codesOf = async (who: Person) => {
        const socket = await connect(limited, who)
        const codes = []
        for (let n = 0; n < 4; n++) codes.push((await socket.ask('get_conversations')).code)
        return codes
      }
      expect(await codesOf(much)).toEqual([undefined, undefined, undefined, 'rate_limited'])
      expect(await codesOf(little)).toEqual([undefined, undefined, undefined, undefined])
    } finally {
      await limited.close()
    }
  })

  it('a list loaded over HTTP has a cursor for later changes, unless the list was cut off', async () => {
    const [short, cut] = [await listOf(199), await listOf(200)]
    const loaded = await short.call('GET /api/messages/history')
    const since = loaded.headers.get(listCursorHeader) ?? undefined
    expect(loaded.body).toHaveLength(199)
    const socket = await connect(app, short)
    const peer = loaded.body[7] as { id: string }
    await socket.ask('send_message', outgoing(short, peer, 'later'))
    expect(await sync(socket, since)).toMatchObject({ ok: true, gone: [] })
    // While other transactions in the cluster are open, a change may be returned twice.
    expect(
      socket
        .received('conversations')
        .flat()
        .map(({ id }) => id),
    ).toContain(peer.id)
    await expect
      .poll(async () => (await syncConversations(app.platform, short.id, since)).conversations.map(({ id }) => id))
      .toEqual([peer.id])
    const { body, headers } = await cut.call('GET /api/messages/history')
    expect([body.length, headers.get(listCursorHeader)]).toEqual([200, null])
  })

  it('a device that asks for everything gets the names of all listed people, because erased accounts have no row', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const [cem] = (await people(app, 1)) as [Person]
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await (await connect(app, cem)).ask('send_message', outgoing(cem, ben))
    const { cursor, listed } = await sync(benSocket)
    expect(listed).toBeUndefined()
    await asOwner('delete from accounts where id = $1', [ana.id])
    expect((await sync(benSocket, cursor)).listed).toBeUndefined()
    expect(await sync(benSocket, 'everything')).toMatchObject({ gone: [], listed: [cem.id] })
  })
})

describe('reading', () => {
  it('reading also marks messages as delivered for the sender if read receipts are off', async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    await ben.call('PATCH /api/user/updateUser', { body: { readReceipts: false } })
    await benSocket.ask('send_message', outgoing(ben, ana))
    await anaSocket.ask('send_message', outgoing(ana, ben))
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
    expect(await anaSocket.next('conversation_delivered')).toEqual({ conversationId: ben.id, seq: 2 })
    await benSocket.ask('mark_as_read', { conversationId: ana.id, userId: ben.id })
    await anaSocket.ask('get_conversations')
    expect(anaSocket.received('conversation_delivered')).toHaveLength(1)
    expect(anaSocket.received('conversation_read')).toEqual([])
  })

  it('reading while a notification is being created leaves no unread notification', async () => {
    const [ana, ben, anaSocket] = await pair(app)
    await anaSocket.ask('send_message', outgoing(ana, ben))
    let reads = 0
    const db = app.platform.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (reads++ === 0) await readUpTo(app.platform, ben.id, ana.id)
        return result
      },
    })
    const absence = createAbsence({ ...app.platform, db })
    absence.tell({ senderId: ana.id, receiverId: ben.id, seq: 1 })
    await absence.drain()
    const { notifications } = (await ben.call('GET /api/notifications')).body
    expect(notifications.filter(({ kind }) => kind === 'message')).toMatchObject([{ read: true }])
  })
})

it("a conversation that can't be published doesn't crash the process", async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const warned = new Promise<string>((resolve) => {
    const log = { ...app.platform.log, warn: (_details: unknown, text: string) => resolve(text) } as never
    announceConversation({ ...app.platform, log, db: undefined as never }, ana.id, ben.id)
  })
  expect(await warned).toMatch(/was not told of/)
})
