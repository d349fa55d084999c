import { afterAll, beforeAll, expect, it } from 'vitest'
import { days, hours, minutes } from '../../platform/clock.ts'
import { smtpMailer } from '../../platform/mailer.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { type NotificationInput, notify } from '../notifications/notifications.ts'
import { putStop } from './mails.queries.ts'
import { mailUntold } from './news.ts'
import { resumeMails } from './sending.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const atFirst = {
  match: 'now',
  message: 'now',
  like: 'daily',
  nearby: 'daily',
  safety: 'now',
  account: 'daily',
} as const
const usual = {
  push: { match: true, message: true, like: false, nearby: false, safety: true, account: false },
  email: atFirst as Record<keyof typeof atFirst, 'now' | 'daily' | 'weekly' | 'never'>,
  lockScreen: 'text' as 'text' | 'name' | 'nothing',
  quietHours: null as { from: string; to: string } | null,
  timeZone: 'UTC',
}
const prefer = (who: Person, changes: Partial<typeof usual>) =>
  who.call('PUT /api/notifications/preferences', { body: { ...usual, ...changes } })

async function pairAt(time: string, changes: Partial<typeof usual> = {}): Promise<[Person, Person]> {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  await prefer(ana, changes)
  moveTo(time)
  return [ana, ben]
}

function moveTo(time: string): void {
  const now = app.clock.now()
  const then = new Date(`${now.toISOString().slice(0, 10)}T${time}:30Z`)
  const ahead = then.getTime() - now.getTime()
  app.clock.advance(ahead < 0 ? ahead + days(1) : ahead)
}

const write = (to: Person, from: Person, preview = 'Hello') =>
  tell(to, {
    kind: 'message',
    params: { name: from.name, preview },
    link: `/chat/${from.id}`,
    collapseKey: `chat:${from.id}`,
  })
const like = (to: Person, from: Person) =>
  tell(to, { kind: 'like', params: { name: from.name }, link: '/likes', collapseKey: `pair:${from.id}` })
const tell = (to: Person, input: NotificationInput) => transaction(app.platform, (tx) => notify(tx, to.id, input))
const newsOf = ({ email }: Person) =>
  app.mails.filter(({ to, unsubscribeUrl }) => to === email && unsubscribeUrl !== undefined)
const run = () => mailUntold(app.platform)

it('a message nobody has seen for an hour is emailed once, and one click unsubscribes', async () => {
  const [ana, ben] = await pairAt('12:00')
  await write(ana, ben, 'Shall we meet?')
  await run()
  expect(newsOf(ana)).toEqual([])
  app.clock.advance(hours(1))
  await Promise.all([run(), run()])
  await run()
  const [mail, ...more] = newsOf(ana)
  expect(more).toEqual([])
  expect(mail?.text).toContain(ben.name)
  expect(mail?.text).toContain('Shall we meet?')
  const answer = await fetch(mail?.unsubscribeUrl?.replace(/^https?:\/\/[^/]+/, app.url) ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(answer.status).toBe(200)
  await ana.call('PATCH /api/notifications', { body: { read: true } })
  app.clock.advance(hours(5))
  await write(ana, ben)
  app.clock.advance(hours(1))
  await run()
  expect(newsOf(ana)).toHaveLength(1)
})

it("a chatty sender doesn't delay the email: the first unseen message counts", async () => {
  const [ana, ben] = await pairAt('12:00')
  for (let n = 0; n <= 13; n += 1) {
    if (n % 5 === 0) await write(ana, ben, `number ${n}`)
    await run()
    app.clock.advance(minutes(10))
  }
  expect(newsOf(ana)).toHaveLength(1)
  expect(newsOf(ana)[0]?.text).toContain('number 5')
})

it('a match that replaces an older like waits for its own hour', async () => {
  const [ana, ben] = await pairAt('12:00')
  await like(ana, ben)
  app.clock.advance(minutes(50))
  const { id, name } = ben
  await tell(ana, { kind: 'match', params: { name }, link: `/chat/${id}`, collapseKey: `pair:${id}` })
  app.clock.advance(minutes(50))
  await run()
  expect(newsOf(ana)).toEqual([])
  app.clock.advance(minutes(11))
  await run()
  expect(newsOf(ana)).toHaveLength(1)
})

it("news of a group that someone unsubscribed from isn't marked as emailed, and comes once they resubscribe", async () => {
  const [ana, ben] = await pairAt('12:00')
  await putStop(app.platform.db, ana.id, 'messages', app.clock.now())
  await write(ana, ben)
  app.clock.advance(hours(1))
  await run()
  const stored = `select mailed_at from notifications where user_id = $1 and kind = 'message'`
  expect((await app.platform.pool.query(stored, [ana.id])).rows).toEqual([{ mailed_at: null }])
  await resumeMails(app.platform, ana.id, 'messages')
  await run()
  expect(newsOf(ana)).toHaveLength(1)
})

it('by default an email names nobody', async () => {
  const [ana, ben] = [await person(app, { name: 'Ana' }), await person(app, { name: 'Benedikt' })]
  await write(ana, ben, 'a secret')
  app.clock.advance(hours(1) + minutes(1))
  await run()
  const [mail] = newsOf(ana)
  expect(mail).toBeDefined()
  expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(new RegExp(`${ben.name}|secret`))
})

const meanwhile: [string, (ana: Person, ben: Person) => Promise<unknown>][] = [
  ['it was read', (ana) => ana.call('PATCH /api/notifications', { body: { read: true } })],
  ['they blocked the sender', (ana, ben) => ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })],
  ['the sender blocked them', (ana, ben) => ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })],
  ['they want none', (ana) => prefer(ana, { email: { ...atFirst, message: 'never' } })],
  ['they are here', (ana) => connect(app, ana)],
  [
    'it was pushed',
    (ana) => app.platform.pool.query('update notifications set pushed_at = now() where user_id = $1', [ana.id]),
  ],
  [
    'they were suspended',
    (ana) => app.platform.pool.query(`update accounts set standing = 'suspended' where id = $1`, [ana.id]),
  ],
  [
    'their account is about to be erased',
    (ana) => app.platform.pool.query('update accounts set erase_at = now() where id = $1', [ana.id]),
  ],
]

