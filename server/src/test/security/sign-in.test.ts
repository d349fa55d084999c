import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, tier } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { person } from '../people.ts'
import { noteFigure } from './figures.ts'

const tries = rounds(6, 6, 300)

let app: TestApp
const known: string[] = []
beforeAll(async () => {
  app = await startTestApp()
  const some = Math.min(tries, 40)
  for (let n = 0; n < some; n++) await join(n)
  app.clock.advance(60_000)
})
afterAll(() => app.close())

async function join(n: number): Promise<void> {
  const who = await person(app, { password: `Correct horse ${n}` })
  await who.call('POST /api/user/recoveryCodes')
  known.push(who.email)
}

interface Seen {
  answer: string
  ms: number
}

async function seen(path: string, body: object): Promise<Seen> {
  const since = performance.now()
  const response = await fetch(app.url + path, {
    method: 'POST',
    // A new connection for each request: the server closes a reused one after a number of requests.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => name !== 'date')
  const answer = JSON.stringify([response.status, headers, text.replace(/"requestId":"[^"]*"/, '"requestId":""')])
  return { answer, ms: performance.now() - since }
}

/**
 * The probability that a response for a known address takes longer than one for an unknown address; 0.5 if the time
 * reveals nothing.
 */
function ranks(knownMs: readonly number[], unknownMs: readonly number[]): number {
  const wins = knownMs.flatMap((one) => unknownMs.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length
}

const middleOf = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The largest difference between the two distributions of response times (Kolmogorov-Smirnov); 0 reveals nothing. */
function distance(one: readonly number[], other: readonly number[]): number {
  const within = (values: readonly number[], ms: number) => values.filter((value) => value <= ms).length / values.length
  return Math.max(...[...one, ...other].map((ms) => Math.abs(within(one, ms) - within(other, ms))))
}

describe('addresses with and without an account', () => {
  it.each([
    ['a code is asked for', 'code', '/api/user/requestOtp', (email: string) => ({ email })],
    ['a wrong code is sent', 'wrong_code', '/api/user/authenticate', (email: string) => ({ email, otp: '00000000' })],
    ['a wrong code is checked', 'code_check', '/api/user/verifyOtp', (email: string) => ({ email, otp: '00000000' })],
    [
      'a wrong password is sent',
      'wrong_password',
      '/api/user/authenticate',
      (email: string) => ({ email, password: 'Wrong horse' }),
    ],
    [
      'a wrong recovery code is sent',
      'wrong_recovery_code',
      '/api/user/authenticate',
      (email: string) => ({ email, recoveryCode: 'AAAA-AAAA-AAAA-AAAA' }),
    ],
    ['someone signs up with a wrong code', 'sign_up', '/api/user/register', signUp],
  ] as const)(
    'Addresses with and without an account get identical responses, to the last byte, when %s.',
    { tags: 'more-in-release' },
    async (what, slug, path, bodyOf) => {
      const answers = { known: [] as Seen[], unknown: [] as Seen[] }
      for (let n = 0; n < tries; n++) {
        const pair = [
          ['known', known[n % known.length] as string],
          ['unknown', `${randomUUID()}@example.com`],
        ] as const
        // Alternates, so that each kind is first equally often.
        for (const [kind, email] of n % 2 ? pair : [...pair].reverse())
          answers[kind].push(await seen(path, bodyOf(email)))
        app.clock.advance(31_000)
      }
      const texts = new Set([...answers.known, ...answers.unknown].map(({ answer }) => answer))
      expect([...texts]).toHaveLength(1)
      // Times are only printed, because they prove nothing on a busy machine.
      const [knownMs, unknownMs] = [answers.known, answers.unknown].map((list) => list.map(({ ms }) => ms))
      tellTimes(slug, what, knownMs ?? [], unknownMs ?? [])
    },
  )
})

function tellTimes(slug: string, what: string, known: readonly number[], unknown: readonly number[]): void {
  const rounded = (value: number) => Math.round(100 * value) / 100
  const share = rounded(ranks(known, unknown))
  noteFigure(`T6.${slug}`, share, `share of pairs where the known address took longer, when ${what}; 0.5 tells nothing`)
  if (tier !== 'release') return
  const gap = rounded(Math.abs(middleOf(known) - middleOf(unknown)))
  noteFigure(`T6.${slug}_gap_ms`, gap, `between the middle answers for known and unknown addresses, when ${what}`)
  const critical = rounded(1.63 * Math.sqrt((known.length + unknown.length) / (known.length * unknown.length)))
  noteFigure(
    `T6.${slug}_ks`,
    rounded(distance(known, unknown)),
    `Kolmogorov-Smirnov, when ${what}; under ${critical}: p > 0.01`,
  )
}

function signUp(email: string) {
  return { email, otp: '00000000', name: 'Jun', birthDate: '1990-01-01', acceptTerms: true }
}
