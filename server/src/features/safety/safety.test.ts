import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { standstillMs } from '../../test/standstill.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const block = (viewer: Person, userId: string) => viewer.call('PUT /api/blocks/:userId', { params: { userId } })
const messageTo = (from: Person, to: Person) => ({
  id: randomUUID(),
  message: 'Hello',
  senderId: from.id,
  receiverId: to.id,
})

it('a block is silent and mutual, and ends everything immediately', async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const [anaSocket, benSocket] = [await connect(app, ana), await connect(app, ben)]
  await anaSocket.ask('send_message', messageTo(ana, ben))
  await benSocket.next('private message')
  expect((await block(ana, ben.id)).status).toBe(200)
  for (const [me, other, socket] of [
    [ana, ben, anaSocket],
    [ben, ana, benSocket],
  ] as const) {
    expect((await me.call('GET /api/user/:id', { params: { id: other.id } })).status).toBe(404)
    expect((await me.call('GET /api/messages/history')).body).toEqual([])
    expect((await me.call('GET /api/conversations/:userId/messages', { params: { userId: other.id } })).status).toBe(
      404,
    )
    expect(await socket.ask('send_message', messageTo(me, other))).toEqual({ ok: false, code: 'not_found' })
    expect(await socket.ask('mark_as_read', { conversationId: other.id, userId: me.id })).toEqual({
      ok: false,
      code: 'not_found',
    })
    expect(await socket.ask('get_or_create_conversation', { withUser: other.id })).toEqual({
      error: { code: 'not_found' },
    })
  }
  benSocket.socket.emit('typing', { to: ana.id })
  benSocket.socket.emit('get_conversations')
  expect(await benSocket.next('conversations', (rows) => rows.length === 0)).toEqual([])
  expect(anaSocket.received('typing')).toEqual([])
  expect((await ben.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)).toEqual(['welcome'])
})

it('a block waits for a like between the two that is being stored, so that no match follows it', async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const { pool } = app.platform
  const liking = await pool.connect()
  try {
    await liking.query('begin')
    await liking.query('select lock_pair($1, $2)', [ana.id, ben.id])
    let isBlocked = false
    const blocking = block(ana, ben.id).then(({ status }) => {
      isBlocked = true
      return status
    })
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect
      .poll(async () => isBlocked || ((await pool.query(waiting)).rowCount ?? 0) > 0, { timeout: standstillMs })
      .toBe(true)
    expect(isBlocked).toBe(false)
    await liking.query('commit')
    expect(await blocking).toBe(200)
  } finally {
    liking.release(true)
  }
})

it("a block hides both people's notifications about each other, and unblocking brings them back", async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  for (const [from, to] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    const { socket, ask } = await connect(app, from)
    await ask('send_message', { ...messageTo(from, to), message: 'You will regret this' })
    socket.disconnect()
  }
  const listOf = async (who: Person) => (await who.call('GET /api/notifications')).body.notifications
  const told = async (who: Person) => (await listOf(who)).map(({ kind }) => kind)
  await expect.poll(() => told(ana)).toEqual(['message', 'welcome'])
  const [first] = await listOf(ana)
  await block(ana, ben.id)
  for (const who of [ana, ben]) expect(await told(who)).toEqual(['welcome'])
  const read = () => ana.call('PATCH /api/notifications/:id', { params: { id: first?.id ?? '' }, body: { read: true } })
  expect((await read()).status).toBe(404)
  await ana.call('DELETE /api/blocks/:userId', { params: { userId: ben.id } })
  expect(await told(ana)).toEqual(['message', 'welcome'])
  expect((await read()).status).toBe(200)
})

it('blocking answers the same for existing, erased and unknown people, and lists only people who existed', async () => {
  const [ana, ben, blocker, hidden, suspended] = (await people(app, 5)) as [Person, Person, Person, Person, Person]
  await block(blocker, ana.id)
  await hidden.call('PATCH /api/privacy', { body: { incognito: true } })
  await app.platform.pool.query('update profiles set hidden = true where user_id = $1', [suspended.id])
  const ids = [ben, blocker, hidden, suspended, { id: randomUUID() }].map(({ id }) => id)
  const answers = async (act: (userId: string) => Promise<object>) =>
    new Set(await Promise.all(ids.map(async (id) => JSON.stringify(await act(id)))))
  const plain = ({ status, body }: { status: number; body: object }) => ({ status, body })
  expect([...(await answers(async (id) => plain(await block(ana, id))))]).toEqual(['{"status":200,"body":{"ok":true}}'])
  expect((await ana.call('GET /api/blocks')).body.users.map(({ id }) => id)).toEqual([ben.id])
  await hidden.call('PATCH /api/privacy', { body: { incognito: false } })
  expect((await hidden.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(404)
  const unblock = async (userId: string) => plain(await ana.call('DELETE /api/blocks/:userId', { params: { userId } }))
  expect([...(await answers(unblock))]).toEqual(['{"status":200,"body":{"ok":true}}'])
})

it('a block can be repeated, listed and ended', async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  await Promise.all(Array.from({ length: 5 }, () => block(ana, ben.id)))
  expect((await ana.call('GET /api/blocks')).body.users).toEqual([
    { id: ben.id, name: 'Jun', since: expect.any(String) },
  ])
  expect((await ben.call('GET /api/blocks')).body.users).toEqual([])
  expect((await ben.call('DELETE /api/blocks/:userId', { params: { userId: ana.id } })).status).toBe(200)
  expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(404)
  expect((await ana.call('DELETE /api/blocks/:userId', { params: { userId: ben.id } })).status).toBe(200)
  expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(200)
})

it.each(['no-one', '%00', 'x'.repeat(90)])('blocking %s is a 404', async (userId) => {
  const [ana] = (await people(app, 1)) as [Person]
  expect((await ana.send('PUT', `/api/blocks/${userId}`)).status).toBe(404)
})

it('nobody can block themselves', async () => {
  const [ana] = (await people(app, 1)) as [Person]
  expect((await block(ana, ana.id)).status).toBe(400)
})
