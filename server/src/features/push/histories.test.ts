import { afterAll, beforeAll, expect, it } from 'vitest'
import { reportBeside } from '../../../../tools/report.ts'
import { rounds, tier } from '../../../../tools/tier.ts'
import { days, hours, minutes } from '../../platform/clock.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import { drawBelow, seededRandom } from '../../platform/random.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, stoppedClock, type TestApp } from '../../test/app.ts'
import { type Person, people } from '../../test/people.ts'
import { type Browser, type PushService, startPushService } from '../../test/push-service.ts'
import { type ClientSocket, connect } from '../../test/sockets.ts'
import { type NotificationInput, notify } from '../notifications/notifications.ts'
import { pushNotification } from './push.ts'

let app: TestApp
let service: PushService
beforeAll(async () => {
  service = await startPushService()
  // Stops the queue, because the test runs due jobs itself.
  app = await startTestApp({ PUSH_HOSTS: 'localhost' }, { clock: stoppedClock() })
  await (app.platform.jobs as JobRunner).rest()
})
afterAll(async () => {
  await app.close()
  await service.close()
})

const zones = ['UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Cairo']
const spans = [
  ['22:00', '08:00'],
  ['00:30', '06:15'],
  ['13:00', '14:30'],
] as const

/** Kept independently of the code under test. */
interface Known {
  who: Person
  browser: Browser
  push: Record<string, boolean>
  quiet: { from: string; to: string } | null
  timeZone: string
  lockScreen: 'nothing' | 'name' | 'text'
  words: string[]
  hasBrowser: boolean
  isSuspended: boolean
  looking: ClientSocket | undefined
  session: string
}

const topics: Record<string, string> = { match: 'match', like: 'like', message: 'message', date_check_in: 'safety' }

const timeIn = (zone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    app.clock.now(),
  )

function isQuietFor({ quiet, timeZone }: Known): boolean {
  if (!quiet) return false
  const now = timeIn(timeZone)
  const { from, to } = quiet
  return from < to ? now >= from && now < to : now >= from || now < to
}

const inputs: ((from: Person, text: string) => NotificationInput)[] = [
  ({ id, name }, preview) => ({
    kind: 'message',
    params: { name, preview },
    link: `/chat/${id}`,
    collapseKey: `chat:${id}`,
  }),
  ({ id, name }) => ({ kind: 'like', params: { name }, link: '/likes', collapseKey: `pair:${id}` }),
  ({ id, name }) => ({ kind: 'match', params: { name }, link: `/chat/${id}`, collapseKey: `pair:${id}` }),
  () => ({ kind: 'date_check_in', link: '/dates', collapseKey: 'date:1' }),
]

const wanted = ({ push, lockScreen, quiet, timeZone }: Known) => ({
  push: push as never,
  email: { match: 'now', message: 'now', like: 'daily', nearby: 'daily', safety: 'now', account: 'daily' } as const,
  lockScreen,
  quietHours: quiet,
  timeZone,
})

function play(random: () => number, all: Known[]) {
  const draw = <T>(list: readonly T[]): T => list[drawBelow(random, list.length)] as T
  const isChance = (share: number) => random() < share
  /** Suspended people can't change anything. */
  const choose = async (known: Known, choice: Partial<Known>) => {
    const { status } = await known.who.call('PUT /api/notifications/preferences', {
      body: wanted({ ...known, ...choice }),
    })
    if (status === 200) Object.assign(known, choice)
  }
  const look = async (known: Known) => {
    const isOver = known.looking?.connected || known.isSuspended || !known.hasBrowser
    known.looking?.disconnect()
    known.looking = isOver ? undefined : (await connect(app, known.who)).socket
    await expect.poll(() => app.platform.realtime.isLooking(known.who.id)).toBe(!isOver)
  }
  const acts: ((known: Known, other: Person) => Promise<unknown>)[] = [
    ...[1, 2, 3, 4, 5].map(
      () =>
        ({ who }: Known, other: Person) =>
          transaction(app.platform, (tx) => notify(tx, who.id, draw(inputs)(other, draw(['Hello', 'free bitcoin'])))),
    ),
    ({ who }) => who.call('PATCH /api/notifications', { body: { read: true } }),
    ({ who }, other) => who.call('PUT /api/blocks/:userId', { params: { userId: other.id } }),
    ({ who }, other) => who.call('DELETE /api/blocks/:userId', { params: { userId: other.id } }),
    ({ who }, other) => other.call('PUT /api/blocks/:userId', { params: { userId: who.id } }),
    ({ who }, other) => other.call('DELETE /api/blocks/:userId', { params: { userId: who.id } }),
    async (known) => {
      const words = isChance(0.5) ? ['bitcoin'] : []
      const { status } = await known.who.call('PATCH /api/privacy', { body: { hiddenWords: words } })
      if (status === 200) known.words = words
    },
    async (known) => {
      const [from, to] = draw(spans)
      await choose(known, { quiet: isChance(0.6) ? { from, to } : null, timeZone: draw(zones) })
    },
    async (known) => {
      const push = Object.fromEntries(Object.keys(known.push).map((topic) => [topic, isChance(0.7)]))
      await choose(known, { push, lockScreen: draw(['nothing', 'name', 'text']) })
    },
    async (known) => {
      known.isSuspended = isChance(0.3)
      const standing = known.isSuspended ? 'suspended' : 'good'
      await app.platform.pool.query('update accounts set standing = $2 where id = $1', [known.who.id, standing])
      // Processes cache a session for a second; without this, the change would take effect late.
      app.platform.sessions.forget(known.session)
    },
    look,
    async (known) => {
      const { devices } = (await known.who.call('GET /api/push')).body
      if (known.isSuspended) return
      if (known.hasBrowser && isChance(0.5) && devices[0]) {
        await known.who.call('DELETE /api/push/devices/:id', { params: { id: devices[0].id } })
        known.hasBrowser = false
      } else {
        const body = { ...known.browser.subscription, timeZone: known.timeZone }
        known.hasBrowser = (await known.who.call('PUT /api/push/subscription', { body })).status === 200
      }
    },
    async () => app.clock.advance(drawBelow(random, hours(9))),
    async () => app.clock.advance(drawBelow(random, minutes(20))),
  ]
  return { act: draw(acts), known: draw(all) }
}

