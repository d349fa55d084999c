import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { days } from '../../platform/clock.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { like } from '../../test/likes.ts'
import { neighbours } from '../../test/neighbours.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { type Browser, type PushService, startPushService } from '../../test/push-service.ts'
import { connect } from '../../test/sockets.ts'
import { standstillMs } from '../../test/standstill.ts'
import { outgoing } from '../../test/talk.ts'
import { notify } from '../notifications/notifications.ts'
import { pushNotification } from './push.ts'

let app: TestApp
let service: PushService
beforeAll(async () => {
  service = await startPushService()
  app = await startTestApp({ PUSH_HOSTS: 'localhost' })
})
afterAll(async () => {
  await app.close()
  await service.close()
})

const { couple } = neighbours(() => app)

const usual = {
  push: { match: true, message: true, like: true, nearby: false, safety: true, account: false },
  email: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' } as const,
  lockScreen: 'text' as const,
  quietHours: null as { from: string; to: string } | null,
  timeZone: 'UTC',
}
const prefer = (who: Person, changes: Partial<typeof usual> | { lockScreen: 'name' | 'nothing' }) =>
  who.call('PUT /api/notifications/preferences', { body: { ...usual, ...changes } })

/** Also clears the sign-in notification. */
async function signInAgain(who: Person): Promise<Person> {
  await who.call('POST /api/user/requestOtp', { body: { email: who.email } })
  const body = { email: who.email, otp: await app.codeFor(who.email) }
  const { token } = (await who.call('POST /api/user/authenticate', { body })).body
  await who.call('PATCH /api/notifications', { body: { read: true } })
  return { ...who, token, ...caller(app.url, token) }
}

async function subscribe(who: Person, browser: Browser = service.newBrowser()): Promise<Browser> {
  const body = { ...browser.subscription, timeZone: 'UTC' }
  expect((await who.call('PUT /api/push/subscription', { body })).status).toBe(200)
  return browser
}

async function away(): Promise<[Person, Browser, Person]> {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  await prefer(ana, {})
  return [ana, await subscribe(ana), ben]
}

const idsOf = async (who: Person) =>
  (await app.platform.pool.query('select id from notifications where user_id = $1 order by created_at', [who.id])).rows

/** Runs a statement as the database's owner, who can read the job queue. */
async function asOwner(statement: string, values: string[] = []) {
  const { pool } = connectOwner(ownerOf(app.platform), () => undefined)
  return pool.query(statement, values).finally(() => pool.end())
}

async function deliver(who: Person): Promise<void> {
  for (const { id } of await idsOf(who)) await pushNotification(app.platform, id)
}

async function write(from: Person, to: Person, text = 'Hello'): Promise<void> {
  const device = await connect(app, from)
  await device.ask('send_message', outgoing(from, to, text))
  device.socket.disconnect()
  await vi.waitFor(
    async () => {
      const { body } = await to.call('GET /api/notifications')
      expect(
        body.notifications.some(({ kind, read, params }) => kind === 'message' && !read && params.preview === text),
      ).toBe(true)
    },
    { timeout: standstillMs },
  )
}

const kindsAt = (browser: Browser) => browser.received.map(({ message }) => message.kind)

it('A message to an offline person reaches their browser, and nobody else can read or forge it.', async () => {
  const [ana, browser, ben] = await away()
  await write(ben, ana, 'Shall we meet?')
  await deliver(ana)
  const [push] = browser.received.filter(({ message }) => message.kind === 'message')
  expect(push?.message).toEqual({
    id: expect.any(String),
    kind: 'message',
    params: { name: ben.name, preview: 'Shall we meet?' },
    link: `/chat/${ben.id}`,
    language: 'en',
    unread: [push?.message.id],
  })
  const { publicKey } = (await ana.call('GET /api/push')).body
  expect(push?.key).toBe(publicKey)
  expect(push?.token.aud).toBe(new URL(browser.subscription.endpoint).origin)
  expect(push?.token.sub).toBe('mailto:no-reply@duet.invalid')
  expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
  expect(push?.headers.topic).toMatch(/^[\w-]{1,32}$/)
})

