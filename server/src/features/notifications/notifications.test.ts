import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { notify } from './notifications.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const tell = (userId: string, params = {}, collapseKey?: string) =>
  transaction(app.platform, (tx) =>
    notify(tx, userId, { kind: 'photo_approved', params, ...(collapseKey && { collapseKey }) }),
  )
const listOf = async (viewer: Person) => (await viewer.call('GET /api/notifications')).body.notifications

it('the list is newest first, with everything an item shows', async () => {
  const me = await person(app)
  await tell(me.id)
  const list = await listOf(me)
  expect(list.map(({ kind }) => kind)).toEqual(['photo_approved', 'welcome'])
  expect(list[0]).toEqual({
    id: expect.any(String),
    kind: 'photo_approved',
    params: {},
    title: 'Your photo was approved',
    message: 'Everyone who can see your profile can see it.',
    type: 'success',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    read: false,
  })
})

it('notifications of a kind that only a newer Duet knows are left out, and neither read nor deleted with the others', async () => {
  const me = await person(app)
  await app.platform.pool.query(
    `insert into notifications (user_id, kind, created_at) values ($1, 'of a newer Duet', now())`,
    [me.id],
  )
  expect((await listOf(me)).map(({ kind }) => kind)).toEqual(['welcome'])
  const kept = `select id, read from notifications where user_id = $1 and kind = 'of a newer Duet'`
  const { rows } = await app.platform.pool.query(kept, [me.id])
  const params = { id: rows[0].id as string }
  expect((await me.call('PATCH /api/notifications/:id', { params, body: { read: true } })).status).toBe(404)
  await me.call('PATCH /api/notifications', { body: { read: true } })
  await me.call('DELETE /api/notifications')
  expect((await app.platform.pool.query(kept, [me.id])).rows).toEqual([{ ...params, read: false }])
})

it('a notification is delivered live to every device', async () => {
  const me = await person(app)
  const devices = [await connect(app, me), await connect(app, me)]
  await tell(me.id)
  for (const device of devices) expect(await device.next('notification')).toMatchObject({ kind: 'photo_approved' })
})

it('a notification in a transaction that fails is delivered to nobody', async () => {
  const me = await person(app)
  const device = await connect(app, me)
  const failing = transaction(app.platform, async (tx) => {
    await notify(tx, me.id, { kind: 'photo_approved' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await tell(me.id)
  await device.next('notification')
  expect(device.received('notification')).toHaveLength(1)
  expect(await listOf(me)).toHaveLength(2)
})

it('a notification is marked read on every device', async () => {
  const me = await person(app)
  const device = await connect(app, me)
  const [first] = await listOf(me)
  const { status, body } = await me.call('PATCH /api/notifications/:id', {
    params: { id: first?.id ?? '' },
    body: { read: true },
  })
  expect(status).toBe(200)
  expect(body.read).toBe(true)
  await device.next('notifications_changed')
})

it('all notifications can be marked read together', async () => {
  const me = await person(app)
  await tell(me.id)
  const { body } = await me.call('PATCH /api/notifications', { body: { read: true } })
  expect(body.notifications.map(({ read }) => read)).toEqual([true, true])
})

it('notifications can be cleared', async () => {
  const me = await person(app)
  expect((await me.call('DELETE /api/notifications')).body).toEqual({ ok: true })
  expect(await listOf(me)).toEqual([])
})

const usual = {
  push: { match: true, message: true, like: true, nearby: true, safety: true, account: true },
  email: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' } as const,
  lockScreen: 'nothing' as const,
  quietHours: null,
  timeZone: 'UTC',
}
const withoutLikes = { match: true, message: true, like: false, nearby: true }

it('topics turned off in the list are left out, keep unread and undeleted, and return when turned on', async () => {
  const me = await person(app)
  const prefer = (inApp?: typeof withoutLikes) =>
    me.call('PUT /api/notifications/preferences', { body: { ...usual, ...(inApp && { inApp }) } })
  expect((await prefer(withoutLikes)).body.inApp).toEqual(withoutLikes)
  const device = await connect(app, me)
  await transaction(app.platform, (tx) => notify(tx, me.id, { kind: 'like' }))
  await tell(me.id)
  expect(await device.next('notification')).toMatchObject({ kind: 'photo_approved' })
  expect((await listOf(me)).map(({ kind }) => kind)).toEqual(['photo_approved', 'welcome'])
  await me.call('PATCH /api/notifications', { body: { read: true } })
  await me.call('DELETE /api/notifications')
  expect((await prefer()).body.inApp).toEqual(withoutLikes)
  await prefer({ ...withoutLikes, like: true })
  expect(await listOf(me)).toMatchObject([{ kind: 'like', read: false }])
})

it("safety and account notifications can't be turned off in the list", async () => {
  const me = await person(app)
  const body = { ...usual, inApp: { ...withoutLikes, safety: false } }
  expect((await me.send('PUT', '/api/notifications/preferences', body)).status).toBe(400)
})

it('notifications with one key replace each other while unread, but not once read', async () => {
  const me = await person(app)
  await tell(me.id, { n: '1' }, 'key')
  await tell(me.id, { n: '2' }, 'key')
  expect((await listOf(me)).filter(({ kind }) => kind === 'photo_approved')).toMatchObject([{ params: { n: '2' } }])
  await me.call('PATCH /api/notifications', { body: { read: true } })
  await tell(me.id, { n: '3' }, 'key')
  expect((await listOf(me)).filter(({ kind }) => kind === 'photo_approved')).toHaveLength(2)
})

it("someone else's, unknown and malformed notifications give the same 404", async () => {
  const [me, other] = (await people(app, 2)) as [Person, Person]
  const [foreign] = await listOf(other)
  const answers = await Promise.all(
    [foreign?.id ?? '', randomUUID(), 'nothing'].map((id) =>
      me.call('PATCH /api/notifications/:id', { params: { id }, body: { read: true } }),
    ),
  )
  for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'not_found'])
  expect((await listOf(other))[0]?.read).toBe(false)
})

it.each([{}, { read: false }, { read: 'yes' }, { read: true, all: true }])(
  'an update with %j is refused',
  async (body) => {
    const me = await person(app)
    expect((await me.send('PATCH', '/api/notifications', body)).status).toBe(400)
  },
)

it('up to 200 notifications are kept', { tags: 'long' }, async () => {
  const me = await person(app)
  for (let n = 0; n < 205; n++) {
    // Within one millisecond, the order of notifications is undefined.
    app.clock.advance(1)
    await tell(me.id, { n: String(n) })
  }
  const list = await listOf(me)
  expect(list).toHaveLength(200)
  expect(list[0]?.params).toEqual({ n: '204' })
})
