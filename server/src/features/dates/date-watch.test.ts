import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import type { Mail } from '../../platform/mailer.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { withBadRow } from '../../test/bad-row.ts'
import { watchDates } from '../../test/dates.ts'
import { caller, type Person, person } from '../../test/people.ts'

let app: TestApp
let ana: Person
let ben: Person
let send: (mail: Mail) => Promise<void>
beforeAll(async () => {
  app = await startTestApp()
  // Stops the job queue, which emails the people who share dates. Their contacts are emailed by the watch, which the
  // test runs.
  await (app.platform.jobs as JobRunner).rest()
  send = app.platform.mailer.send
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.advance(hours(48))
  await watchDates(app.platform)
  app.platform.mailer.send = send
  app.mails.length = 0
  ana = await person(app, { name: 'Ana' })
  ben = await person(app, { name: 'Ben' })
})

const fromNow = (ms: number) => after(app.clock.now(), ms).toISOString()
const share = (who: Person, contactEmail: string, at = fromNow(hours(1))) =>
  who.call('POST /api/dates', { body: { place: 'Café Central', at, checkInMinutes: 60, contactEmail } })
const change = (who: Person, id: string, body: Record<string, unknown>) =>
  who.call('PATCH /api/dates/:id', { params: { id }, body })
const checkIn = (who: Person, id: string) => who.call('POST /api/dates/:id/checkIn', { params: { id } })
const listOf = async (who: Person) => (await who.call('GET /api/dates')).body.dates
const told = () => app.mails.map(({ to }) => to)
/** The time until the check-in of a date that starts in an hour counts as missed. */
const untilMissed = hours(2) + minutes(31)

/** Makes the mail server refuse emails to some addresses, with the given SMTP error. */
function refuse(isTo: (address: string) => boolean, code: string, command?: string): void {
  app.platform.mailer.send = (mail) =>
    isTo(mail.to)
      ? Promise.reject(Object.assign(new Error('not accepted'), { code, command, responseCode: 550 }))
      : send(mail)
}

describe("a contact who can't be emailed", () => {
  it("a contact who can't be emailed doesn't hold up other people's contacts", async () => {
    for (let i = 0; i < 8; i++) await share(ana, `wrong${i}@example.com`)
    await share(ben, 'sister@example.com')
    refuse((address) => address.startsWith('wrong'), 'EENVELOPE')
    app.clock.advance(untilMissed)
    await watchDates(app.platform)
    expect(told()).toEqual(['sister@example.com'])
  })

  it('a contact is tried once per run, however long ago the check-in was missed', async () => {
    await share(ana, 'wrong@example.com')
    let tries = 0
    refuse(() => {
      tries += 1
      return true
    }, 'EENVELOPE')
    app.clock.advance(hours(10))
    await watchDates(app.platform)
    expect(tries).toBe(1)
  })

  it('a run stops after three failed emails in a row, and the other contacts wait', async () => {
    for (let i = 0; i < 5; i++) await share(ana, `sister${i}@example.com`)
    let tries = 0
    refuse(() => {
      tries += 1
      return true
    }, 'ECONNECTION')
    app.clock.advance(untilMissed)
    await watchDates(app.platform)
    expect(tries).toBe(3)
    app.platform.mailer.send = send
    app.clock.advance(minutes(5))
    await watchDates(app.platform)
    expect(told()).toHaveLength(5)
  })
})

