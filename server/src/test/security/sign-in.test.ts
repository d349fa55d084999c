import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { person } from '../people.ts'
import { noteFigure, sized } from './size.ts'

const rounds = sized(6, 300)

let app: TestApp
const known: string[] = []
beforeAll(async () => {
  app = await startTestApp()
  const some = Math.min(rounds, 40)
  for (let n = 0; n < some; n++) known.push((await person(app, { password: `Correct horse ${n}` })).email)
  app.clock.advance(60_000)
}, 120_000)
afterAll(() => app.close())

interface Seen {
  answer: string
  ms: number
}

async function seen(path: string, body: object): Promise<Seen> {
  const since = performance.now()
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => name !== 'date')
  const answer = JSON.stringify([response.status, headers, text.replace(/"requestId":"[^"]*"/, '"requestId":""')])
  return { answer, ms: performance.now() - since }
}

/** How often an answer for a known address took longer than one for an unknown: a half when time tells nothing. */
function ranks(knownMs: readonly number[], unknownMs: readonly number[]): number {
  const wins = knownMs.flatMap((one) => unknownMs.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length
}

describe('addresses with and without an account', () => {
  it.each([
    ['a code is asked for', 'code', '/api/user/requestOtp', (email: string) => ({ email })],
    ['a wrong code is sent', 'wrong_code', '/api/user/authenticate', (email: string) => ({ email, otp: '00000000' })],
    [
      'a wrong password is sent',
      'wrong_password',
      '/api/user/authenticate',
      (email: string) => ({ email, password: 'Wrong horse' }),
    ],
    ['somebody signs up with a wrong code', 'sign_up', '/api/user/register', signUp],
  ] as const)(
    'are answered alike, to the last byte, when %s',
    async (what, slug, path, bodyOf) => {
      const answers = { known: [] as Seen[], unknown: [] as Seen[] }
      for (let n = 0; n < rounds; n++) {
        const pair = [
          ['known', known[n % known.length] as string],
          ['unknown', `${randomUUID()}@example.com`],
        ] as const
        // In turns, each as often first.
        for (const [kind, email] of n % 2 ? pair : [...pair].reverse())
          answers[kind].push(await seen(path, bodyOf(email)))
        app.clock.advance(31_000)
      }
      const texts = new Set([...answers.known, ...answers.unknown].map(({ answer }) => answer))
      expect([...texts]).toHaveLength(1)
      // Time is only told: on a busy machine it says nothing.
      const share = ranks(
        answers.known.map(({ ms }) => ms),
        answers.unknown.map(({ ms }) => ms),
      )
      noteFigure(
        `T6.${slug}`,
        Math.round(100 * share) / 100,
        `share of pairs where the known address took longer, when ${what}; 0.5 tells nothing`,
      )
    },
    1_800_000,
  )
})

function signUp(email: string) {
  return { email, otp: '00000000', name: 'Jun', birthDate: '1990-01-01', acceptTerms: true }
}
