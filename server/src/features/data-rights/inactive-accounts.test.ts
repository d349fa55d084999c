import { afterAll, beforeAll, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { forgetExpired } from '../accounts/accounts.ts'
import { eraseDue } from './erasure.ts'
import { endRetention } from './retention.ts'

let app: TestApp
let owner: Pools
const asOwner = (): Platform => ({ ...app.platform, db: owner.db })

beforeAll(async () => {
  app = await startTestApp()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const count = async (text: string, values: unknown[]) => (await owner.pool.query(text, values)).rowCount
const inDays = async (n: number) => {
  app.clock.advance(days(n))
  await forgetExpired(app.platform)
  await endRetention(asOwner())
}

const exists = async (who: Person) => (await count('select from accounts where id = $1', [who.id])) === 1
const warnings = (who: Person) =>
  app.mails.filter(({ to, subject }) => to === who.email && /deleted|se va a borrar/.test(subject)).length
const runAll = async (n: number) => {
  await inDays(n)
  await eraseDue(asOwner())
}

const takeCode = async (who: Person) => {
  await caller(app.url).call('POST /api/user/requestOtp', { body: { email: who.email } })
  await app.codeFor(who.email)
}
/**
 * Makes the mail server reject some emails because the mailbox doesn't exist. Returns a growing list of the addresses
 * it has rejected.
 */
const callGone = (isGone: (mail: Mail) => boolean) => {
  const { send } = app.platform.mailer
  const refused: string[] = []
  const answer = { code: 'EENVELOPE', command: 'RCPT TO', response: '550 5.1.1 No such mailbox', responseCode: 550 }
  app.platform.mailer.send = async (mail) => {
    if (!isGone(mail)) return send(mail)
    refused.push(mail.to)
    throw Object.assign(new Error('refused'), answer)
  }
  return { refused, end: () => void Object.assign(app.platform.mailer, { send }) }
}

it('warns the owner of an inactive account once, at 23 months, and deletes it at 24', async () => {
  const ana = await person(app)
  await ana.call('PUT /api/user/language', { body: { language: 'es' } })
  await runAll(690)
  expect(warnings(ana)).toBe(0)
  await runAll(15)
  expect(warnings(ana)).toBe(1)
  expect(app.mails.findLast(({ to }) => to === ana.email)?.subject).toBe('Tu cuenta de Duet se va a borrar')
  await runAll(20)
  expect([warnings(ana), await exists(ana)]).toEqual([1, true])
  await runAll(12)
  expect(await exists(ana)).toBe(false)
  expect(await count('select from deletion_ledger where user_id = $1', [ana.id])).toBe(1)
})

it('counts the warning as sent after two nights without a mailbox, and never when the mail server refuses us', async () => {
  const [dead, refused, away] = [await person(app), await person(app), await person(app)]
  const { send } = app.platform.mailer
  const answer = (command: string, response: string) =>
    Object.assign(new Error(response), { code: 'EENVELOPE', command, response, responseCode: 550 })
  const faults: Record<string, Error> = {
    [dead.email]: answer('RCPT TO', '550 5.1.1 No such mailbox'),
    [refused.email]: answer('MAIL FROM', '550 5.7.1 Sender denied'),
    [away.email]: new Error('connect ECONNREFUSED'),
  }
  app.platform.mailer.send = async (mail) => {
    if (faults[mail.to]) throw faults[mail.to]
    await send(mail)
  }
  const left = async () => [await exists(dead), await exists(refused), await exists(away)]
  const other = await person(app)
  for (const nights of [705, 1, 27]) {
    await takeCode(other)
    await runAll(nights)
  }
  expect(await left()).toEqual([true, true, true])
  await runAll(2)
  expect(await left()).toEqual([false, true, true])
  app.platform.mailer.send = send
  await runAll(1)
  expect([warnings(refused), warnings(away)]).toEqual([1, 1])
  await runAll(27)
  expect(await left()).toEqual([false, true, true])
  await runAll(2)
  expect(await left()).toEqual([false, false, false])
})

it('counts the warning as sent after some nights when three mailboxes are missing and no other email is due', async () => {
  const dead = await people(app, 3)
  app.clock.advance(days(705))
  const { refused, end } = callGone(({ to }) => dead.some(({ email }) => email === to))
  const other = await person(app)
  for (let night = 0; night < 4; night++) {
    await takeCode(other)
    await runAll(1)
  }
  expect(refused.length).toBeLessThanOrEqual(6)
  await runAll(30)
  expect(await Promise.all(dead.map(exists))).toEqual([false, false, false])
  end()
})

it('keeps all accounts while the mail server calls every mailbox missing, however many nights', async () => {
  const living = await people(app, 3)
  app.clock.advance(days(705))
  await takeCode(await person(app))
  const { end } = callGone(() => true)
  for (let night = 0; night < 4; night++) await runAll(1)
  await runAll(30)
  expect(await Promise.all(living.map(exists))).toEqual([true, true, true])
  end()
  await runAll(1)
  expect(living.map(warnings)).toEqual([1, 1, 1])
})

it('keeps an account whose person comes back, and restarts its 24 months', async () => {
  const ana = await person(app)
  await runAll(705)
  expect(warnings(ana)).toBe(1)
  await caller(app.url).call('POST /api/user/requestOtp', { body: { email: ana.email } })
  const body = { email: ana.email, otp: await app.codeFor(ana.email) }
  const { body: session } = await caller(app.url).call('POST /api/user/authenticate', { body })
  await runAll(2)
  await caller(app.url, session.token).call('GET /api/user/myDetails')
  await runAll(60)
  expect([warnings(ana), await exists(ana)]).toEqual([1, true])
})

it('deletes no account without four weeks’ notice, however late the warning was sent', async () => {
  const ana = await person(app)
  await runAll(900)
  expect([warnings(ana), await exists(ana)]).toEqual([1, true])
  await runAll(27)
  expect(await exists(ana)).toBe(true)
  await runAll(2)
  expect(await exists(ana)).toBe(false)
})