describe('while emails fail', () => {
  async function watchFor(span: number): Promise<void> {
    for (let minute = 0; minute < span * 60; minute += 5) {
      await watchDates(app.platform)
      app.clock.advance(minutes(5))
    }
  }

  it.each([
    [0.1, 'ECONNECTION', undefined],
    [3, 'ECONNECTION', undefined],
    [12, 'ETIMEDOUT', undefined],
    [3, 'EENVELOPE', 'MAIL FROM'],
    [3, 'EENVELOPE', 'RCPT TO'],
  ])('a contact is emailed soon after the mail server is back from %s hours of %s %s', async (span, code, command) => {
    await share(ana, 'sister@example.com')
    refuse(() => true, code, command)
    app.clock.advance(untilMissed)
    await watchFor(span)
    expect((await listOf(ana))[0]).toMatchObject({
      ...{ checkIn: 'missed', contactEmail: 'sister@example.com', contactUntold: true, contactToldAt: null },
    })
    app.platform.mailer.send = send
    await watchFor(0.5)
    expect(told()).toEqual(['sister@example.com'])
    expect((await listOf(ana))[0]).toMatchObject({
      ...{ contactEmail: null, contactUntold: false, contactToldAt: expect.any(String) },
    })
  })

  /** A mail server that receives emails but never confirms them. */
  function neverAnswer(of: TestApp): { tries: number } {
    const seen = { tries: 0 }
    of.platform.mailer.send = () => {
      seen.tries += 1
      return Promise.reject(Object.assign(new Error('no answer'), { code: 'EUNCERTAIN' }))
    }
    return seen
  }

  it('an email that is never confirmed is sent twice, and the contact counts as emailed', async () => {
    await share(ana, 'sister@example.com')
    const seen = neverAnswer(app)
    app.clock.advance(untilMissed)
    await watchFor(3)
    expect(seen.tries).toBe(2)
    expect((await listOf(ana))[0]).toMatchObject({ contactEmail: null, contactToldAt: expect.any(String) })
  })

  it("emails that are never confirmed count towards a contact's daily limit", async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
    await (strict.platform.jobs as JobRunner).rest()
    const [eve, seen] = [await person(strict), neverAnswer(strict)]
    const at = after(strict.clock.now(), hours(1)).toISOString()
    const body = { place: 'P', at, checkInMinutes: 60, contactEmail: 'sister@example.com' } as const
    for (let i = 0; i < 3; i++) await eve.call('POST /api/dates', { body })
    strict.clock.advance(untilMissed)
    for (let minute = 0; minute < 180; minute += 5) {
      await watchDates(strict.platform)
      strict.clock.advance(minutes(5))
    }
    expect(seen.tries).toBe(3)
    await strict.close()
  })

  it("a contact is retried until the date's page ends", async () => {
    const { expiresAt } = (await share(ana, 'sister@example.com')).body
    let last = 0
    refuse(() => {
      last = app.clock.now().getTime()
      return true
    }, 'ECONNECTION')
    app.clock.advance(untilMissed)
    await watchFor(22.5)
    expect(await listOf(ana)).toEqual([])
    expect(Date.parse(expiresAt) - last).toBeLessThan(minutes(21))
  })

  it("a contact isn't emailed once the owner has answered", async () => {
    const { id } = (await share(ana, 'sister@example.com')).body
    refuse(() => true, 'ECONNECTION')
    app.clock.advance(untilMissed)
    await watchFor(0.1)
    expect((await checkIn(ana, id)).body.dates[0]).toMatchObject({ contactUntold: false, contactEmail: null })
    app.platform.mailer.send = send
    await watchFor(0.5)
    expect(told()).toEqual([])
  })

  it('the owner sees, before and after the check-in, that a contact who declines such emails gets none', async () => {
    await share(ana, 'declines@example.com')
    app.clock.advance(untilMissed)
    await watchDates(app.platform)
    const key = /\/date\/stop\/(\S+)/.exec(app.mails[0]?.text ?? '')?.[1] ?? ''
    await share(ben, 'declines@example.com')
    expect((await listOf(ben))[0]).toMatchObject({ contactEmail: 'declines@example.com', contactUntold: false })
    await caller(app.url).call('POST /api/declined-contacts', { body: { key } })
    const waiting = { checkIn: 'waiting', contactEmail: null, contactToldAt: null, contactUntold: true }
    expect((await listOf(ben))[0]).toMatchObject(waiting)
    app.clock.advance(untilMissed)
    await watchDates(app.platform)
    expect((await listOf(ben))[0]).toMatchObject({ contactEmail: null, contactToldAt: null, contactUntold: true })
  })
})

