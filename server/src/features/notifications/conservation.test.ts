import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { hours, minutes } from '../../platform/clock.ts'
import type { DB } from '../../platform/database/schema.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import type { Mail } from '../../platform/mailer.ts'
import { drawBelow, seededRandom } from '../../platform/random.ts'
import { startTestApp, stoppedClock, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { type Browser, type PushService, startPushService } from '../../test/push-service.ts'
import { mailUntold } from '../mails/news.ts'
import { pushNotification } from '../push/push.ts'
import { type NotificationInput, notifyMany } from './notifications.ts'

/*
 * Every notification ends up read, pushed (a push service accepted it), emailed (the mail server accepted it) or too
 * old, and none is marked as pushed or emailed without having been accepted. The test runs the jobs itself, as often
 * and with as many failures as it wants.
 */

let app: TestApp
let service: PushService
let send: (mail: Mail) => Promise<void>
beforeAll(async () => {
  service = await startPushService()
  app = await startTestApp(
    { PUSH_HOSTS: 'localhost', LOG_LEVEL: 'silent' },
    { clock: stoppedClock(new Date('2027-03-02T12:00:00Z')) },
  )
  send = app.platform.mailer.send
  await (app.platform.jobs as JobRunner).rest()
})
afterAll(async () => {
  await app.close()
  await service.close()
})

const usual = {
  push: { match: true, message: true, like: true, nearby: true, safety: true, account: true },
  email: { match: 'now', message: 'now', like: 'now', nearby: 'now', safety: 'now', account: 'now' },
  lockScreen: 'text',
  quietHours: null,
  timeZone: 'UTC',
} as const

interface Known {
  who: Person
  browser: Browser | undefined
  mails: Mail[]
}

async function createCast(count: number): Promise<Known[]> {
  const all = await people(app, count)
  await app.platform.pool.query('update sessions set idle_expires_at = $1, expires_at = $1', [new Date('2040-01-01')])
  return Promise.all(
    all.map(async (who, place) => {
      await who.call('PUT /api/notifications/preferences', { body: usual })
      const browser = place % 2 === 0 ? service.newBrowser() : undefined
      if (browser) await subscribe(who, browser)
      return { who, browser, mails: [] }
    }),
  )
}
const subscribe = (who: Person, browser: Browser) =>
  who.call('PUT /api/push/subscription', { body: { ...browser.subscription, timeZone: 'UTC' } })

/** How a statement fails: before it runs, after it ran but its reply was lost, or because the process ends. */
const ways = ['before', 'after', 'end'] as const
interface Fault {
  /** Counted from 1. */
  at: number
  way: (typeof ways)[number]
}

/** A database that fails once, and whether it has failed yet. */
function failing(db: Kysely<DB>, { at, way }: Fault) {
  let count = 0
  const lose = () => {
    throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
  }
  const faulty = db.withPlugin({
    transformQuery({ node }) {
      count += 1
      if ((way === 'before' && count === at) || (way === 'end' && count >= at)) lose()
      return node
    },
    async transformResult({ result }) {
      if (way === 'after' && count === at) lose()
      return result
    },
  })
  return { db: faulty, wasMet: () => count >= at }
}

const ignore = () => undefined
const untoldIds = async ({ who }: Known): Promise<string[]> => {
  const untold = 'select id from notifications where user_id = $1 and not read and pushed_at is null'
  return (await app.platform.pool.query(untold, [who.id])).rows.map(({ id }) => id)
}
/** Does the work of the queue and the scheduler: pushes what hasn't been pushed, and emails what is due. */
async function tellAll(all: Known[], db: () => Kysely<DB> = () => app.platform.db): Promise<void> {
  for (const known of all)
    for (const id of await untoldIds(known)) await pushNotification({ ...app.platform, db: db() }, id).catch(ignore)
  await mailUntold({ ...app.platform, db: db() }).catch(ignore)
}

async function tellLater(all: Known[]): Promise<void> {
  for (const pause of [minutes(20), hours(4), hours(4)]) {
    app.clock.advance(pause)
    await tellAll(all)
  }
}

let count = 0
/** A unique four-letter suffix, so that the name occurs nowhere else. */
function newName(): string {
  count += 1
  return `Zq${[17_576, 676, 26, 1].map((weight) => String.fromCharCode(97 + (Math.floor(count / weight) % 26))).join('')}`
}
async function notify({ who }: Known, from: Known, kind: 'message' | 'like' | 'match'): Promise<void> {
  const link = kind === 'like' ? '/likes' : `/chat/${from.who.id}`
  const input: NotificationInput = { kind, params: { name: newName() }, link }
  await notifyMany(app.platform, [{ ...input, userId: who.id }])
}

interface Row {
  id: string
  params: { name: string }
  read: boolean
  pushed_at: Date | null
  mailed_at: Date | null
}
/** A person's notifications that didn't end up as expected. */
async function faultsOf({ who, browser, mails }: Known): Promise<string[]> {
  const all = `select id, params, read, pushed_at, mailed_at from notifications where user_id = $1 and params ? 'name'`
  const { rows } = await app.platform.pool.query<Row>(all, [who.id])
  return rows.flatMap(({ id, params, read, pushed_at: pushed, mailed_at: mailed }) => {
    const wasPushed = browser?.received.some(({ message }) => message.id === id) ?? false
    const wasMailed = mails.some(({ text }) => text.includes(params.name))
    return [
      ...(pushed && !wasPushed ? ['noted as pushed, and no push service took it'] : []),
      ...(mailed && !wasMailed ? ['noted as mailed, and the mail server did not take it'] : []),
      ...(read || pushed || mailed ? [] : [`told nowhere${wasPushed || wasMailed ? ', as far as was noted' : ''}`]),
    ]
  })
}

function deliverMails(all: Known[]): void {
  const of = new Map(all.map((known) => [known.who.email, known]))
  app.platform.mailer.send = async (mail) => void of.get(mail.to)?.mails.push(mail)
}

async function forget(all: Known[]): Promise<void> {
  await app.platform.pool.query('delete from notifications')
  await app.platform.pool.query('update accounts set news_mailed_at = null')
  for (const { mails } of all) mails.length = 0
}

it.each(ways)('after a fault at any statement (%s), a later run tells what was claimed', async (way) => {
  const all = await createCast(2)
  const [ana, ben] = all as [Known, Known]
  deliverMails(all)
  let isMet = true
  for (let at = 1; isMet; at += 1) {
    await forget(all)
    await notify(ana, ben, 'message')
    await notify(ben, ana, 'message')
    await notify(ben, ana, 'like')
    const push = failing(app.platform.db, { at, way })
    for (const id of await untoldIds(ana)) await pushNotification({ ...app.platform, db: push.db }, id).catch(ignore)
    app.clock.advance(hours(1))
    const mail = failing(app.platform.db, { at, way })
    await mailUntold({ ...app.platform, db: mail.db }).catch(ignore)
    isMet = push.wasMet() || mail.wasMet()
    await tellLater(all)
    expect([await faultsOf(ana), await faultsOf(ben)]).toEqual([[], []])
  }
})

it('in random histories of outages, gone browsers, faults and crashes, every notification is told or read', {
  tags: ['more-in-long', 'more-in-release'],
}, async () => {
  const all = await createCast(6)
  const wrong: string[] = []
  let [pushed, mailed] = [0, 0]
  for (let seed = 1; seed <= rounds(6, 25, 200); seed += 1) {
    const random = seededRandom(seed)
    const draw = <T>(list: readonly T[]) => list[drawBelow(random, list.length)] as T
    await forget(all)
    for (let step = 0; step < 8; step += 1) {
      const known = draw(all)
      await notify(known, draw(all.filter((other) => other !== known)), draw(['message', 'like', 'match']))
      const { who, browser } = draw(all)
      if (random() < 0.1) await who.call('PATCH /api/notifications', { body: { read: true } })
      if (browser) browser.status = draw([201, 201, 410, 404, 503])
      if (browser && random() < 0.3) await subscribe(who, browser)
      deliverMails(all)
      if (random() < 0.4) app.platform.mailer.send = () => Promise.reject(new Error('away'))
      await tellAll(all, () =>
        random() < 0.4
          ? failing(app.platform.db, { at: 1 + drawBelow(random, 14), way: draw(ways) }).db
          : app.platform.db,
      )
      app.clock.advance(drawBelow(random, minutes(90)))
    }
    deliverMails(all)
    for (const { who, browser } of all) {
      if (!browser) continue
      browser.status = draw([201, 410])
      await subscribe(who, browser)
    }
    await tellLater(all)
    for (const known of all) wrong.push(...(await faultsOf(known)).map((fault) => `history ${seed}: ${fault}`))
    mailed += all.reduce((sum, { mails }) => sum + mails.length, 0)
  }
  pushed = all.reduce((sum, { browser }) => sum + (browser?.received.length ?? 0), 0)
  app.platform.mailer.send = send
  expect(wrong).toEqual([])
  expect([pushed > 0, mailed > 0]).toEqual([true, true])
})