it.each(meanwhile)('nothing is emailed when, within the hour, %s', async (_, happen) => {
  const [ana, ben] = await pairAt('12:00')
  await write(ana, ben)
  await happen(ana, ben)
  app.clock.advance(hours(1) + minutes(1))
  await run()
  expect(newsOf(ana)).toEqual([])
})

it("likes are emailed together in the evening of the person's time zone, and weekly news on Thursday", async () => {
  const [ana, ben] = await pairAt('10:00', { timeZone: 'Asia/Kolkata', email: { ...atFirst, nearby: 'weekly' } })
  const [cem] = (await people(app, 1)) as [Person]
  await like(ana, ben)
  await like(ana, cem)
  app.clock.advance(hours(1))
  await run()
  expect(newsOf(ana)).toEqual([])
  moveTo('12:30')
  await run()
  const [mail] = newsOf(ana)
  expect(mail?.text).toContain(ben.name)
  expect(mail?.text).toContain(cem.name)
  expect(newsOf(ana)).toHaveLength(1)
})

it('without preferences, people get daily news in the evening at their location', async () => {
  const there = { latitude: -33.87, longitude: 151.21 }
  const [ana, ben] = [await person(app, { name: 'Ana', at: there }), await person(app, { name: 'Ben' })]
  moveTo('05:00')
  await like(ana, ben)
  // 18:00 in Sydney is 7:00 or 8:00 in UTC, depending on the season.
  for (const time of ['06:30', '07:00', '07:30', '08:00', '08:30']) {
    moveTo(time)
    await run()
  }
  expect(newsOf(ana)).toHaveLength(1)
})

it('a failing mail server is retried, and the news is emailed once', async () => {
  const [ana, ben] = await pairAt('12:00')
  await write(ana, ben)
  app.clock.advance(hours(1) + minutes(1))
  const { send } = app.platform.mailer
  app.platform.mailer.send = () => Promise.reject(new Error('away'))
  await run()
  app.platform.mailer.send = send
  expect(newsOf(ana)).toEqual([])
  app.clock.advance(minutes(10))
  await run()
  await run()
  expect(newsOf(ana)).toHaveLength(1)
})

