import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, person } from '../../test/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const fresh = () => `${crypto.randomUUID()}@example.com`
const anonymous = () => caller(app.url)

async function codeFor(email: string): Promise<string> {
  app.clock.advance(seconds(31))
  await anonymous().call('POST /api/user/requestOtp', { body: { email } })
  return app.codeFor(email)
}

const wrongCode = (right: string) => String((Number(right) + 1) % 100_000_000).padStart(8, '0')
const verify = (email: string, otp: string) => anonymous().call('POST /api/user/verifyOtp', { body: { email, otp } })
const signIn = (email: string, otp: string) => anonymous().call('POST /api/user/authenticate', { body: { email, otp } })
const register = (email: string, otp: string, headers = {}) =>
  anonymous().send(
    'POST',
    '/api/user/register',
    { email, otp, name: 'Ana', birthDate: '1994-05-17', acceptTerms: true },
    headers,
  )
const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

async function triesOf(email: string) {
  return app.platform.db
    .selectFrom('sign_in_codes')
    .select(['tries', 'known_tries'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
}

describe('checking a code', () => {
  it('checking a code reveals that the address has no account, and the code then registers', async () => {
    const email = fresh()
    const otp = await codeFor(email)
    const { status, body } = await verify(email, otp)
    expect([status, body]).toEqual([200, { hasAccount: false }])
    expect((await register(email, otp)).status).toBe(201)
    expect((await verify(email, otp)).status).toBe(401)
  })

  it('checking a code reveals that the address has an account, and the code then signs in once', async () => {
    const { email } = await person(app)
    const otp = await codeFor(email)
    expect((await verify(email, otp)).body).toEqual({ hasAccount: true })
    expect((await signIn(email, otp)).status).toBe(200)
    expect((await signIn(email, otp)).status).toBe(401)
  })

  it('a wrong code gets the same response with an account, without one and without a code', async () => {
    const [{ email: known }, unknown] = [await person(app), fresh()]
    const codes = [await codeFor(known), await codeFor(unknown)]
    const answers = [
      await verify(known, wrongCode(codes[0] as string)),
      await verify(unknown, wrongCode(codes[1] as string)),
      await verify(fresh(), '00000000'),
      await signIn(known, wrongCode(codes[0] as string)),
    ]
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401)
      expect({ ...body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' })
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('checking and registering share the tries, and a correct code within five works', { tags: 'long' }, async () => {
    const email = fresh()
    const otp = await codeFor(email)
    for (let n = 0; n < 4; n++) expect((await verify(email, wrongCode(otp))).status).toBe(401)
    for (let n = 0; n < 3; n++) expect((await verify(email, otp)).status).toBe(200)
    expect((await register(email, otp)).status).toBe(201)
  })

  it('a code is useless after five wrong ones, here and elsewhere', async () => {
    const email = fresh()
    const otp = await codeFor(email)
    for (let n = 0; n < 3; n++) await verify(email, wrongCode(otp))
    for (let n = 0; n < 2; n++) await register(email, wrongCode(otp))
    expect((await verify(email, otp)).status).toBe(401)
    expect((await register(email, otp)).status).toBe(401)
  })

  it('at most five of many concurrent checks are compared', { tags: ['long', 'race'] }, async () => {
    const email = fresh()
    const otp = await codeFor(email)
    const guesses = await Promise.all(Array.from({ length: 40 }, () => verify(email, wrongCode(otp))))
    expect(guesses.every(({ status }) => status === 401)).toBe(true)
    expect(await triesOf(email)).toEqual({ tries: 5, known_tries: 0 })
    expect((await verify(email, otp)).status).toBe(401)
  })

  it('a browser that sent a correct code can continue when strangers use up the tries', async () => {
    const email = fresh()
    const otp = await codeFor(email)
    const cookie = cookieOf((await verify(email, otp)).headers)
    expect(cookie).toMatch(/^duet_device=/)
    for (let n = 0; n < 5; n++) await verify(email, wrongCode(otp))
    expect((await register(email, otp)).status).toBe(401)
    expect((await register(email, otp, { cookie })).status).toBe(201)
  })

  it("a code can't be checked after ten minutes", async () => {
    const email = fresh()
    const otp = await codeFor(email)
    app.clock.advance(minutes(10) + seconds(1))
    expect((await verify(email, otp)).status).toBe(401)
  })

  it('a wrong code counts as a failed sign-in', { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const body = { email: fresh(), otp: '00000000' }
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await caller(strict.url).call('POST /api/user/verifyOtp', { body })).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await caller(strict.url).call('POST /api/user/authenticate', { body })).status).toBe(429)
    await strict.close()
  })
})
