import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { hashToken } from '../../platform/security/session.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, person } from '../../test/people.ts'
import { eighteenInOneOfTwoZones } from './access.test-accounts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const fresh = () => `${crypto.randomUUID()}@example.com`
const anonymous = () => caller(app.url)

async function codeFor(email: string): Promise<string> {
  await anonymous().call('POST /api/user/requestOtp', { body: { email } })
  return app.codeFor(email)
}

async function signUp(email: string, changes: Record<string, unknown> = {}) {
  const otp = await codeFor(email)
  const body = { email, otp, name: 'Ana', birthDate: '1994-05-17', acceptTerms: true, ...changes }
  return anonymous().send('POST', '/api/user/register', body)
}

const wrongCode = (right: string) => String((Number(right) + 1) % 100_000_000).padStart(8, '0')

describe('asking for a code', () => {
  it('requesting a code gets the same response with and without an account', async () => {
    const known = await person(app)
    const first = await anonymous().call('POST /api/user/requestOtp', { body: { email: known.email } })
    const second = await anonymous().call('POST /api/user/requestOtp', { body: { email: fresh() } })
    expect(first.status).toBe(202)
    expect(second.status).toBe(202)
    expect(first.body).toEqual({ expiresIn: 600, resendIn: 30 })
    expect(second.body).toEqual(first.body)
  })

  it("an 8-digit code is emailed on its own line, and the response doesn't contain it", async () => {
    const email = fresh()
    const answer = await anonymous().call('POST /api/user/requestOtp', { body: { email } })
    const code = await app.codeFor(email)
    expect(code).toMatch(/^\d{8}$/)
    expect(JSON.stringify(answer.body)).not.toContain(code)
  })

  it("the code's email uses the requested language, or the account's, or English", async () => {
    const email = fresh()
    const send = (path: string, body: object, language: string) =>
      anonymous().send('POST', path, { email, ...body }, { 'accept-language': language })
    const mailed = async (language: string) => {
      app.clock.advance(seconds(31))
      app.mails.length = 0
      await send('/api/user/requestOtp', {}, language)
      const otp = await app.codeFor(email)
      return { otp, subject: app.mails.find(({ text }) => text.includes(otp))?.subject }
    }
    const [unknown, arabic] = [await mailed('*'), await mailed('ar-EG,en;q=0.5')]
    expect([unknown.subject, arabic.subject]).toEqual(['Your Duet code', 'رمزك في Duet'])
    const registration = { otp: arabic.otp, name: 'Ana', birthDate: '1994-05-17', acceptTerms: true }
    const { body } = await send('/api/user/register', registration, 'es-ES')
    expect((await mailed('fr')).subject).toBe('Tu código de Duet')
    const ana = caller(app.url, String(body.token))
    expect((await ana.call('PUT /api/user/language', { body: { language: 'ar' } })).status).toBe(200)
    expect((await ana.send('PUT', '/api/user/language', { language: 'fr' })).status).toBe(400)
    const { otp, subject } = await mailed('*')
    expect(subject).toBe('رمزك في Duet')
    expect((await send('/api/user/authenticate', { otp }, '*')).status).toBe(200)
    expect((await mailed('*')).subject).toBe('رمزك في Duet')
  })

  it("codes and passwords are stored only as argon2id hashes with OWASP's recommended cost", async () => {
    const real = await startTestApp({}, { realHashes: true })
    const email = fresh()
    const { id } = await person(real, { email, password: 'a long password' })
    await caller(real.url).call('POST /api/user/requestOtp', { body: { email } })
    const { rows } = await real.platform.pool.query(
      'select code_hash, password_hash from sign_in_codes join accounts using (email) where id = $1',
      [id],
    )
    await real.close()
    const hash = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(rows).toEqual([{ code_hash: hash, password_hash: hash }])
  })

  it('no second code is created within 30 seconds, and the first one stays valid', async () => {
    const email = fresh()
    const code = await codeFor(email)
    await anonymous().call('POST /api/user/requestOtp', { body: { email } })
    expect(app.mails.filter(({ to }) => to === email)).toHaveLength(1)
    const body = { email, otp: code, name: 'Ana', birthDate: '1994-05-17', acceptTerms: true as const }
    expect((await anonymous().call('POST /api/user/register', { body })).status).toBe(201)
  })

  it('email addresses are case-insensitive', async () => {
    const email = fresh()
    await signUp(email.toUpperCase().replace('@EXAMPLE.COM', '@example.com'))
    const { body } = await anonymous().call('POST /api/user/authenticate', {
      body: { email, otp: await laterCode(email) },
    })
    expect(body.email).toBe(email)
  })

  it.each(['', 'no-one', 'a@b', 'two@@example.com', `${'x'.repeat(250)}@example.com`, 7, null])(
    'the address %s is refused',
    async (email) => {
      const { status, body } = await anonymous().send('POST', '/api/user/requestOtp', { email })
      expect(status).toBe(400)
      expect(body.code).toBe('validation_failed')
      expect(body.errors?.[0]?.path).toBe('email')
    },
  )
})

