import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Caller, caller, person } from '../../test/people.ts'

const fresh = () => `${crypto.randomUUID()}@example.com`

describe('limits', () => {
  it('An address gets five codes an hour, then 429 with Retry-After.', { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const email = fresh()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) {
      const { status, headers, body } = await caller(strict.url).call('POST /api/user/requestOtp', { body: { email } })
      statuses.push(status)
      strict.clock.advance(seconds(31))
      if (status === 429) {
        expect(body.code).toBe('rate_limited')
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(hours(1) / 1000)
      }
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    await strict.close()
  })

  it('An address gets ten failed sign-ins an hour.', { tags: 'long' }, async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    const email = fresh()
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) {
      statuses.push(
        (await caller(strict.url).call('POST /api/user/authenticate', { body: { email, password: 'a guess' } })).status,
      )
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses[10]).toBe(429)
    await strict.close()
  })
})

type Ask = (network: number, path: string, body: object, headers?: Record<string, string>) => ReturnType<Caller['send']>

/** A server behind one proxy, with a tenth of every limit. `ask` sends requests from any network. */
async function besieged(): Promise<TestApp & { ask: Ask }> {
  const app = await startTestApp({ RATE_LIMIT_SCALE: '0.1', TRUST_PROXY: '1' })
  const ask: Ask = (network, path, body, headers = {}) =>
    caller(app.url).send('POST', `/api/user/${path}`, body, { 'x-forwarded-for': `203.0.113.${network}`, ...headers })
  return { ...app, ask }
}

const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const password = 'Correct horse 9'
const owner = (email: string, cookie: string, with_: object = { password }) =>
  [200, 'authenticate', { email, ...with_ }, cookie ? { cookie } : {}] as const