it('The queue delivers a push a few seconds after the commit.', async () => {
  const [ana, browser] = await away()
  await prefer(ana, { push: { ...usual.push, account: true } })
  const failing = transaction(app.platform, async (tx) => {
    await notify(tx, ana.id, { kind: 'photo_rejected' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await transaction(app.platform, (tx) => notify(tx, ana.id, { kind: 'photo_approved' }))
  const notification = (await idsOf(ana)).at(-1)
  const dueNow =
    'update graphile_worker._private_jobs set run_at = now() where key = $1 and run_at > now() returning id'
  expect((await asOwner(dueNow, [`push:${notification?.id}`])).rows).toHaveLength(1)
  await vi.waitFor(() => expect(kindsAt(browser)).toContain('photo_approved'), { timeout: standstillMs })
  expect(kindsAt(browser)).not.toContain('photo_rejected')
})

it('By default a lock screen shows nothing, and all pushes have the same length.', async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const browser = await subscribe(ana)
  await write(ben, ana, 'x')
  await deliver(ana)
  await prefer(ana, { lockScreen: 'name' })
  const carl = await person(app)
  await write(carl, ana, 'a rather long message, all of which would tell how long it is')
  await deliver(ana)
  const [first, second] = browser.received
  expect(first?.message).toMatchObject({ kind: 'news', params: {} })
  expect(JSON.stringify(first?.message)).not.toContain(ben.name)
  expect(second?.message).toMatchObject({ kind: 'message', params: { name: carl.name } })
  expect(second?.message.params).not.toHaveProperty('preview')
  expect(first?.bytes).toBe(second?.bytes)
})

it('An unread notification is pushed once, whatever follows, and again after it was read.', async () => {
  const [ana, browser, ben] = await away()
  for (const text of ['one', 'two', 'three']) {
    await write(ben, ana, text)
    await Promise.all([deliver(ana), deliver(ana), deliver(ana)])
  }
  expect(kindsAt(browser).filter((kind) => kind === 'message')).toHaveLength(1)
  await ana.call('PATCH /api/notifications', { body: { read: true } })
  await write(ben, ana, 'four')
  await deliver(ana)
  expect(kindsAt(browser).filter((kind) => kind === 'message')).toHaveLength(2)
})

const betweenThem: [string, (ana: Person, ben: Person) => Promise<unknown>][] = [
  ['it was read', (ana) => ana.call('PATCH /api/notifications', { body: { read: true } })],
  ['they blocked the sender', (ana, ben) => ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })],
  ['the sender blocked them', (ana, ben) => ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })],
  [
    'they muted the conversation',
    (ana, ben) => ana.call('PATCH /api/conversations/:userId', { params: { userId: ben.id }, body: { muted: true } }),
  ],
  ['they signed out', (ana) => ana.call('POST /api/user/signOut')],
  ['they want no messages', (ana) => prefer(ana, { push: { ...usual.push, message: false } })],
  [
    'the sender was banned',
    async (_, ben) => {
      await app.platform.pool.query(`update accounts set standing = 'banned' where id = $1`, [ben.id])
      await app.platform.pool.query('update profiles set hidden = true where user_id = $1', [ben.id])
    },
  ],
  [
    'they were suspended',
    (ana) => app.platform.pool.query(`update accounts set standing = 'suspended' where id = $1`, [ana.id]),
  ],
  ['they use another of their devices', (ana) => connect(app, ana)],
  [
    'they took the browser off the list',
    async (ana) => {
      const [device] = (await ana.call('GET /api/push')).body.devices
      return ana.call('DELETE /api/push/devices/:id', { params: { id: device?.id ?? '' } })
    },
  ],
]

it.each(betweenThem)('Nothing is pushed when, between the message and the push, %s.', async (_, happen) => {
  const [ana, browser, ben] = await away()
  await write(ben, ana)
  await happen(ana, ben)
  await deliver(ana)
  expect(kindsAt(browser)).not.toContain('message')
})

it('Words hidden after a message was sent don’t show on a lock screen.', async () => {
  const [ana, browser, ben] = await away()
  await write(ben, ana, 'free bitcoin')
  await ana.call('PATCH /api/privacy', { body: { hiddenWords: ['bitcoin'] } })
  await deliver(ana)
  expect(browser.received.map(({ message }) => message.params.preview)).toContain('…')
})

it('A connected device in the background still gets the push.', async () => {
  const [ana, browser, ben] = await away()
  const device = await connect(app, ana)
  expect(await device.ask('looking', { looking: false })).toMatchObject({ ok: true })
  await write(ben, ana)
  await deliver(ana)
  expect(kindsAt(browser)).toContain('message')
})

it('A topic turned off in the app is pushed even while the person is using the app.', async () => {
  const [ana, browser] = await away()
  const like = () => transaction(app.platform, (tx) => notify(tx, ana.id, { kind: 'like' }))
  await connect(app, ana)
  await like()
  await deliver(ana)
  expect(kindsAt(browser)).toEqual([])
  const inApp = { match: true, message: true, like: false, nearby: true }
  await ana.call('PUT /api/notifications/preferences', { body: { ...usual, inApp } })
  await like()
  await deliver(ana)
  expect(kindsAt(browser)).toContain('like')
})

