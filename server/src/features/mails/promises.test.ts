import { NotificationKind } from '@duet/contract/notifications.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { startTestApp, stoppedClock, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { notifyMany } from '../notifications/notifications.ts'
import { putStop } from './mails.queries.ts'
import { putNewsMailed } from './news.queries.ts'
import { mailUntold } from './news.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({}, { clock: stoppedClock(new Date('2027-03-02T12:00:00Z')) })
})
afterAll(() => app.close())

/**
 * How a kind of notification is emailed by default: as news immediately (`now`) or in the evening (`daily`), as a
 * separate `notice` that neither delays news nor appears in it again, or `never`.
 */
const promised: Record<NotificationKind, 'now' | 'daily' | 'notice' | 'never'> = {
  ...{ message: 'now', match: 'now', like: 'daily', nearby: 'daily' },
  ...{ photo_approved: 'daily', photo_rejected: 'daily', export_ready: 'daily' },
  ...{ sanctioned: 'daily', sanction_lifted: 'daily', appeal_decided: 'daily' },
  ...{ report_upheld: 'daily', report_dismissed: 'daily', verification_approved: 'daily' },
  ...{ verification_rejected: 'daily', verification_undecided: 'daily', verification_lost: 'daily' },
  // Emailed by `mail-check-in` in features/dates, and by the notices of features/accounts.
  ...{ date_check_in: 'notice', new_sign_in: 'notice', address_changed: 'notice', recovery_code_used: 'notice' },
  welcome: 'never',
}

const usual = {
  push: { match: false, message: false, like: false, nearby: false, safety: false, account: false },
  email: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' },
  lockScreen: 'text',
  quietHours: null,
  timeZone: 'UTC',
} as const
const quietHours = { from: '12:30', to: '19:00' }

/** Minutes from noon until the email is sent, for each condition that delays news; undefined if none is sent. */
const conditions = [
  { name: 'nothing', now: 60, daily: 360, prepare: () => undefined },
  {
    name: 'a stop',
    now: undefined,
    daily: undefined,
    prepare: ({ id }: Person) => putStop(app.platform.db, id, 'all', app.clock.now()),
  },
  {
    name: 'the pause after another email',
    now: 240,
    daily: 360,
    prepare: ({ id }: Person) => putNewsMailed(app.platform.db, id, app.clock.now()),
  },
  {
    ...{ name: 'quiet hours', now: 420, daily: 420 },
    prepare: (who: Person) => who.call('PUT /api/notifications/preferences', { body: { ...usual, quietHours } }),
  },
]

it('each kind of notification is emailed when promised, whatever delays news', async () => {
  const cases = NotificationKind.options.flatMap((kind) => conditions.map((condition) => ({ kind, ...condition })))
  const cast = await people(app, cases.length)
  await app.platform.pool.query('delete from notifications')
  await Promise.all(
    cast.map(async (who, place) => {
      await who.call('PUT /api/notifications/preferences', { body: usual })
      await cases[place]?.prepare(who)
    }),
  )
  await notifyMany(
    app.platform,
    cast.map(({ id }, place) => ({ userId: id, kind: cases[place]?.kind ?? 'welcome' })),
  )
  const came = new Map<string, number>()
  app.mails.length = 0
  for (let minute = 0; minute <= 480; minute += 20) {
    await mailUntold(app.platform)
    for (const { to } of app.mails.splice(0)) came.set(to, came.get(to) ?? minute)
    app.clock.advance(minutes(20))
  }
  const timeOf = ({ kind, now, daily }: (typeof cases)[number]) =>
    ({ now, daily, notice: undefined, never: undefined })[promised[kind]]
  expect(cast.map(({ email }, place) => [cases[place]?.kind, cases[place]?.name, came.get(email)])).toEqual(
    cases.map((one) => [one.kind, one.name, timeOf(one)]),
  )
})
