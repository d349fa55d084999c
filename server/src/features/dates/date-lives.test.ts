import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { watchDates } from '../../test/dates.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { addOne } from '../../test/photos.ts'
import { eraseAccount, eraseDue } from '../data-rights/erasure.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { mailCheckIn } from './check-in-mail.ts'

let app: TestApp
let owner: Pools
beforeAll(async () => {
  app = await startTestApp()
  await (app.platform.jobs as JobRunner).rest()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const erasing = () => ({ ...app.platform, db: owner.db })
const fromNow = (ms: number) => after(app.clock.now(), ms).toISOString()
const read = (url: string) =>
  caller(app.url).call('GET /api/shared-dates/:token', { params: { token: url.split('/').at(-1) ?? '' } })
const asked = (who: Person) => app.mails.filter(({ to, subject }) => to === who.email && /^Are you OK/.test(subject))
const mailed = () => app.mails.flatMap(({ kind, to }) => (kind === 'contact' ? [to] : [])).sort()

async function couple(): Promise<[Person, Person]> {
  const at = { latitude: 52.37, longitude: 4.89 }
  const [ana, ben] = [await person(app, { name: 'Ana', at }), await person(app, { name: 'Ben', at })]
  for (const one of [ana, ben]) await addOne(one)
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const)
    await one.call('PUT /api/decisions/:userId', { params: { userId: other.id }, body: { decision: 'like' } })
  expect((await ana.call('GET /api/matches')).body.matches).toHaveLength(1)
  // Keeps both signed in, however far a test moves the clock.
  await owner.pool.query(
    `update sessions set stays = true, expires_at = expires_at + interval '1 year',
       idle_expires_at = idle_expires_at + interval '1 year' where user_id = any($1)`,
    [[ana.id, ben.id]],
  )
  return [ana, ben]
}

async function share(who: Person, other: Person, at: string, contact?: string) {
  const check = contact === undefined ? {} : { checkInMinutes: 30 as const, contactEmail: `${contact}@example.com` }
  const { status, body } = await who.call('POST /api/dates', {
    body: { withUserId: other.id, place: 'Café Central', at, ...check },
  })
  expect(status).toBe(201)
  return body
}

/** Creates dates in every state. Each page shows the names and photos of both people. */
async function datesOfEveryState(ana: Person, ben: Person) {
  app.mails.length = 0
  const links = {
    told: await share(ana, ben, fromNow(hours(1)), 'told'),
    answered: await share(ana, ben, fromNow(hours(2)), 'answered'),
    due: await share(ana, ben, fromNow(hours(2)), 'due'),
    waiting: await share(ana, ben, fromNow(hours(3)), 'waiting'),
    none: await share(ana, ben, fromNow(hours(3))),
  }
  app.clock.advance(hours(2) + minutes(40))
  await watchDates(app.platform)
  await ana.call('POST /api/dates/:id/checkIn', { params: { id: links.answered.id } })
  return links
}
type Links = Awaited<ReturnType<typeof datesOfEveryState>>

async function pagesOf(links: Links) {
  const pages = Object.entries(links).map(async ([name, { url }]) => [name, (await read(url)).body] as const)
  return Object.fromEntries(await Promise.all(pages))
}
const stateOf = (pages: Awaited<ReturnType<typeof pagesOf>>) =>
  Object.fromEntries(Object.entries(pages).map(([name, { checkIn }]) => [name, checkIn]))

const sanctioned = (who: Person, kind: 'suspension' | 'ban') =>
  transaction(app.platform, (tx) =>
    sanction(tx, {
      ...{ userId: who.id, kind, ground: 'spam', decidedBy: null, statement: 'It was spam.' },
      ...(kind === 'suspension' && { days: 7 }),
    }),
  )
const about = ({ id }: Person) => ({ params: { userId: id } })
const block = (who: Person, other: Person) => who.call('PUT /api/blocks/:userId', about(other))
const unmatch = (who: Person, other: Person) => who.call('DELETE /api/matches/:userId', about(other))
const askToBeErased = (who: Person) => who.call('POST /api/erasure', { body: {} })
const incognito = (who: Person) => who.call('PATCH /api/privacy', { body: { incognito: true } })
const pause = (who: Person) => who.call('PATCH /api/user/updateUser', { body: { paused: true } })

async function changePhotoAndName(who: Person): Promise<void> {
  const [old] = (await who.call('GET /api/user/myDetails')).body.images
  await addOne(who)
  await who.call('PATCH /api/user/deleteImage', { body: { imageFileName: old ?? '' } })
  await who.call('PATCH /api/user/updateUser', { body: { name: 'Someone' } })
}

type Act = (ana: Person, ben: Person) => Promise<unknown>
const acts: Record<string, Act> = {
  'the owner has asked to be erased, and their 14 days are over': async (ana) => {
    await askToBeErased(ana)
    await owner.pool.query('update accounts set erase_at = $2 where id = $1', [ana.id, app.clock.now()])
  },
  'the owner is banned': (ana) => sanctioned(ana, 'ban'),
  'the other person blocks the owner': (ana, ben) => block(ben, ana),
  'the other person is erased': (_, ben) => eraseAccount(erasing(), ben.id),
  'the other person changes their name and photo': (_, ben) => changePhotoAndName(ben),
  'the other person is banned': (_, ben) => sanctioned(ben, 'ban'),
  'the owner unmatches': (ana, ben) => unmatch(ana, ben),
  'the owner blocks the other person': (ana, ben) => block(ana, ben),
  'the owner is suspended': (ana) => sanctioned(ana, 'suspension'),
  'the owner goes incognito': (ana) => incognito(ana),
  'the owner pauses': (ana) => pause(ana),
  'the owner asks to be erased': (ana) => askToBeErased(ana),
  'the other person unmatches': (ana, ben) => unmatch(ben, ana),
  'the other person is suspended': (_, ben) => sanctioned(ben, 'suspension'),
  'the other person unmatches and goes incognito': async (ana, ben) => [await unmatch(ben, ana), await incognito(ben)],
  'the other person asks to be erased': (_, ben) => askToBeErased(ben),
}

for (const { tags, cases } of firstQuick(6, Object.entries(acts)))
  it.each(cases)('a date continues in every state when %s', { tags }, async (_, act) => {
    const [ana, ben] = await couple()
    const links = await datesOfEveryState(ana, ben)
    const before = await pagesOf(links)
    const photo = expect.stringMatching(/^data:image\/webp;base64,./)
    for (const page of Object.values(before))
      expect(page).toMatchObject({ who: { name: 'Ana', photo }, with: { name: 'Ben', photo } })
    expect(stateOf(before)).toEqual({
      ...{ told: 'missed', answered: 'checked_in', due: 'due', waiting: 'waiting', none: 'none' },
    })
    await act(ana, ben)
    await eraseDue(erasing())
    expect(await pagesOf(links)).toEqual(before)
    const list = await ana.call('GET /api/dates')
    if (list.status === 200) expect(list.body.dates.map(({ withName }) => withName)).toEqual(Array(5).fill('Ben'))
    app.clock.advance(hours(2))
    await eraseDue(erasing())
    await watchDates(app.platform)
    const later = await pagesOf(links)
    for (const [name, page] of Object.entries(later)) {
      const { who, with: other, place } = before[name] ?? page
      expect(page).toMatchObject({ who, with: other, place })
    }
    expect(stateOf(later)).toEqual({
      ...{ told: 'missed', answered: 'checked_in', due: 'missed', waiting: 'missed', none: 'none' },
    })
    expect(mailed()).toEqual(['due@example.com', 'told@example.com', 'waiting@example.com'])
    await mailCheckIn(app.platform, links.waiting.id)
    expect(asked(ana)).toHaveLength(1)
    app.clock.advance(days(1))
    for (const { url } of Object.values(links)) expect((await read(url)).status).toBe(404)
  })

const stateOfAccount = async (who: Person) => (await who.call('GET /api/erasure')).status

it.each([
  ['on the day of the request', 0, 15],
  ['on the last day before the erasure', 13, 40],
])('an account is erased after the date that its owner shared %s, and not before', async (_, shared, meeting) => {
  const [ana, ben] = await couple()
  app.mails.length = 0
  const { eraseAt } = (await askToBeErased(ana)).body
  app.clock.advance(days(shared))
  const date = await share(ana, ben, fromNow(days(meeting - shared)), 'sister')
  expect((await ana.call('GET /api/erasure')).body.eraseAt).toBe(date.expiresAt)
  expect((await ana.call('GET /api/user/myDetails')).body.eraseAt).toBe(date.expiresAt)
  expect(Date.parse(eraseAt ?? '')).toBeLessThan(Date.parse(date.expiresAt))
  app.clock.advance(days(meeting - shared) + minutes(61))
  await eraseDue(erasing())
  await watchDates(app.platform)
  expect(mailed()).toEqual(['sister@example.com'])
  expect((await read(date.url)).body).toMatchObject({ who: { name: 'Ana' }, with: { name: 'Ben' }, checkIn: 'missed' })
  const { body } = await ana.call('POST /api/dates/:id/checkIn', { params: { id: date.id } })
  expect(body.dates[0]?.checkIn).toBe('checked_in')
  app.clock.advance(days(1))
  await eraseDue(erasing())
  await expect.poll(() => stateOfAccount(ana)).toBe(401)
  expect((await read(date.url)).status).toBe(404)
})

it('a person can keep their account until their last date is over', async () => {
  const [ana, ben] = await couple()
  await share(ana, ben, fromNow(days(40)))
  await askToBeErased(ana)
  app.clock.advance(days(15))
  await eraseDue(erasing())
  expect((await ana.call('DELETE /api/erasure')).body).toEqual({ eraseAt: null })
  expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(200)
})

it('an account is erased on the requested day once its owner has ended their dates', async () => {
  const [ana, ben] = await couple()
  const { id } = await share(ana, ben, fromNow(days(40)))
  const { eraseAt } = (await askToBeErased(ana)).body
  await ana.call('PATCH /api/dates/:id', { params: { id }, body: { ended: true } })
  const sooner = (await ana.call('GET /api/erasure')).body.eraseAt
  expect(Date.parse(eraseAt ?? '') - Date.parse(sooner ?? '')).toBeGreaterThan(days(26))
  app.clock.advance(days(14))
  await eraseDue(erasing())
  await expect.poll(() => stateOfAccount(ana)).toBe(401)
})
