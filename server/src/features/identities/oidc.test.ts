import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Forgery, startProvider, type TestProvider } from '../../test/oidc-provider.ts'
import { caller, person } from '../../test/people.ts'
import { forgetExpiredProofs } from './identities.ts'
import { codeIn, member, publicUrl, visitor } from './visitor.test-identities.ts'

let app: TestApp
let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider({ publicUrl, inToken: true })
  app = await startTestApp({ ...provider.environment, PUBLIC_URL: publicUrl })
})
afterAll(async () => {
  await app.close()
  await provider.close()
})
beforeEach(() => {
  provider.forge(undefined)
  provider.break(false)
})

const fresh = () => `${crypto.randomUUID()}@example.com`
const failed = (why: string) => `${publicUrl}/login#oidc-failed=${why}`
const newcomer = () => member(provider, fresh())
const finish = (who: ReturnType<typeof visitor>, code: string) => who.post('/api/user/oidc/finish', { code })
const cookieName = `${publicUrl} __Host-duet_oidc`

/** Signs in at the provider and returns the callback URL that it redirects to, without opening it. */
async function comingBack(browser: ReturnType<typeof visitor>, subject: string): Promise<string> {
  const { at } = await browser.open(await browser.start())
  return (await browser.open(at, { account: subject }, '/api/user/oidc/callback')).at
}

describe('the redirect to the provider', () => {
  it('the request to the provider asks only for the address, with its own challenge, state and nonce', async () => {
    const [one, other] = [new URL(await visitor(app).start()), new URL(await visitor(app).start())]
    expect(one.origin).toBe(provider.issuer)
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      client_id: 'duet',
      scope: 'openid email',
      response_type: 'code',
      redirect_uri: `${publicUrl}/api/user/oidc/callback`,
      code_challenge_method: 'S256',
    })
    for (const secret of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(secret)).toMatch(/^[\w-]{43}$/)
      expect(one.searchParams.get(secret)).not.toBe(other.searchParams.get(secret))
    }
  })

  it("the sealed cookie of a sign-in can't be read by scripts and isn't sent by other sites", async () => {
    const { headers, body } = await caller(app.url).send('POST', '/api/user/oidc/start', { staySignedIn: false })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^__Host-duet_oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/)
    const kept = Buffer.from(/=([\w-]+)/.exec(cookie)?.[1] ?? '', 'base64url').toString('latin1')
    expect(kept).not.toContain(new URL(String(body.url)).searchParams.get('state'))
  })

  it.each([
    { to: 'https://evil.example' },
    { redirect_uri: 'https://evil.example' },
    { staySignedIn: 'https://evil.example' },
  ])("a visitor can't choose where the sign-in leads: %j", async (body) => {
    expect((await caller(app.url).send('POST', '/api/user/oidc/start', { staySignedIn: true, ...body })).status).toBe(
      400,
    )
  })
})

describe('the callback', () => {
  it('a callback works once, in the browser that began', async () => {
    const [browser, thief] = [visitor(app), visitor(app)]
    const address = await comingBack(browser, newcomer())
    expect((await thief.open(address)).at).toBe(failed('ended'))
    await thief.start()
    expect((await thief.open(address)).at).toBe(failed('failed'))
    // The failed attempts didn't use up the provider's code.
    expect(codeIn((await browser.open(address)).at)).not.toBe('')
  })

  it('a repeated callback is refused, even with the earlier cookie', async () => {
    const browser = visitor(app)
    const address = await comingBack(browser, newcomer())
    const before = browser.cookies.get(cookieName) ?? ''
    expect(codeIn((await browser.open(address)).at)).not.toBe('')
    expect((await browser.open(address)).at).toBe(failed('ended'))
    browser.cookies.set(cookieName, before)
    expect((await browser.open(address)).at).toBe(failed('failed'))
  })

  it.each([
    ['another state', (address: URL) => address.searchParams.set('state', 'A'.repeat(43))],
    ['no state', (address: URL) => address.searchParams.delete('state')],
    ['another issuer', (address: URL) => address.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (address: URL) => address.searchParams.delete('iss')],
    ['another code', (address: URL) => address.searchParams.set('code', 'B'.repeat(43))],
    ['no code', (address: URL) => address.searchParams.delete('code')],
  ])('a callback with %s is refused', async (_name, change) => {
    const browser = visitor(app)
    const address = new URL(await comingBack(browser, newcomer()))
    change(address)
    expect((await browser.open(address.href)).at).toBe(failed('failed'))
  })

  it('a callback works for ten minutes', async () => {
    const browser = visitor(app)
    const address = await comingBack(browser, newcomer())
    app.clock.advance(minutes(10))
    expect((await browser.open(address)).at).toBe(failed('ended'))
  })

  it.each([
    ['https://evil.example', 'to'],
    ['//evil.example', 'redirect'],
    ['https://evil.example', 'error_uri'],
  ])("the callback leads only to Duet's own page, whatever is requested: %s as %s", async (target, name) => {
    const query = `?error=x&${name}=${encodeURIComponent(target)}`
    const response = await fetch(`${app.url}/api/user/oidc/callback${query}`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/login#oidc-failed=ended'])
  })

  it('a person who cancels at the provider sees that', async () => {
    const browser = visitor(app)
    const { at } = await browser.open(await browser.start())
    expect((await browser.open(at, { deny: 'yes' })).at).toBe(failed('denied'))
  })
})

describe('identity tokens', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const forgeries: [string, Forgery][] = [
    ['no signature', (header) => Object.assign(header, { alg: 'none' })],
    ['a signature with a shared secret', (header) => Object.assign(header, { alg: 'HS256' })],
    ['another nonce', (_, claims) => Object.assign(claims, { nonce: 'A'.repeat(43) })],
    ['no nonce', (_, claims) => Reflect.deleteProperty(claims, 'nonce')],
    ['another issuer', (_, claims) => Object.assign(claims, { iss: 'https://evil.example' })],
    ['another audience', (_, claims) => Object.assign(claims, { aud: 'another-app' })],
    ['an end in the past', (_, claims) => Object.assign(claims, { exp: now() - 3_600, iat: now() - 7_200 })],
    ['no subject', (_, claims) => Reflect.deleteProperty(claims, 'sub')],
  ]
  it.each(forgeries)('a token with %s is rejected', async (_name, change) => {
    provider.forge(change)
    expect(await visitor(app).signInAt(newcomer())).toBe(failed('failed'))
  })

  it("a token signed with a key that the provider hasn't published is rejected", async () => {
    const who = await person(app)
    provider.forge((_, claims) => Object.assign(claims, { email: who.email, email_verified: true }))
    provider.signElsewhere()
    expect(await visitor(app).signInAt(newcomer())).toBe(failed('failed'))
  })

  it('a valid token is accepted', async () => {
    provider.forge(() => undefined)
    expect(codeIn(await visitor(app).signInAt(newcomer()))).not.toBe('')
  })
})