async function laterCode(email: string): Promise<string> {
  app.clock.advance(seconds(31))
  return codeFor(email)
}

describe('signing up', () => {
  it('signing up returns the session and nothing else', async () => {
    const email = fresh()
    const { status, body } = await signUp(email)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Ana',
      email,
      images: [],
      token: expect.stringMatching(/^dt1_[\w-]{43}$/),
      isSuperAdmin: false,
      onboardingComplete: false,
    })
  })

  it('only the hash of the token is stored', async () => {
    const { token } = await person(app)
    const rows = await app.platform.db
      .selectFrom('sessions')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('people under 18 are refused, and their code stays usable', async () => {
    const email = fresh()
    const young = new Date(app.clock.now().getTime() - days(17 * 365)).toISOString().slice(0, 10)
    const { status, body } = await signUp(email, { birthDate: young })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path: 'birthDate', message: 'Duet is for people of 18 and older' }])
    const otp = await app.codeFor(email)
    const again = { email, otp, name: 'Ana', birthDate: '1994-05-17', acceptTerms: true as const }
    expect((await anonymous().call('POST /api/user/register', { body: again })).status).toBe(201)
  })

  it('a newcomer’s age is checked on the date in the time zone that they send', async () => {
    const { timeZone, birthDate, isAdult } = eighteenInOneOfTwoZones(app.clock.now())
    const email = fresh()
    await anonymous().call('POST /api/user/requestOtp', { body: { email } })
    const body = { email, otp: await app.codeFor(email), name: 'Ana', birthDate, acceptTerms: true as const }
    const { status } = await anonymous().call('POST /api/user/register', { query: { timeZone }, body })
    expect(status).toBe(isAdult ? 201 : 400)
  })

  it.each([
    ['a missing name', { name: undefined }],
    ['an empty name', { name: '  ' }],
    ['a name that is too long', { name: 'x'.repeat(41) }],
    ['a birth date that is no date', { birthDate: '1994-02-31' }],
    ['a birth date in another form', { birthDate: '17.05.1994' }],
    ['terms that are not accepted', { acceptTerms: false }],
    ['a short password', { password: '1234567' }],
    ['an unknown gender', { gender: 'other' }],
    ['a code of 7 digits', { otp: '1234567' }],
    ['an unknown field', { isSuperAdmin: true }],
    ['an id', { id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff' }],
  ])('signing up with %s is refused', async (_what, changes) => {
    const email = fresh()
    const { status, body } = await signUp(email, changes)
    expect(status).toBe(400)
    expect(body.code).toBe('validation_failed')
    expect(await app.platform.db.selectFrom('accounts').select('id').where('email', '=', email).execute()).toEqual([])
  })

  it('signing up with an address that has an account is refused', async () => {
    const { email } = await person(app)
    app.clock.advance(seconds(31))
    const { status, body } = await signUp(email)
    expect(status).toBe(409)
    expect(body.code).toBe('email_taken')
  })

  it('signing up with a wrong code is refused', async () => {
    const email = fresh()
    const otp = wrongCode(await codeFor(email))
    const { status, body } = await anonymous().send('POST', '/api/user/register', {
      email,
      otp,
      name: 'Ana',
      birthDate: '1994-05-17',
      acceptTerms: true,
    })
    expect(status).toBe(401)
    expect(body.code).toBe('invalid_credentials')
  })

  it('a newcomer gets a welcome notification', async () => {
    const { call } = await person(app, { name: 'Noor' })
    const { body } = await call('GET /api/notifications')
    expect(body.notifications).toMatchObject([
      { kind: 'welcome', title: 'Welcome, Noor', type: 'success', read: false },
    ])
  })
})