it('a run ends once the mail server has hung for three emails in a row, whether or not they were handed over', async () => {
  const readers = await people(app, 6)
  moveTo('12:00')
  for (const who of readers) {
    await prefer(who, { timeZone: 'UTC' })
    await write(who, who)
  }
  app.clock.advance(hours(1) + minutes(1))
  const { send } = app.platform.mailer
  let tries = 0
  app.platform.mailer.send = () => {
    tries += 1
    return Promise.reject(Object.assign(new Error('no answer'), { code: 'EUNCERTAIN' }))
  }
  await run()
  app.platform.mailer.send = send
  expect(tries).toBe(3)
})

it("an email handed over before the connection broke may have arrived, and isn't sent again", async () => {
  const server = await startMailServer()
  const mailer = smtpMailer(server.url, 'Duet <no-reply@example.org>')
  const { send } = app.platform.mailer
  app.platform.mailer.send = mailer.send
  const [ana, ben] = await pairAt('12:00')
  await write(ana, ben)
  app.clock.advance(hours(1))
  server.isMute = true
  await run()
  server.isMute = false
  app.clock.advance(hours(5))
  await run()
  app.platform.mailer.send = send
  expect(server.received.filter(({ to }) => to.includes(ana.email))).toHaveLength(1)
  mailer.close()
  await server.close()
})

it('a digest that fails in the evening comes once when the mail server is back', async () => {
  const [ana, ben] = await pairAt('15:00')
  await like(ana, ben)
  moveTo('18:00')
  const { send } = app.platform.mailer
  app.platform.mailer.send = () => Promise.reject(new Error('away'))
  await run()
  app.platform.mailer.send = send
  expect(newsOf(ana)).toEqual([])
  for (const time of ['18:20', '18:30', '18:40']) {
    moveTo(time)
    await run()
    await like(ana, (await people(app, 1))[0] as Person)
  }
  moveTo('21:00')
  await run()
  expect(newsOf(ana)).toHaveLength(1)
})

it('on Thursday, daily and weekly news comes in one email', async () => {
  const [ana, ben] = await pairAt('15:00', { email: { ...atFirst, nearby: 'weekly' } })
  while (app.clock.now().getUTCDay() !== 4) app.clock.advance(days(1))
  await like(ana, ben)
  await tell(ana, { kind: 'nearby', params: { name: 'Nadia' }, link: '/home' })
  moveTo('18:00')
  await run()
  const [mail, ...more] = newsOf(ana)
  expect(more).toEqual([])
  expect(mail?.text).toContain(ben.name)
  expect(mail?.text).toContain('Nadia')
})

it("clearing the notifications doesn't bring the next email forward", async () => {
  const [ana, ben] = await pairAt('10:00')
  await write(ana, ben)
  app.clock.advance(hours(1))
  await run()
  expect(newsOf(ana)).toHaveLength(1)
  await ana.call('DELETE /api/notifications')
  await write(ana, ben)
  app.clock.advance(hours(2))
  await run()
  expect(newsOf(ana)).toHaveLength(1)
  app.clock.advance(hours(2))
  await run()
  expect(newsOf(ana)).toHaveLength(2)
})

it('news that waited for the end of quiet hours is pushed, and emailed only if that fails', async () => {
  const night = { quietHours: { from: '22:00', to: '08:00' } }
  const [[ana, ben], eva] = [await pairAt('02:00', night), await person(app, { name: 'Eva' })]
  await prefer(eva, night)
  const key = `insert into push_keys (public_key, private_key, created_at) values ('key', '', now())`
  await app.platform.pool.query(key)
  await app.platform.pool.query(
    `insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, public_key, created_at)
    select user_id, id, 'https://localhost/1', '', '', 'key', now() from sessions where user_id = $1`,
    [ana.id],
  )
  for (const who of [ana, eva]) await write(who, ben)
  const had = async (time: string) => {
    moveTo(time)
    await run()
    return [newsOf(ana).length, newsOf(eva).length]
  }
  expect(await had('07:50')).toEqual([0, 0])
  expect(await had('08:00')).toEqual([0, 1])
  expect(await had('09:00')).toEqual([1, 1])
})

it("an unknown time zone doesn't keep others from getting their emails", async () => {
  const [ana, ben] = await pairAt('12:00')
  await write(ana, ben)
  await write(ben, ana)
  await prefer(ben, {})
  await app.platform.pool.query(`update notification_preferences set time_zone = 'Mars/Olympus' where user_id = $1`, [
    ben.id,
  ])
  app.clock.advance(hours(1))
  await run()
  expect(newsOf(ana)).toHaveLength(1)
})
