import type { OwnSanction } from '@duet/contract/sanctions.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { openReview } from '../claims/open-review.ts'
import { eraseAccount } from '../data-rights/erasure.ts'
import { receiptOf } from '../reports/acts.test-reports.ts'
import { administrator, decide, signInAgain, soon, standingOf, told } from '../reports/cases.test-reports.ts'
import { shown } from '../verification/acts.test-verification.ts'

let app: TestApp
let owner: Pools
let outsider: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
  outsider = await administrator(app, 'Outsider')
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const text = 'It was not me: my phone was stolen that day.'
const answer = 'We looked at this again, and it stays as it is.'

interface Decided {
  about: Person
  parties: Person[]
}

async function onReport(): Promise<Decided> {
  const [reporter, decider] = [await administrator(app, 'Reporter'), await administrator(app, 'Decider')]
  const about = await person(app)
  expect((await decide(decider, await receiptOf(reporter, about.id), { action: 'warn', ...told })).status).toBe(200)
  return { about, parties: [reporter, decider] }
}

async function onReportsOfTheSame(): Promise<Decided> {
  const reporters = [await administrator(app, 'One'), await administrator(app, 'Two')] as const
  const decider = await administrator(app, 'Decider')
  const about = await person(app, { bio: 'Send me money' })
  const receipts = [await receiptOf(reporters[0], about.id), await receiptOf(reporters[1], about.id)] as const
  const removal = { action: 'remove_item', ...told, allOfSubject: true }
  expect((await decide(reporters[0], receipts[1], removal)).status).toBe(403)
  expect((await decide(decider, receipts[0], removal)).status).toBe(200)
  return { about, parties: [...reporters, decider] }
}

async function onReview(): Promise<Decided> {
  const [decider, about] = [await administrator(app, 'Decider'), await person(app)]
  await transaction(app.platform, (tx) => openReview(tx, { kind: 'spam', userId: about.id, note: 'Forty times.' }))
  const { reviews } = (await decider.call('GET /api/admin/reviews', { query: { limit: 50 } })).body
  const id = reviews.find((one) => one.person.id === about.id)?.id ?? ''
  const { status } = await decider.send('POST', `/api/admin/reviews/${id}/decision`, { action: 'warn', ...told })
  expect(status).toBe(200)
  return { about, parties: [decider] }
}

async function onPhoto(): Promise<Decided> {
  const [reporter, decider] = [await administrator(app, 'Reporter'), await administrator(app, 'Decider')]
  const about = await shown(app)
  const [fileName = ''] = (await about.call('GET /api/user/myDetails')).body.images
  await receiptOf(reporter, about.id, { kind: 'photo', fileName })
  const rejection = { params: { fileName }, body: { state: 'rejected' } } as const
  expect((await reporter.call('PATCH /api/admin/photos/:fileName', rejection)).status).toBe(403)
  expect((await decider.call('PATCH /api/admin/photos/:fileName', rejection)).status).toBe(200)
  return { about, parties: [reporter, decider] }
}

async function forFalseReports(): Promise<Decided> {
  const deciders = [await administrator(app, 'One'), await administrator(app, 'Two')] as const
  const reported = await administrator(app, 'Reported')
  const [about, ...strangers] = (await people(app, 3)) as [Person, ...Person[]]
  const others = [...strangers, reported]
  for (const [place, { id }] of others.entries()) {
    const ruling = { action: 'dismiss', falseReport: true }
    expect((await decide(deciders[place ? 1 : 0], await receiptOf(about, id), ruling)).status).toBe(200)
    // A report decided in the same millisecond wouldn't count.
    app.clock.advance(1_000)
  }
  return { about, parties: [...deciders, reported] }
}

const hasSignal = ({ id }: Person) =>
  soon(async () => {
    const { rows } = await owner.pool.query(`select from account_signals where user_id = $1 and kind = 'address'`, [id])
    return rows.length > 0 || undefined
  })

/** Erases the person's account and registers again with the same mailbox. */
async function comeBack(who: Person): Promise<Person> {
  await hasSignal(who)
  await eraseAccount({ ...app.platform, db: owner.db }, who.id)
  return person(app, { email: who.email })
}

async function continuedTwice(): Promise<Decided> {
  const [decider, first] = [await administrator(app, 'Decider'), await person(app)]
  await hasSignal(first)
  const receipt = await receiptOf(await person(app), first.id)
  expect((await decide(decider, receipt, { action: 'ban', ...told })).status).toBe(200)
  const about = await signInAgain(app, await comeBack(await comeBack(first)))
  return { about, parties: [decider] }
}

const openAppeals = async (who: Person) =>
  (await who.call('GET /api/admin/appeals', { query: { limit: 50 } })).body.appeals

it.each([
  ['a report', onReport],
  ['reports of the same subject', onReportsOfTheSame],
  ['a review', onReview],
  ['a photo', onPhoto],
  ['false reports', forFalseReports],
  ['a ban that outlived two accounts', continuedTwice],
])('An appeal against %s is hidden from every administrator with a part in it.', async (_, make) => {
  const { about, parties } = await make()
  const [sanction] = (await standingOf(about)).sanctions as [OwnSanction]
  expect((await about.call('POST /api/appeals', { body: { sanctionId: sanction.id, text } })).status).toBe(201)
  const id = (await openAppeals(outsider)).find((one) => one.person.id === about.id)?.id ?? ''
  for (const who of parties) {
    expect((await openAppeals(who)).filter((one) => one.id === id)).toEqual([])
    expect((await who.call('PUT /api/admin/claims/:kind/:id', { params: { kind: 'appeal', id } })).status).toBe(404)
    const decision = { params: { id }, body: { outcome: 'upheld', answer } } as const
    expect((await who.call('POST /api/admin/appeals/:id/decision', decision)).status).toBe(403)
  }
  const decision = { params: { id }, body: { outcome: 'upheld', answer } } as const
  expect((await outsider.call('POST /api/admin/appeals/:id/decision', decision)).status).toBe(200)
})