it('In quiet hours a push waits until they end, but a date check-in doesn’t.', async () => {
  const [ana, browser, ben] = await away()
  const minute = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString().slice(11, 16)
  await prefer(ana, { quietHours: { from: minute(-3_600_000), to: minute(3_600_000) } })
  await write(ben, ana)
  await transaction(app.platform, (tx) => notify(tx, ana.id, { kind: 'date_check_in', link: '/dates' }))
  await deliver(ana)
  expect(kindsAt(browser)).toEqual(['date_check_in'])
  const { rows } = await app.platform.pool.query(
    `select n.id from notifications n where n.user_id = $1 and n.kind = 'message'`,
    [ana.id],
  )
  expect(rows).toHaveLength(1)
  app.clock.advance(7_300_000)
  await deliver(ana)
  expect(kindsAt(browser)).toEqual(['date_check_in', 'message'])
})

it('A browser that is gone is forgotten, and a push service that is down is retried.', async () => {
  const [ana, browser, ben] = await away()
  browser.status = 503
  await write(ben, ana)
  await deliver(ana)
  expect(kindsAt(browser)).not.toContain('message')
  browser.status = 201
  await deliver(ana)
  expect(kindsAt(browser)).toContain('message')
  await ana.call('PATCH /api/notifications', { body: { read: true } })
  browser.status = 410
  await write(ben, ana)
  await deliver(ana)
  expect((await ana.call('GET /api/push')).body.devices).toEqual([])
})

it('A match is pushed to every browser of a person.', async () => {
  const [ana, ben] = await couple()
  const second = await signInAgain(ana)
  const [first, other] = [await subscribe(ana), await subscribe(second)]
  await like(ana, ben.id)
  await like(ben, ana.id)
  await deliver(ana)
  for (const browser of [first, other]) expect(kindsAt(browser)).toEqual(['news'])
})

it('A browser’s subscription moves to the account that signs in there.', async () => {
  const [ana, browser, ben] = await away()
  await subscribe(ben, browser)
  expect((await ana.call('GET /api/push')).body.devices).toEqual([])
  expect((await ben.call('GET /api/push')).body.devices).toMatchObject([{ current: true }])
})

it('A browser that several accounts subscribe at once belongs to one of them, and no call fails.', {
  tags: 'race',
}, async () => {
  const all = await people(app, 6)
  const browser = service.newBrowser()
  await Promise.all(all.map((who) => subscribe(who, browser)))
  const devices = await Promise.all(all.map(async (who) => (await who.call('GET /api/push')).body.devices.length))
  expect(devices.reduce((sum, count) => sum + count)).toBe(1)
})

it('No job queue is named after a person.', async () => {
  const [ana, , ben] = await away()
  await write(ben, ana)
  const { rows } = await asOwner('select queue_name from graphile_worker._private_job_queues')
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(ana.id)
})

it('Quiet hours that start and end at the same time are refused.', async () => {
  const [ana] = await away()
  expect((await prefer(ana, { quietHours: { from: '08:00', to: '08:00' } })).status).toBe(400)
})

it('A test push reports whether the push service accepted it.', async () => {
  const [ana, browser, ben] = await away()
  expect((await ana.call('POST /api/push/test')).body).toEqual({ sent: true })
  expect(kindsAt(browser)).toEqual(['test'])
  browser.status = 500
  expect((await ana.call('POST /api/push/test')).body).toEqual({ sent: false })
  expect((await ben.call('POST /api/push/test')).status).toBe(404)
})

it('Keys are replaced after a year, and browsers keep the old key until they subscribe again.', async () => {
  const [ana, browser, ben] = await away()
  const { publicKey: before } = (await ana.call('GET /api/push')).body
  app.clock.advance(days(366))
  await app.platform.pool.query(
    `update sessions set expires_at = expires_at + interval '2 years', idle_expires_at = idle_expires_at + interval '2 years'`,
  )
  const { publicKey: afterwards } = (await ana.call('GET /api/push')).body
  expect(afterwards).not.toBe(before)
  await write(ben, ana)
  await deliver(ana)
  expect(browser.received.at(-1)?.key).toBe(before)
  await subscribe(ana, browser)
  await ana.call('POST /api/push/test')
  expect(browser.received.at(-1)?.key).toBe(afterwards)
})
