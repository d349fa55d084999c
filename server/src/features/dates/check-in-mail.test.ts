import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { after, hours, minutes } from '../../platform/clock.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import type { Mail } from '../../platform/mailer.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { watchDates } from '../../test/dates.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { putStop } from '../mails/mails.queries.ts'
import { mailCheckIn } from './check-in-mail.ts'

let app: TestApp
let ana: Person
let ben: Person
let send: (mail: Mail) => Promise<void>
beforeAll(async () => {
  app = await startTestApp()
  send = app.platform.mailer.send
})
afterAll(() => app.close())
beforeEach(async () => {
  ana = await person(app, { name: 'Ana' })
  ben = await person(app, { name: 'Ben' })
})

const fromNow = (ms: number) => after(app.clock.now(), ms).toISOString()
const share = (who: Person, contactEmail: string) =>
  who.call('POST /api/dates', {
    body: { place: 'Café Central', at: fromNow(hours(1)), checkInMinutes: 60, contactEmail },
  })
const asked = (who: Person) =>
  app.mails.filter(({ to, subject }) => to === who.email && subject.startsWith('Are you OK?'))
const noted = async (who: Person) => {
  const { rows } = await app.platform.pool.query(
    `select mailed_at is not null as mailed from notifications where user_id = $1 and kind = 'date_check_in'`,
    [who.id],
  )
  return rows
}
const becomeDue = async () => {
  app.clock.advance(hours(2) + minutes(1))
  await watchDates(app.platform)
}

it('an email asks for a due check-in immediately, whatever its owner stopped, chose, hides or is looking at', async () => {
  const time = (ms: number) => fromNow(ms).slice(11, 16)
  const topics = ['match', 'message', 'like', 'nearby', 'safety', 'account'] as const
  const all = <T>(value: T) =>
    Object.fromEntries(topics.map((topic) => [topic, value])) as Record<(typeof topics)[number], T>
  const quietHours = { from: time(0), to: time(hours(12)) }
  const chosen = {
    push: all(false),
    email: all('never' as const),
    lockScreen: 'nothing' as const,
    quietHours,
    timeZone: 'UTC',
  }
  await ana.call('PUT /api/notifications/preferences', { body: chosen })
  await ana.call('PATCH /api/privacy', { body: { hiddenWords: ['ex-wife', 'OK'] } })
  for (const group of ['all', 'digest'] as const) await putStop(app.platform.db, ana.id, group, app.clock.now())
  await app.platform.pool.query('update accounts set news_mailed_at = $2 where id = $1', [ana.id, app.clock.now()])
  const device = await connect(app, ana)
  await share(ana, 'sister@example.com')
  await becomeDue()
  await expect
    .poll(() => asked(ana))
    .toMatchObject([{ text: expect.stringMatching(/email the contact[\s\S]*\/dates/) }])
  expect(asked(ana)[0]).not.toHaveProperty('unsubscribeUrl')
  await expect.poll(() => noted(ana)).toEqual([{ mailed: true }])
  device.socket.disconnect()
})

it('the check-in email is retried until the mail server takes it, but not once the check-in is answered', async () => {
  await (app.platform.jobs as JobRunner).rest()
  app.platform.mailer.send = () => Promise.reject(new Error('away'))
  const [{ id }, other] = [(await share(ana, 'sister@example.com')).body, (await share(ben, 'sister@example.com')).body]
  await becomeDue()
  for (const date of [id, other.id]) await mailCheckIn(app.platform, date)
  await ben.call('POST /api/dates/:id/checkIn', { params: { id: other.id } })
  app.platform.mailer.send = send
  for (const date of [id, other.id]) await mailCheckIn(app.platform, date)
  expect([asked(ana).length, asked(ben).length]).toEqual([1, 0])
})