/** Pushes after the first `before` that don't match what the app shows now. */
async function faultsOf(known: Known, before: number): Promise<string[]> {
  const { who, browser } = known
  const came = browser.received.slice(before).map(({ message }) => message)
  if (came.length === 0) return []
  const { notifications: shown = [] } = (await who.call('GET /api/notifications')).body
  return came.flatMap((message) => {
    const one = shown.find(({ id }) => id === message.id)
    if (!one) return ['is not in the app']
    const topic = topics[one.kind] ?? 'account'
    const text = JSON.stringify(message)
    return [
      ...(one.read ? ['was read'] : []),
      ...(known.isSuspended ? ['goes to someone who is suspended'] : []),
      ...(known.hasBrowser ? [] : ['goes to a browser that was taken off']),
      ...(known.push[topic] ? [] : ['is of a topic that was switched off']),
      ...(topic !== 'safety' && isQuietFor(known) ? ['comes in quiet hours'] : []),
      ...(topic !== 'safety' && known.looking?.connected ? ['goes to someone who is looking'] : []),
      ...(known.words.length > 0 && text.includes('bitcoin') ? ['says hidden words'] : []),
      ...(known.lockScreen !== 'text' && /Hello|bitcoin/.test(text) ? ['says more than the lock screen may'] : []),
      ...(known.lockScreen === 'nothing' && one.params.name && text.includes(one.params.name) ? ['names someone'] : []),
    ]
  })
}

it("in random histories, nothing is pushed that the app wouldn't show at that moment, and nothing twice", {
  tags: ['more-in-long', 'more-in-release'],
}, async () => {
  const histories = rounds(20, 100, 2_000)
  const cast = await people(app, 4)
  const all: Known[] = []
  for (const who of cast) {
    const browser = service.newBrowser()
    const session = (await who.call('GET /api/user/sessions')).body.sessions[0]?.id ?? ''
    const push = { match: true, message: true, like: true, nearby: true, safety: true, account: false }
    const known: Known = {
      ...{ who, browser, push, quiet: null, timeZone: 'UTC', lockScreen: 'text' },
      ...{ words: [], hasBrowser: true, isSuspended: false, looking: undefined, session },
    }
    await who.call('PUT /api/push/subscription', { body: { ...browser.subscription, timeZone: 'UTC' } })
    await who.call('PUT /api/notifications/preferences', { body: wanted(known) })
    all.push(known)
  }
  const ids = cast.map(({ id }) => id)
  await app.platform.pool.query(`update sessions set idle_expires_at = $1, expires_at = $1`, [
    new Date(app.clock.now().getTime() + days(40_000)),
  ])
  const wrong: string[] = []
  for (let seed = 1; seed <= histories; seed += 1) {
    const random = seededRandom(seed)
    for (let step = 0; step < 10; step += 1) {
      const { act, known } = play(random, all)
      await act(known, cast[(cast.indexOf(known.who) + 1 + drawBelow(random, cast.length - 1)) % cast.length] as Person)
      if (random() < 0.5) continue
      const marks = all.map(({ browser }) => browser.received.length)
      const { rows } = await app.platform.pool.query(
        'select id from notifications where user_id = any($1) and not read and pushed_at is null',
        [ids],
      )
      // The queue may run a job several times, even on two nodes simultaneously.
      await Promise.all(
        rows.flatMap(({ id }) => [pushNotification(app.platform, id), pushNotification(app.platform, id)]),
      )
      for (const [place, one] of all.entries())
        wrong.push(
          ...(await faultsOf(one, marks[place] ?? 0)).map((fault) => `history ${seed}, step ${step}: ${fault}`),
        )
    }
  }
  const pushed = all.flatMap(({ browser }) => browser.received.map(({ message }) => message.id))
  const double = pushed.length - new Set(pushed).size
  expect(pushed.length).toBeGreaterThan(histories / 4)
  if (tier === 'release')
    reportBeside('reach', [
      { id: 'R10.histories', value: histories, target: '>= 2000', note: `of ten acts each, ${pushed.length} pushes` },
      {
        id: 'R10.wrong',
        value: wrong.length,
        target: '0',
        note: 'pushes of what the app would not show at that moment',
      },
      { id: 'R10.double', value: double, target: '0', note: 'each job was done twice, at once' },
    ])
  expect(wrong).toEqual([])
  expect(double).toBe(0)
})
