import { dateIn } from '@duet/contract/age.ts'
import { minutes, seconds } from '../../platform/clock.ts'
import type { TestApp } from '../../test/app.ts'
import { caller, type Person } from '../../test/people.ts'
import { soon } from '../reports/cases.test-reports.ts'

export const mailTo = (app: TestApp, email: string, subject: RegExp) =>
  soon(async () => app.mails.findLast((mail) => mail.to === email && subject.test(mail.subject)))

export const growStale = (app: TestApp) => app.clock.advance(minutes(11))

/** Signs in on another device, with an emailed code if `proof` is empty. */
export async function signInElsewhere(app: TestApp, email: string, proof: object = {}): Promise<Person> {
  const byCode = Object.keys(proof).length === 0
  if (byCode) {
    app.clock.advance(seconds(31))
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email } })
  }
  const given = byCode ? { otp: await app.codeFor(email) } : proof
  const { status, body } = await caller(app.url).send('POST', '/api/user/authenticate', { email, ...given })
  if (status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(body)}`)
  const session = body as unknown as Person
  return { ...session, ...caller(app.url, session.token) }
}

export async function undoTokenFor(app: TestApp, email: string): Promise<string> {
  const mail = await mailTo(app, email, /address was changed/)
  return /undo-address#([A-Za-z0-9_-]+)/.exec(mail.text)?.[1] ?? ''
}

export async function moveTo(app: TestApp, who: Person, email: string): Promise<string> {
  await who.call('POST /api/user/addressChange', { body: { email } })
  const otp = await app.codeFor(email)
  const { status, body } = await who.call('POST /api/user/addressChange/confirm', { body: { email, otp } })
  return `${status} ${body.code ?? body.email}`
}

/**
 * The birth date of someone who turns 18 on a date that is today in only one of two zones, UTC or `timeZone`. `isAdult`
 * is whether it is today in `timeZone`.
 */
export function eighteenInOneOfTwoZones(now: Date) {
  // One of these two zones always has a different date than UTC.
  const isEarly = now.getUTCHours() < 11
  const timeZone = isEarly ? 'Etc/GMT+12' : 'Pacific/Kiritimati'
  const [year = '', ...rest] = dateIn(isEarly ? 'UTC' : timeZone, now).split('-')
  return { timeZone, birthDate: [Number(year) - 18, ...rest].join('-'), isAdult: !isEarly }
}
