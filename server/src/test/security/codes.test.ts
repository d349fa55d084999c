import { randomUUID } from 'node:crypto'
import { symbols } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { caller, person } from '../people.ts'

const guesses = rounds(200, 200, 1_000)

let app: TestApp
const logged: string[] = []
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'trace' })
  const log = app.platform.log as unknown as Record<symbol, { write(line: string): void }>
  const stream = log[symbols.streamSym]
  if (stream) stream.write = (line) => void logged.push(line)
})
afterAll(() => app.close())

const anonymous = () => caller(app.url)

async function asked(email: string): Promise<{ otp: string; answer: string }> {
  app.clock.advance(31_000)
  const { body, headers } = await anonymous().call('POST /api/user/requestOtp', { body: { email } })
  return { otp: await app.codeFor(email), answer: JSON.stringify([body, [...headers]]) }
}

const trying = (email: string, otp: string) => anonymous().call('POST /api/user/authenticate', { body: { email, otp } })
const wrongOnes = (otp: string, count: number) =>
  Array.from({ length: count }, (_, n) => String((Number(otp) + n + 1) % 100_000_000).padStart(8, '0'))

async function sessionsOf(id: string): Promise<number> {
  const { rows } = await app.platform.pool.query('select count(*)::int as count from sessions where user_id = $1', [id])
  return rows[0].count
}

describe('a code', () => {
  it('Of many concurrent guesses at a code, five are compared, and then the code is dead.', {
    tags: ['long', 'more-in-release'],
  }, async () => {
    const { email, id } = await person(app)
    const { otp } = await asked(email)
    const answers = await Promise.all(wrongOnes(otp, guesses).map((guess) => trying(email, guess)))
    expect([...new Set(answers.map(({ status, body }) => `${status} ${body.code}`))]).toEqual([
      '401 invalid_credentials',
    ])
    const { rows } = await app.platform.pool.query('select tries from sign_in_codes where email = $1', [email])
    expect(rows).toEqual([{ tries: 5 }])
    expect((await trying(email, otp)).status).toBe(401)
    expect(await sessionsOf(id)).toBe(1)
  })

  it('A right code among many concurrent wrong ones counts as one of the five tries and works at most once.', {
    tags: ['long', 'race'],
  }, async () => {
    for (let round = 0; round < 3; round++) {
      const { email, id } = await person(app)
      const { otp } = await asked(email)
      const mixed = wrongOnes(otp, 30)
      mixed.splice(round * 12, 0, otp)
      const answers = await Promise.all(mixed.map((guess) => trying(email, guess)))
      const taken = answers.filter(({ status }) => status === 200).length
      expect(taken).toBeLessThanOrEqual(1)
      expect(await sessionsOf(id)).toBe(1 + taken)
    }
  })

  it('A right code sent fifty times at once creates one session, and none when it is repeated.', {
    tags: ['long', 'race'],
  }, async () => {
    const { email, id } = await person(app)
    const { otp } = await asked(email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => trying(email, otp)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionsOf(id)).toBe(2)
    expect((await trying(email, otp)).status).toBe(401)
  })

  it('A right code sent twenty times at once creates one account.', { tags: 'race' }, async () => {
    const email = `${randomUUID()}@example.com`
    const { otp } = await asked(email)
    const body = { email, otp, name: 'Jun', birthDate: '1990-01-01', acceptTerms: true as const }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => anonymous().call('POST /api/user/register', { body })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })

  it('A code works only for its own address.', async () => {
    const [one, other] = [await person(app), await person(app)]
    const { otp } = await asked(one.email)
    await asked(other.email)
    expect((await trying(other.email, otp)).status).toBe(401)
    expect((await trying(one.email, otp)).status).toBe(200)
  })

  it('A code appears in no response and no log line.', async () => {
    const { email } = await person(app)
    const { otp, answer } = await asked(email)
    const taken = await trying(email, otp)
    expect(logged.length).toBeGreaterThan(20)
    for (const text of [answer, JSON.stringify(taken.body), ...logged])
      expect(new RegExp(`(?<![\\w.])${otp}(?![\\w.])`).test(text)).toBe(false)
  })

  it('Codes are uniformly distributed.', { tags: 'long' }, async () => {
    const codes: string[] = []
    for (let n = 0; n < 30; n++) codes.push((await asked(`${randomUUID()}@example.com`)).otp)
    expect(new Set(codes).size).toBe(30)
    for (const code of codes) expect(code).toMatch(/^\d{8}$/)
    // Each digit is expected 24 times among 240. Fewer than 6 happens about once in a million runs.
    for (let digit = 0; digit < 10; digit++)
      expect(codes.join('').split(String(digit)).length - 1).toBeGreaterThanOrEqual(6)
  })
})

describe('the network that a limit counts', () => {
  const failing = (url: string, headers: Record<string, string>) =>
    caller(url).send(
      'POST',
      '/api/user/authenticate',
      { email: `${randomUUID()}@example.com`, password: 'A guess of mine' },
      headers,
    )

  async function refusedAfter(environment: Record<string, string>, headersOf: (n: number) => Record<string, string>) {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '0.05', LOG_LEVEL: 'fatal', ...environment })
    try {
      const statuses: number[] = []
      for (let n = 0; n < 8; n++) statuses.push((await failing(strict.url, headersOf(n))).status)
      return statuses
    } finally {
      await strict.close()
    }
  }
  const five = [401, 401, 401, 401, 401, 429, 429, 429]
  const never = Array(8).fill(401)

  it('Limits count the connecting address, whatever its headers claim.', async () => {
    const statuses = await refusedAfter({}, (n) => ({
      'x-forwarded-for': `203.0.113.${n}`,
      'x-real-ip': `203.0.113.${n}`,
      forwarded: `for=203.0.113.${n}`,
      'x-forwarded-proto': 'https',
      'cf-connecting-ip': `203.0.113.${n}`,
      'true-client-ip': `203.0.113.${n}`,
    }))
    expect(statuses).toEqual(five)
  })

  it('Behind a proxy, limits count the address the proxy reports, not one a client claims.', {
    tags: 'long',
  }, async () => {
    const inFront = { TRUST_PROXY: '1' }
    const spoofed = await refusedAfter(inFront, (n) => ({ 'x-forwarded-for': `198.51.100.${n}, 203.0.113.7` }))
    expect(spoofed).toEqual(five)
    expect(await refusedAfter(inFront, (n) => ({ 'x-forwarded-for': `203.0.113.${n}` }))).toEqual(never)
  })

  it('Limits count a whole IPv6 network, as one household has it.', { tags: 'long' }, async () => {
    const inFront = { TRUST_PROXY: '1' }
    const household = await refusedAfter(inFront, (n) => ({ 'x-forwarded-for': `2001:db8:1:2:${n}::${n}` }))
    expect(household).toEqual(five)
  })
})