it("a person who can't be asked holds up neither other people's questions nor their contacts", async () => {
  await share(ana, 'brother@example.com')
  await share(ben, 'sister@example.com')
  app.clock.advance(untilMissed)
  const bad = { table: 'shared_dates', column: 'user_id', value: ana.id }
  await withBadRow(app, bad, () => watchDates(app.platform))
  const kinds = (await ben.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
  expect([kinds.filter((kind) => kind === 'date_check_in'), told()]).toEqual([
    ['date_check_in'],
    ['sister@example.com'],
  ])
})

describe('moving a date', () => {
  it('a date moved after an early check-in keeps its contact', async () => {
    const { id } = (await share(ana, 'sister@example.com')).body
    app.clock.advance(hours(2) - minutes(10))
    const early = (await checkIn(ana, id)).body.dates[0]
    expect(early).toMatchObject({ checkIn: 'checked_in', contactEmail: 'sister@example.com' })
    const moved = await change(ana, id, { at: fromNow(hours(1)) })
    expect(moved.body.dates[0]).toMatchObject({ checkIn: 'waiting', contactEmail: 'sister@example.com' })
    app.clock.advance(untilMissed)
    await watchDates(app.platform)
    expect(told()).toEqual(['sister@example.com'])
  })

  it("a date can't be moved to more than 60 days after it was shared", async () => {
    const { id } = (await share(ana, 'sister@example.com', fromNow(days(50)))).body
    app.clock.advance(days(45))
    expect((await change(ana, id, { at: fromNow(days(14)) })).status).toBe(200)
    const { status, body } = await change(ana, id, { at: fromNow(days(16)) })
    expect([status, body.code]).toEqual([409, 'conflict'])
  })

  it("a date not moved after an early check-in loses the contact's address, and nobody is emailed", async () => {
    const { id } = (await share(ana, 'sister@example.com')).body
    app.clock.advance(hours(2) - minutes(10))
    await checkIn(ana, id)
    app.clock.advance(minutes(41))
    await watchDates(app.platform)
    expect([told(), (await listOf(ana))[0]]).toMatchObject([[], { checkIn: 'checked_in', contactEmail: null }])
  })

  it("a date can't be moved once the check-in is over, because the contact's address is deleted", async () => {
    const answered = (await share(ana, 'sister@example.com')).body
    const missed = (await share(ben, 'brother@example.com')).body
    app.clock.advance(hours(2) + 1)
    await checkIn(ana, answered.id)
    app.clock.advance(minutes(31))
    await watchDates(app.platform)
    for (const [who, { id }] of [
      [ana, answered],
      [ben, missed],
    ] as const) {
      expect((await change(who, id, { at: fromNow(hours(1)) })).body.code).toBe('conflict')
      expect((await change(who, id, { note: 'By tram 4' })).status).toBe(200)
    }
  })

  it("a moved date's contact is emailed as soon as the new check-in is missed, even after an outage", async () => {
    const { id } = (await share(ana, 'sister@example.com')).body
    app.clock.advance(untilMissed)
    refuse(() => true, 'ECONNECTION')
    for (let i = 0; i < 8; i++) {
      await watchDates(app.platform)
      app.clock.advance(hours(1))
    }
    await change(ana, id, { at: fromNow(hours(1)) })
    app.platform.mailer.send = send
    app.clock.advance(hours(2) + minutes(29))
    await watchDates(app.platform)
    expect(told()).toEqual([])
    app.clock.advance(minutes(2))
    await watchDates(app.platform)
    expect(told()).toEqual(['sister@example.com'])
  })
})

it('a check-in continues while an account is waiting for erasure', async () => {
  const { url } = (await share(ana, 'sister@example.com')).body
  expect((await ana.call('POST /api/erasure', { body: {} })).body.eraseAt).toBeTruthy()
  app.mails.length = 0
  app.clock.advance(untilMissed)
  await watchDates(app.platform)
  expect(told()).toEqual(['sister@example.com'])
  const params = { token: url.split('/').at(-1) ?? '' }
  const { status, body } = await caller(app.url).call('GET /api/shared-dates/:token', { params })
  expect([status, body.who.name, body.checkIn]).toEqual([200, 'Ana', 'missed'])
})

describe('emails to contacts', () => {
  it('a contact can only be named for a check-in in the future', async () => {
    const past = fromNow(-hours(2))
    expect((await share(ana, 'sister@example.com', past)).status).toBe(400)
    const { id } = (await share(ana, 'sister@example.com')).body
    expect((await change(ana, id, { at: past })).status).toBe(400)
    expect((await ana.call('POST /api/dates', { body: { place: 'P', at: past, checkInMinutes: 60 } })).status).toBe(201)
  })

  it.each(['Bank bank-login.example', 'https://a.example', 'Ana ana@example.org', 'Bank．example', '+34 600 123 456'])(
    "an email to a contact doesn't contain the name %s",
    async (name) => {
      await share(await person(app, { name }), 'sister@example.com')
      app.clock.advance(untilMissed)
      await watchDates(app.platform)
      expect(app.mails[0]?.subject).toBe("Someone hasn't checked in")
      expect(app.mails[0]?.text).not.toContain(name)
    },
  )

  it.each(['J.R.', 'Mary Ann', 'St. John', 'María José', 'O’Neil'])(
    'an email to a contact contains the name %s',
    async (name) => {
      await share(await person(app, { name }), 'sister@example.com')
      app.clock.advance(untilMissed)
      await watchDates(app.platform)
      expect(app.mails[0]?.subject).toBe(`${name} hasn't checked in`)
    },
  )

  it('emails stop for the whole mailbox of a contact who declined, however its address is written', async () => {
    await share(ana, 'fr.iend+dates@gmail.com')
    app.clock.advance(untilMissed)
    await watchDates(app.platform)
    const key = /\/date\/stop\/(\S+)/.exec(app.mails[0]?.text ?? '')?.[1] ?? ''
    expect((await caller(app.url).call('POST /api/declined-contacts', { body: { key } })).status).toBe(200)
    for (const address of ['friend@gmail.com', 'FRIEND+x@googlemail.com', 'fr.iend+dates@gmail.com'])
      expect((await share(ben, address)).status).toBe(409)
  })
})