describe('signing in', () => {
  it('a code signs in once', async () => {
    const { email } = await person(app)
    const otp = await laterCode(email)
    const first = await anonymous().call('POST /api/user/authenticate', { body: { email, otp } })
    expect(first.status).toBe(200)
    expect(first.body.token).toMatch(/^dt1_/)
    const second = await anonymous().call('POST /api/user/authenticate', { body: { email, otp } })
    expect(second.status).toBe(401)
    expect(second.body.code).toBe('invalid_credentials')
  })

  it('a password signs in', async () => {
    const { email } = await person(app, { password: 'correct horse' })
    expect(
      (await anonymous().call('POST /api/user/authenticate', { body: { email, password: 'correct horse' } })).status,
    ).toBe(200)
    expect(
      (await anonymous().call('POST /api/user/authenticate', { body: { email, password: 'wrong horse' } })).status,
    ).toBe(401)
  })

  it('a wrong password, a wrong code and an unknown address get the same response', async () => {
    const { email } = await person(app, { password: 'correct horse' })
    const answers = await Promise.all([
      anonymous().call('POST /api/user/authenticate', { body: { email, password: 'wrong horse' } }),
      anonymous().call('POST /api/user/authenticate', { body: { email, otp: '00000000' } }),
      anonymous().call('POST /api/user/authenticate', { body: { email: fresh(), password: 'wrong horse' } }),
      anonymous().call('POST /api/user/authenticate', { body: { email: fresh(), otp: '00000000' } }),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect({ ...body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' })
    }
  })

  it('a code has five tries', async () => {
    const { email } = await person(app)
    const otp = await laterCode(email)
    for (let tries = 0; tries < 5; tries++)
      await anonymous().call('POST /api/user/authenticate', { body: { email, otp: wrongCode(otp) } })
    expect((await anonymous().call('POST /api/user/authenticate', { body: { email, otp } })).status).toBe(401)
  })

  it('at most five of many concurrent guesses are compared', { tags: 'race' }, async () => {
    const { email } = await person(app)
    const otp = await laterCode(email)
    const guesses = Array.from({ length: 40 }, () =>
      anonymous().call('POST /api/user/authenticate', { body: { email, otp: wrongCode(otp) } }),
    )
    expect((await Promise.all(guesses)).every(({ status }) => status === 401)).toBe(true)
    const row = await app.platform.db
      .selectFrom('sign_in_codes')
      .select('tries')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(row.tries).toBe(5)
  })

  it('concurrent sign-ins with the right code start exactly one session', { tags: 'race' }, async () => {
    const { email } = await person(app)
    const otp = await laterCode(email)
    const tries = Array.from({ length: 5 }, () =>
      anonymous().call('POST /api/user/authenticate', { body: { email, otp } }),
    )
    expect((await Promise.all(tries)).filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a code expires after ten minutes', async () => {
    const { email } = await person(app)
    const otp = await laterCode(email)
    app.clock.advance(minutes(10) + seconds(1))
    expect((await anonymous().call('POST /api/user/authenticate', { body: { email, otp } })).status).toBe(401)
  })

  it.each([
    ['Mozilla/5.0 (X11; Linux) Firefox/140.0', 'Firefox · Linux'],
    ['Duet/1 (Android 16)', 'Android'],
    ['Mozilla/5.0 Firefox/140.0', 'Firefox'],
  ])('a sign-in from a new device sends a notification: %s is %s', async (agent, device) => {
    const { email, call } = await person(app)
    const otp = await laterCode(email)
    await anonymous().send('POST', '/api/user/authenticate', { email, otp }, { 'user-agent': agent })
    const { body } = await call('GET /api/notifications')
    expect(body.notifications[0]).toMatchObject({ kind: 'new_sign_in', params: { device } })
  })
})