describe('an owner whose address someone else knows', () => {
  it('The owner gets in every way after ten networks sent ten wrong guesses of each kind, with the default budgets.', async () => {
    const app = await startTestApp({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
    const { email, call } = await person(app, { password })
    const [recoveryCode = ''] = (await call('POST /api/user/recoveryCodes')).body.recoveryCodes
    const from = (network: number, path: string, body: object) =>
      caller(app.url).send('POST', `/api/user/${path}`, body, { 'x-forwarded-for': `203.0.113.${network}` })
    await from(200, 'requestOtp', { email })
    const wrongs = [{ password: 'a guess' }, { recoveryCode: 'A'.repeat(16) }, { otp: '00000000' }]
    for (const wrong of wrongs)
      for (let n = 0; n < 10; n++) expect((await from(n, 'authenticate', { email, ...wrong })).status).toBe(401)
    for (const right of [{ password }, { recoveryCode }])
      expect((await from(200, 'authenticate', { email, ...right })).status).toBe(200)
    // The guesses used up the code, and a new one can be requested after half a minute.
    app.clock.advance(seconds(31))
    expect((await from(200, 'requestOtp', { email })).status).toBe(202)
    const otp = await app.codeFor(email)
    expect((await from(200, 'authenticate', { email, otp })).status).toBe(200)
    expect((await call('POST /api/user/reauthenticate', { body: { password } })).status).toBe(200)
    await app.close()
  })

  it('The owner signs in although another network made wrong guesses.', { tags: 'long' }, async () => {
    const app = await besieged()
    const { email } = await person(app, { password })
    for (let n = 0; n < 3; n++) await app.ask(1, 'authenticate', { email, password: 'a guess' })
    expect((await app.ask(1, 'authenticate', { email, password })).status).toBe(429)
    expect((await app.ask(...owner(email, ''))).status).toBe(200)
    await app.close()
  })

  it('The owner signs in on a known device although guesses come from everywhere.', { tags: 'long' }, async () => {
    const app = await besieged()
    const { email } = await person(app, { password })
    const cookie = cookieOf((await app.ask(...owner(email, ''))).headers)
    for (let n = 0; n < 12; n++) await app.ask(n, 'authenticate', { email, password: 'a guess' })
    expect((await app.ask(...owner(email, ''))).status).toBe(429)
    expect((await app.ask(...owner(email, cookie))).status).toBe(200)
    const mine = cookieOf((await app.ask(201, 'authenticate', { email, password: 'a guess' }, { cookie })).headers)
    expect(mine).toBe('')
    expect((await app.ask(...owner(email, cookie))).status).toBe(429)
    await app.close()
  })

  it('Someone else’s device cookie or a forged one doesn’t help against an address’s limit.', {
    tags: 'long',
  }, async () => {
    const app = await besieged()
    const [{ email }, other] = [await person(app, { password }), await person(app, { password })]
    const theirs = cookieOf((await app.ask(...owner(other.email, ''))).headers)
    for (let n = 0; n < 12; n++) await app.ask(n, 'authenticate', { email, password: 'a guess' })
    const madeUp = `duet_device=${'A'.repeat(22)}.${'A'.repeat(43)}`
    for (const cookie of [theirs, madeUp]) expect((await app.ask(...owner(email, cookie))).status).toBe(429)
    await app.close()
  })

  it('The owner re-authenticates in a live session, however many guesses were made.', { tags: 'long' }, async () => {
    const app = await besieged()
    const { email, token, call } = await person(app, { password })
    for (let n = 0; n < 12; n++) await app.ask(n, 'authenticate', { email, password: 'a guess' })
    expect((await call('POST /api/user/reauthenticate', { body: { password } })).status).toBe(200)
    const guess = () => caller(app.url, token).call('POST /api/user/reauthenticate', { body: { password: 'a guess' } })
    expect([(await guess()).status, (await guess()).status]).toEqual([401, 429])
    await app.close()
  })

  it('The owner gets a code after others asked for many; after too many, the newest code in the mailbox still works.', {
    tags: 'long',
  }, async () => {
    const app = await startTestApp({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
    const { email } = await person(app)
    const askFrom = async (network: number, address = email) => {
      app.clock.advance(seconds(31))
      const from = { 'x-forwarded-for': `203.0.113.${network}` }
      return (await caller(app.url).send('POST', '/api/user/requestOtp', { email: address }, from)).status
    }
    for (let n = 0; n < 6; n++) await askFrom(1)
    expect(await askFrom(1)).toBe(429)
    expect(await askFrom(2)).toBe(202)
    for (let n = 0; n < 14; n++) expect(await askFrom(10 + n)).toBe(202)
    // The limits use the real clock, so they count all of these requests at the same moment.
    expect(app.mails.filter(({ to }) => to === email)).toHaveLength(10)
    const otp = await app.codeFor(email)
    const { status } = await caller(app.url).call('POST /api/user/authenticate', { body: { email, otp } })
    expect(status).toBe(200)
    app.clock.advance(minutes(11))
    expect(await askFrom(99)).toBe(429)
    await app.close()
  })

  it('A known device gets a code, whatever others asked for.', { tags: 'long' }, async () => {
    const app = await besieged()
    const { email } = await person(app, { password })
    const cookie = cookieOf((await app.ask(...owner(email, ''))).headers)
    for (let n = 0; n < 12; n++) {
      app.clock.advance(minutes(11))
      await app.ask(n, 'requestOtp', { email })
    }
    app.clock.advance(minutes(11))
    expect((await app.ask(90, 'requestOtp', { email })).status).toBe(429)
    expect((await app.ask(200, 'requestOtp', { email }, { cookie })).status).toBe(202)
    const otp = await app.codeFor(email)
    for (let n = 20; n < 26; n++) await app.ask(n, 'authenticate', { email, otp: '00000000' })
    expect((await app.ask(...owner(email, '', { otp }))).status).toBe(401)
    expect((await app.ask(...owner(email, cookie, { otp }))).status).toBe(200)
    await app.close()
  })
})

it('A mailbox gets five codes an hour from one network, however its address is spelled.', async () => {
  const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) {
    const body = { email: n % 2 ? `vic.tim+${n}@gmail.com` : `V.I.C.T.I.M+${n}@GoogleMail.com` }
    statuses.push((await caller(strict.url).call('POST /api/user/requestOtp', { body })).status)
  }
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429])
  expect(strict.mails).toHaveLength(5)
  await strict.close()
})

it('A tag or a capital letter makes no separate mailbox; a dot does where providers distinguish it.', {
  tags: 'long',
}, async () => {
  const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  const ask = async (email: string) =>
    (await caller(strict.url).call('POST /api/user/requestOtp', { body: { email } })).status
  const spellings = ['a.b@example.com', 'A.B@Example.com', 'a.b+x@example.com', 'a.B+y@example.com', 'a.b+@example.com']
  for (const email of spellings) {
    strict.clock.advance(seconds(31))
    expect(await ask(email)).toBe(202)
  }
  expect(await ask('a.b+z@EXAMPLE.com')).toBe(429)
  expect(await ask('ab@example.com')).toBe(202)
  await strict.close()
})

it('Rate-limit counters contain no address and no network.', { tags: 'long' }, async () => {
  const app = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  const email = fresh()
  await caller(app.url).call('POST /api/user/requestOtp', { body: { email } })
  await caller(app.url).call('POST /api/user/authenticate', { body: { email, password: 'a guess' } })
  const { rows } = await app.platform.pool.query<{ key: string }>('select key from rate_limits')
  expect(rows.length).toBeGreaterThan(4)
  for (const { key } of rows) expect(key).toMatch(/^[a-z_]+:[\w-]{43}$/)
  await app.close()
})