describe('the code for the page', () => {
  it("the page's code works only in the browser that began, and once", async () => {
    const who = await person(app)
    const [browser, thief] = [visitor(app), visitor(app)]
    const subject = member(provider, who.email)
    const code = codeIn(await browser.signInAt(subject))
    await thief.signInAt(newcomer())
    for (const other of [thief, visitor(app)]) expect((await finish(other, code)).body.code).toBe('invalid_credentials')
    const about = { name: 'Eve', birthDate: '1990-01-01', acceptTerms: true }
    expect((await thief.post('/api/user/oidc/register', { code, ...about })).body.code).toBe('invalid_credentials')
    expect((await finish(browser, code)).body.id).toBe(who.id)
    expect((await finish(browser, code)).body.code).toBe('invalid_credentials')
  })

  it('a code sent several times concurrently signs in once', { tags: 'race' }, async () => {
    const who = await person(app)
    const browser = visitor(app)
    const code = codeIn(await browser.signInAt(member(provider, who.email)))
    const answers = await Promise.all(Array.from({ length: 8 }, () => finish(browser, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a code expires after half an hour, and the next sweep deletes it', async () => {
    const browser = visitor(app)
    const email = fresh()
    const code = codeIn(await browser.signInAt(member(provider, email)))
    const rows = () =>
      app.platform.db.selectFrom('identity_proofs').select('email').where('email', '=', email).execute()
    app.clock.advance(minutes(30))
    expect((await finish(browser, code)).body.code).toBe('invalid_credentials')
    expect(await rows()).toHaveLength(1)
    app.clock.advance(minutes(1))
    await forgetExpiredProofs(app.platform)
    expect(await rows()).toEqual([])
  })

  it('the database has no secret in plain text', async () => {
    const browser = visitor(app)
    const code = codeIn(await browser.signInAt(newcomer()))
    const rows = JSON.stringify(await app.platform.db.selectFrom('identity_proofs').selectAll().execute())
    for (const secret of [code, browser.cookies.get(cookieName) ?? '']) {
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(rows).not.toContain(secret)
      expect(rows).not.toContain(JSON.stringify(Buffer.from(secret, 'base64url')))
    }
  })
})

describe('an unreachable provider', () => {
  it("a provider that doesn't answer is reported before anyone is sent there", async () => {
    const gone = await startProvider()
    await gone.close()
    const alone = await startTestApp({ ...gone.environment, PUBLIC_URL: publicUrl })
    const { status, body } = await caller(alone.url).send('POST', '/api/user/oidc/start', { staySignedIn: false })
    expect([status, body.code]).toEqual([503, 'unavailable'])
    await alone.close()
  })

  it('a provider that fails at the callback is reported, and the sign-in can be repeated', async () => {
    const browser = visitor(app)
    const subject = newcomer()
    const address = await comingBack(browser, subject)
    provider.break(true)
    expect((await browser.open(address)).at).toBe(failed('unavailable'))
    provider.break(false)
    expect(codeIn(await browser.signInAt(subject))).not.toBe('')
  })
})

it("without a configured provider its endpoints don't exist", async () => {
  const plain = await startTestApp()
  expect((await caller(plain.url).send('POST', '/api/user/oidc/start', { staySignedIn: false })).status).toBe(404)
  expect((await caller(plain.url).send('GET', '/api/user/oidc/callback?code=a&state=b')).status).toBe(404)
  await plain.close()
})

it('strangers can neither keep the provider busy nor guess codes', async () => {
  const strict = await startTestApp({ ...provider.environment, PUBLIC_URL: publicUrl, RATE_LIMIT_SCALE: '0.05' })
  const starts: number[] = []
  for (let n = 0; n < 7; n++)
    starts.push((await caller(strict.url).send('POST', '/api/user/oidc/start', { staySignedIn: false })).status)
  expect(starts).toEqual([...Array(6).fill(200), 429])
  const browser = visitor(strict)
  expect((await browser.post('/api/user/oidc/finish', { code: 'A'.repeat(43) })).status).toBe(401)
  await strict.close()
})
