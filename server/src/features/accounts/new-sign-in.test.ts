import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { after, days } from '../../platform/clock.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { unsubscribeToken } from '../mails/unsubscribing.ts'
import { mailTo, signInElsewhere } from './access.test-accounts.ts'
import { forgetExpired } from './accounts.ts'

let app: TestApp
let owner: ReturnType<typeof connectOwner>
beforeAll(async () => {
  // Silent, because emails fail on purpose here.
  app = await startTestApp({ LOG_LEVEL: 'silent' })
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const password = 'Correct horse 9'
const subject = /^New sign-in/
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const post = (path: string, body: object, cookie = '') =>
  caller(app.url).send('POST', `/api/user/${path}`, body, { 'user-agent': firefox, cookie })
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? ''

/** The number of sign-in notices an account got, counted once no email is queued. */
async function toldOf({ id, email }: Person): Promise<number> {
  const waiting = 'select from graphile_worker._private_jobs where payload::text like $1'
  await expect.poll(async () => (await owner.pool.query(waiting, [`%${id}%`])).rowCount).toBe(0)
  return app.mails.filter((mail) => mail.to === email && subject.test(mail.subject)).length
}

/** Signs in with the password, as a browser with the given cookie, and returns the browser's cookie. */
async function signInAt(who: Person, cookie = ''): Promise<string> {
  const answer = await post('authenticate', { email: who.email, password }, cookie)
  expect(answer.status).toBe(200)
  return cookieOf(answer)
}

describe('notices of sign-ins from new devices', () => {
  it("a sign-in from a new device is emailed with the device's name, even without other sessions", async () => {
    const who = await person(app, { password })
    await owner.pool.query('delete from sessions where user_id = $1', [who.id])
    await signInAt(who)
    const { text } = await mailTo(app, who.email, subject)
    expect(text).toContain('Firefox · Linux')
    expect(text).toContain('/settings/account')
  })

  it('sign-ins with a code and a recovery code are emailed like those with a password', async () => {
    const who = await person(app)
    const { recoveryCodes } = (await who.call('POST /api/user/recoveryCodes')).body
    await signInElsewhere(app, who.email, { recoveryCode: recoveryCodes[0] })
    await signInElsewhere(app, who.email)
    expect(await toldOf(who)).toBe(2)
  })

  it("the notice uses the account's previous language", async () => {
    const who = await person(app, { password })
    const headers = { 'accept-language': 'ar' }
    await caller(app.url).send('POST', '/api/user/authenticate', { email: who.email, password }, headers)
    await mailTo(app, who.email, subject)
  })

  it('no notice is sent at sign-up, or if a known browser signs in again', async () => {
    const who = await person(app, { password })
    expect(await toldOf(who)).toBe(0)
    const cookie = await signInAt(who)
    expect(await toldOf(who)).toBe(1)
    await owner.pool.query('delete from sessions where user_id = $1', [who.id])
    expect(await signInAt(who, cookie)).toBe(cookie)
    expect(await toldOf(who)).toBe(1)
  })

  it('a browser that has only checked a code still gets a notice at sign-in', async () => {
    const who = await person(app)
    await post('requestOtp', { email: who.email })
    const otp = await app.codeFor(who.email)
    const cookie = cookieOf(await post('verifyOtp', { email: who.email, otp }))
    expect((await post('authenticate', { email: who.email, otp }, cookie)).status).toBe(200)
    expect(await toldOf(who)).toBe(1)
  })

  it('a notice is sent again after a year, and after other devices were signed out', async () => {
    const who = await person(app, { password })
    const cookie = await signInAt(who)
    const later = { now: () => after(app.clock.now(), days(366)) }
    await forgetExpired({ db: owner.db, clock: later })
    await signInAt(who, cookie)
    expect(await toldOf(who)).toBe(2)
    const again = await signInElsewhere(app, who.email, { password })
    const { sessions } = (await again.call('GET /api/user/sessions')).body
    const id = sessions.find(({ current }) => !current)?.id ?? ''
    await again.call('DELETE /api/user/sessions/:id', { params: { id } })
    await signInAt(who, cookie)
    await again.call('POST /api/user/signOutEverywhere')
    await signInAt(who, cookie)
    expect(await toldOf(who)).toBe(5)
  })

  it('no notice is sent if the browser has just confirmed an address change', async () => {
    const who = await person(app, { password })
    const cookie = await signInAt(who)
    const email = `${randomUUID()}@example.com`
    const { body } = await post('authenticate', { email: who.email, password }, cookie)
    const told = await toldOf(who)
    const browser = caller(app.url, String(body.token))
    await browser.call('POST /api/user/addressChange', { body: { email } })
    const otp = await app.codeFor(email)
    const moved = await browser.send('POST', '/api/user/addressChange/confirm', { email, otp }, { cookie })
    expect(moved.status).toBe(200)
    await signInAt({ ...who, email }, cookieOf(moved))
    expect(await toldOf({ ...who, email })).toBe(0)
    expect(await toldOf(who)).toBe(told)
  })

  it('at most ten notices are sent in an hour, however often someone signs in', async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    onTestFinished(() => strict.close())
    const who = await person(strict, { password })
    for (let count = 0; count < 12; count++) await signInElsewhere(strict, who.email, { password })
    const isTold = ({ to, subject: about }: (typeof strict.mails)[number]) => to === who.email && subject.test(about)
    await expect.poll(() => strict.mails.filter(isTold).length).toBe(10)
    const { rows } = await strict.platform.pool.query(
      `select count(*)::int as count from notifications where user_id = $1 and kind = 'new_sign_in'`,
      [who.id],
    )
    expect(rows).toEqual([{ count: 12 }])
  })

  it('an account remembers its newest fifty devices', { tags: 'long' }, async () => {
    const who = await person(app, { password })
    const first = await signInAt(who)
    for (let count = 0; count < 50; count++) await signInAt(who)
    const last = await signInAt(who)
    const told = await toldOf(who)
    await signInAt(who, last)
    expect(await toldOf(who)).toBe(told)
    await signInAt(who, first)
    expect(await toldOf(who)).toBe(told + 1)
  })
})

const acts: Record<string, (thief: Person) => Promise<unknown>> = {
  'reads the notifications': (thief) => thief.call('PATCH /api/notifications', { body: { read: true } }),
  'deletes the notifications': (thief) => thief.call('DELETE /api/notifications'),
  'keeps a page open': (thief) => connect(app, thief).catch(() => undefined),
  'turns safety emails off': async (thief) => {
    const { body } = await thief.call('GET /api/notifications/preferences')
    const email = { ...body.email, safety: 'never' }
    return thief.send('PUT', '/api/notifications/preferences', { ...body, email })
  },
  'unsubscribes from everything': (thief) =>
    thief.send('POST', `/api/mail/unsubscribe?token=${unsubscribeToken(app.platform, thief.id, 'all')}`, {
      'List-Unsubscribe': 'One-Click',
    }),
  'signs the owner out': async (thief) => {
    const { sessions = [] } = (await thief.call('GET /api/user/sessions')).body
    for (const { id, current } of sessions)
      if (!current) await thief.call('DELETE /api/user/sessions/:id', { params: { id } })
  },
  'moves the address': async (thief) => {
    const email = `${randomUUID()}@example.com`
    if ((await thief.call('POST /api/user/addressChange', { body: { email } })).status !== 202) return
    const otp = await app.codeFor(email)
    await thief.call('POST /api/user/addressChange/confirm', { body: { email, otp } })
  },
  'sets a password': (thief) => thief.call('PUT /api/user/password', { body: { password: 'Mine now 123' } }),
  'changes the language': (thief) => thief.call('PUT /api/user/language', { body: { language: 'ar' } }),
  'asks for erasure': (thief) => thief.call('POST /api/erasure', { body: {} }),
  'signs out everywhere': (thief) => thief.call('POST /api/user/signOutEverywhere'),
}

/** Runs the thieves' actions while the owners' mailboxes refuse email, then lets all email through. */
async function rob(orders: readonly string[][]): Promise<string[][]> {
  const { mailer } = app.platform
  const { send } = mailer
  const shut = new Set<string>()
  mailer.send = (mail) => (shut.has(mail.to) ? Promise.reject(new Error('try again later')) : send(mail))
  onTestFinished(() => void Object.assign(mailer, { send }))
  const robbed: [order: string[], email: string][] = []
  for (const order of orders) {
    const { email } = await person(app, { password })
    shut.add(email)
    robbed.push([order, email])
    const thief = await signInElsewhere(app, email, { password })
    for (const act of order) await acts[act]?.(thief)
  }
  shut.clear()
  const isTold = (email: string) => app.mails.some((mail) => mail.to === email && subject.test(mail.subject))
  const untold = () => robbed.filter(([, email]) => !isTold(email)).map(([order]) => order)
  await expect
    .poll(
      async () => {
        await owner.pool.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
        return untold().length
      },
      { timeout: 60_000, interval: 250 },
    )
    .toBe(0)
    .catch(() => undefined)
  return untold()
}

const names = Object.keys(acts)

describe("an owner is emailed about a thief's sign-in", () => {
  it("a thief's sign-in is emailed, whatever single thing the thief does next", async () => {
    expect(await rob([[], ...names.map((name) => [name])])).toEqual([])
  })

  it("a thief's sign-in is emailed, whatever two things the thief does next", { tags: 'long' }, async () => {
    const pairs = names.flatMap((one) => names.filter((other) => other !== one).map((other) => [one, other]))
    expect(await rob([...pairs, names, names.toReversed()])).toEqual([])
  })
})
