import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { after, minutes, seconds } from '../../platform/clock.ts'
import type { Mail } from '../../platform/mailer.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller } from '../../test/people.ts'
import { consumeCode, hasLiveCode, putCode } from './accounts.queries.ts'
import { deliverCode } from './code-delivery.ts'
import { sendCode } from './codes.ts'

let app: TestApp
let send: (mail: Mail) => Promise<void>
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'silent', RATE_LIMIT_SCALE: '1' })
  send = app.platform.mailer.send
})
afterAll(() => app.close())

/** Makes the mail server refuse the next `count` emails, all of them by default. */
function breakServer(count = Number.POSITIVE_INFINITY, error: object = { code: 'ETIMEDOUT' }): { tries: number } {
  const seen = { tries: 0 }
  app.platform.mailer.send = (mail) =>
    ++seen.tries <= count ? Promise.reject(Object.assign(new Error('not taken'), error)) : send(mail)
  onTestFinished(() => {
    app.platform.mailer.send = send
  })
  return seen
}

const fresh = () => `${crypto.randomUUID()}@example.com`
const ask = (email: string) => caller(app.url).call('POST /api/user/requestOtp', { body: { email } })
const counted = async (): Promise<number> => {
  const sum = `select coalesce(sum(points), 0)::int as n from rate_limits where key ~ '^code_(address|mailbox)'`
  return (await app.platform.pool.query(sum)).rows[0]?.n
}

it('a code is emailed once the mail server accepts it, works, and counts from then on', async () => {
  const email = fresh()
  await sendCode(app.platform, fresh(), { network: '192.0.2.1' })
  await expect.poll(() => app.mails.length).toBe(1)
  const forOne = await counted()
  breakServer(3)
  await sendCode(app.platform, email, { network: '192.0.2.2' }, [0])
  const otp = await app.codeFor(email)
  expect((await caller(app.url).call('POST /api/user/verifyOtp', { body: { email, otp } })).status).toBe(200)
  await expect.poll(counted).toBe(2 * forOne)
})

const gone = { code: 'EENVELOPE', command: 'RCPT TO', response: '550 5.1.1 No such user', responseCode: 550 }
const code = (email: string, hash: string) => {
  const now = app.clock.now()
  return putCode(app.platform.db, { email, hash, now, expiresAt: after(now, minutes(10)) })
}

it.each<[string, (email: string) => unknown]>([
  ['is used', (email) => consumeCode(app.platform.db, email, 'first')],
  ['is replaced by another one', (email) => code(email, 'second')],
  ['is too old', () => app.clock.advance(minutes(10))],
])('a code that could not be emailed is retried until it %s', async (_what, end) => {
  const [email, seen] = [fresh(), breakServer()]
  await code(email, 'first')
  const isLive = () => hasLiveCode(app.platform.db, email, 'first', app.clock.now())
  const delivered = deliverCode(app.platform, { mail: { to: email, subject: 'Code', text: '1' }, isLive }, [0])
  await expect.poll(() => seen.tries).toBeGreaterThan(2)
  await end(email)
  expect(await delivered).toBe(false)
})

it.each([
  ['to a mailbox that is gone', gone],
  ['that is refused for good', { ...gone, response: '550 Requested action not taken: mailbox unavailable' }],
  ['that may have been taken', { code: 'EUNCERTAIN' }],
])("a code %s isn't retried", async (_what, error) => {
  const seen = breakServer(Number.POSITIVE_INFINITY, error)
  const mail = { to: fresh(), subject: 'Code', text: '1' }
  expect(await deliverCode(app.platform, { mail, isLive: async () => true }, [0])).toBe(false)
  expect(seen.tries).toBe(1)
})

it('a code is retried for ten minutes while the database is down', async () => {
  const seen = breakServer()
  const isAway = () => Promise.reject(new Error('the database is away'))
  const mail = { to: fresh(), subject: 'Code', text: '1' }
  const delivered = deliverCode(app.platform, { mail, isLive: isAway, onLate: isAway }, [0])
  await expect.poll(() => seen.tries).toBeGreaterThan(2)
  app.clock.advance(minutes(10))
  expect(await delivered).toBe(false)
})

it('a code that the mail server refuses counts towards no limit', async () => {
  const before = await counted()
  breakServer(Number.POSITIVE_INFINITY, { ...gone, response: '550 relay not permitted' })
  expect((await ask(fresh())).status).toBe(202)
  await expect.poll(counted).toBe(before)
})

it('a code that could not be emailed counts towards no limit, and its log line names the request', async () => {
  const error = vi.spyOn(app.platform.log, 'error')
  const email = fresh()
  const before = await counted()
  breakServer()
  for (let n = 0; n < 5; n++) {
    expect((await ask(email)).status).toBe(202)
    app.clock.advance(seconds(31))
  }
  await expect.poll(counted).toBe(before)
  app.platform.mailer.send = send
  expect((await ask(email)).status).toBe(202)
  expect(await app.codeFor(email)).toMatch(/^\d{8}$/)
  const lines = error.mock.calls.filter(([, message]) => /^a code could not be mailed yet/.test(String(message)))
  expect(lines).toHaveLength(5)
  for (const [details] of lines) expect(details).toMatchObject({ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  error.mockRestore()
})
