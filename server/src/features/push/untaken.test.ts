import { afterAll, beforeAll, expect, it } from 'vitest'
import { hours, minutes } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { withBadRow } from '../../test/bad-row.ts'
import { type Person, people } from '../../test/people.ts'
import { type Browser, type PushService, startPushService } from '../../test/push-service.ts'
import { mailUntold } from '../mails/news.ts'
import { notify, takeToTell } from '../notifications/notifications.ts'
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

async function written(): Promise<[Person, Browser, string]> {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const browser = service.newBrowser()
  await ana.call('PUT /api/push/subscription', { body: { ...browser.subscription, timeZone: 'UTC' } })
  await app.platform.pool.query('delete from notifications where user_id = $1', [ana.id])
  const link = `/chat/${ben.id}`
  await transaction(app.platform, (tx) => notify(tx, ana.id, { kind: 'message', params: { name: ben.name }, link }))
  const { rows } = await app.platform.pool.query('select id from notifications where user_id = $1', [ana.id])
  return [ana, browser, rows[0].id]
}
const idsAt = (browser: Browser) => browser.received.map(({ message }) => message.id)

const gone: [string, (ana: Person, browser: Browser) => unknown][] = [
  ['the push service has forgotten the browser', (_, browser) => Object.assign(browser, { status: 410 })],
  [
    'the operator no longer allows the push service',
    ({ id }) =>
      app.platform.pool.query(`update push_subscriptions set endpoint = 'https://other.example/1' where user_id = $1`, [
        id,
      ]),
  ],
  [
    'the SECRET_KEY that sealed its keys is gone',
    async ({ id }) => {
      const { pool } = app.platform
      await pool.query(`insert into push_keys (public_key, private_key, created_at) values ('lost', 'x', '2020-01-01')`)
      await pool.query(`update push_subscriptions set public_key = 'lost' where user_id = $1`, [id])
    },
  ],
]

it.each(gone)('a notification is emailed an hour later when %s', async (_, happen) => {
  const [ana, browser, id] = await written()
  await happen(ana, browser)
  await pushNotification(app.platform, id)
  app.clock.advance(hours(1))
  await mailUntold(app.platform)
  expect(app.mails.filter(({ to, unsubscribeUrl }) => to === ana.email && unsubscribeUrl)).toHaveLength(1)
  expect(browser.received).toEqual([])
})

it("a notification is kept for email or a later push when an expired subscription can't be deleted", async () => {
  const [ana, browser, id] = await written()
  browser.status = 410
  const bad = { table: 'push_subscriptions', column: 'user_id', value: ana.id }
  await withBadRow(app, bad, () => pushNotification(app.platform, id))
  browser.status = 201
  await pushNotification(app.platform, id)
  expect(idsAt(browser)).toEqual([id])
})

it('a notification that a process was pushing when it ended is pushed after its claim has expired', async () => {
  const [, browser, id] = await written()
  await takeToTell(app.platform, id)
  await pushNotification(app.platform, id)
  expect(idsAt(browser)).toEqual([])
  app.clock.advance(minutes(11))
  await pushNotification(app.platform, id)
  expect(idsAt(browser)).toEqual([id])
})
