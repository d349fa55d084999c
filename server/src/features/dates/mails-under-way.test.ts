import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { after, hours, minutes } from '../../platform/clock.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { JobPlatforms } from '../../platform/platform.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { watchDates } from '../../test/dates.ts'
import { type Person, person } from '../../test/people.ts'
import { dateJobs } from './dates.jobs.ts'

let app: TestApp
let ana: Person
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
})

const fromNow = (ms: number) => after(app.clock.now(), ms).toISOString()
const share = (contactEmail: string) =>
  ana.call('POST /api/dates', {
    body: { place: 'Café Central', at: fromNow(hours(1)), checkInMinutes: 60, contactEmail },
  })
const change = (id: string, body: Record<string, unknown>) => ana.call('PATCH /api/dates/:id', { params: { id }, body })
const checkIn = (id: string) => ana.call('POST /api/dates/:id/checkIn', { params: { id } })
const newest = async () => (await ana.call('GET /api/dates')).body.dates[0]
const told = () => app.mails.map(({ to }) => to)
/** The time until the check-in of a date that starts in an hour counts as missed. */
const untilMissed = hours(2) + minutes(31)

/** Makes each email to a contact wait until the test accepts or refuses it. */
function holdMails() {
  let letGo: (how: 'taken' | 'refused') => void = () => undefined
  const isTried = new Promise<void>((tried) => {
    app.platform.mailer.send = async (mail) => {
      tried()
      const how = await new Promise<'taken' | 'refused'>((resolve) => {
        letGo = resolve
      })
      if (how === 'refused') throw Object.assign(new Error('not accepted'), { code: 'EENVELOPE', responseCode: 550 })
      await send(mail)
    }
  })
  return { isTried, letGo: (how: 'taken' | 'refused' = 'taken') => letGo(how) }
}

describe('while the email to a contact is being sent', () => {
  type Act = (id: string) => Promise<unknown>
  const acts: [string, Act, object, string[]][] = [
    ['does nothing', async () => undefined, { contactEmail: null, checkIn: 'missed' }, ['sister@example.com']],
    [
      'moves the date',
      (id) => change(id, { at: fromNow(hours(3)) }),
      { contactEmail: 'sister@example.com', checkIn: 'waiting' },
      ['sister@example.com', 'sister@example.com'],
    ],
    ['checks in', (id) => checkIn(id), { contactEmail: null, checkIn: 'checked_in' }, ['sister@example.com']],
  ]

  it.each(acts)(
    'a contact gets one email about each missed check-in, even if the owner %s while one is being sent',
    async (_, act, now, all) => {
      const { id } = (await share('sister@example.com')).body
      const { isTried, letGo } = holdMails()
      app.clock.advance(untilMissed)
      const telling = watchDates(app.platform)
      await isTried
      await act(id)
      expect((await newest())?.contactToldAt ?? null).toBe(null)
      letGo()
      await telling
      app.platform.mailer.send = send
      expect(await newest()).toMatchObject({ ...now, contactToldAt: expect.any(String), contactUntold: false })
      app.clock.advance(hours(5))
      await watchDates(app.platform)
      expect(told()).toEqual(all)
    },
  )

  it('a contact whose email was refused during a move of the date gets an email about the next check-in', async () => {
    const { id } = (await share('sister@example.com')).body
    const { isTried, letGo } = holdMails()
    app.clock.advance(untilMissed)
    const telling = watchDates(app.platform)
    await isTried
    await change(id, { at: fromNow(hours(3)) })
    letGo('refused')
    await telling
    app.platform.mailer.send = send
    const waiting = {
      contactEmail: 'sister@example.com',
      contactToldAt: null,
      contactUntold: false,
      checkIn: 'waiting',
    }
    expect(await newest()).toMatchObject(waiting)
    app.clock.advance(hours(5))
    await watchDates(app.platform)
    expect(told()).toEqual(['sister@example.com'])
  })

  it('a contact emailed about the next check-in counts as emailed when the first email is refused later', async () => {
    const { id } = (await share('sister@example.com')).body
    const { isTried, letGo } = holdMails()
    app.clock.advance(untilMissed)
    const telling = watchDates(app.platform)
    await isTried
    await change(id, { at: fromNow(hours(3)) })
    app.platform.mailer.send = send
    app.clock.advance(hours(5))
    await watchDates(app.platform)
    letGo('refused')
    await telling
    expect(await newest()).toMatchObject({
      contactEmail: null,
      contactToldAt: expect.any(String),
      contactUntold: false,
    })
    expect(told()).toEqual(['sister@example.com'])
  })

  it('ending a date while an email is being sent deletes everything', async () => {
    const { id } = (await share('sister@example.com')).body
    const { isTried, letGo } = holdMails()
    app.clock.advance(untilMissed)
    const telling = watchDates(app.platform)
    await isTried
    await change(id, { ended: true })
    letGo()
    await telling
    expect(await newest()).toBeUndefined()
  })
})

it('a check-in starts while the email to another date’s contact hangs', async () => {
  const jobs = dateJobs({ platform: app.platform } as JobPlatforms)
  const run = (name: string) => jobs.find((job) => job.name === name)?.run({})
  await share('sister@example.com')
  app.clock.advance(untilMissed)
  const { isTried, letGo } = holdMails()
  const telling = run('tell-contacts')
  await isTried
  await run('watch-dates')
  const kinds = (await ana.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
  expect(kinds).toContain('date_check_in')
  letGo()
  await telling
})
