import type { ReportDecision } from '@duet/contract/reports.ts'
import type { TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { receiptOf } from './acts.test-reports.ts'

export const statement = 'You wrote to many people that they should send you money.'
type Sanctioning = Exclude<ReportDecision, { action: 'dismiss' }>
export const told = { ground: 'scam', statement } as const

export async function administrator(app: TestApp, name = 'Admin'): Promise<Person> {
  const one = await person(app, { name })
  await app.platform.grantSuperAdmin(one.email)
  return one
}

export const decide = (admin: Person, receipt: string, body: unknown) =>
  admin.send('POST', `/api/admin/reports/${receipt}/decision`, body)

export async function sanctioned(app: TestApp, admin: Person, userId: string, decision: Partial<Sanctioning> = {}) {
  const receipt = await receiptOf(await person(app), userId)
  // Reports are counted by time, so each decision needs its own.
  app.clock.advance(1_000)
  const { status, body } = await decide(admin, receipt, { action: 'warn', ...told, ...decision })
  if (status !== 200) throw new Error(`not decided: ${JSON.stringify(body)}`)
  return receipt
}

/** Signs a person in on another device. Suspended people can do that too. */
export async function signInAgain(app: TestApp, who: Person): Promise<Person> {
  app.clock.advance(31_000)
  await caller(app.url).call('POST /api/user/requestOtp', { body: { email: who.email } })
  const otp = await app.codeFor(who.email)
  const { status, body } = await caller(app.url).call('POST /api/user/authenticate', {
    body: { email: who.email, otp },
  })
  if (status !== 200) throw new Error(`not signed in: ${JSON.stringify(body)}`)
  return { ...body, ...caller(app.url, body.token) }
}

export async function soon<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('it did not happen')
}

export const standingOf = async (who: Person) => (await who.call('GET /api/standing')).body

export const kindsFor = async (who: Person) =>
  (await who.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
