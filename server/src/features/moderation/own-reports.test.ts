import type { OwnSanction } from '@duet/contract/sanctions.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { recordInAudit } from '../audit/audit.ts'
import { openReview } from '../claims/open-review.ts'
import { openReports, receiptOf } from '../reports/acts.test-reports.ts'
import { administrator, decide, standingOf, told } from '../reports/cases.test-reports.ts'
import { shown } from '../verification/acts.test-verification.ts'

let app: TestApp
let admin: Person
let other: Person
let ana: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app, 'First')
  other = await administrator(app, 'Second')
  ana = await person(app, { name: 'Ana' })
})
afterAll(() => app.close())

const figures = async () => {
  const { queues } = (await admin.call('GET /api/admin/moderation/figures')).body
  return queues.map(({ kind, severity, open }) => [kind, severity, open])
}
const decided = async () => {
  const { weeks, decisions } = (await admin.call('GET /api/admin/moderation/figures')).body
  return [weeks.at(-1), decisions.map((one) => one.decided)]
}
const dossierOf = (who: Person) =>
  admin.call('GET /api/admin/dossiers/:userId', { params: { userId: who.id }, query: { reason: 'A second report' } })
const trustIn = async () =>
  (await openReports(admin)).filter(({ reporter }) => reporter?.id === ana.id).map(({ trust }) => trust)

it('an administrator learns nowhere in the console that they were reported', async () => {
  await receiptOf(ana, (await person(app)).id)
  const before = [await figures(), await decided(), (await dossierOf(ana)).body.reportsBy, await trustIn()]
  const receipts = [await receiptOf(ana, admin.id), await receiptOf(await person(app), admin.id)] as const
  await transaction(app.platform, (tx) => openReview(tx, { kind: 'spam', userId: admin.id, note: 'Forty times.' }))
  await openReports(other)
  expect((await decide(other, receipts[0], { action: 'dismiss' })).status).toBe(200)
  expect((await dossierOf(admin)).status).toBe(403)
  expect([await figures(), await decided(), (await dossierOf(ana)).body.reportsBy, await trustIn()]).toEqual(before)
  const { entries } = (await admin.call('GET /api/admin/audit')).body
  expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['evidence_viewed', 'report_decided']))
  const aboutReports = entries.filter(({ target }) => target.kind === 'report' || target.kind === 'reports')
  expect(JSON.stringify(aboutReports.map(({ target }) => target))).not.toContain(admin.id)
  const viewed = aboutReports.filter(({ action }) => action === 'evidence_viewed')
  for (const receipt of receipts) expect(JSON.stringify(viewed)).not.toContain(receipt)
})

it('the audit log hides from an administrator notes about themselves and views of their dossier', async () => {
  const reason = 'Reported by Bea for threats'
  const look = { params: { userId: other.id }, query: { reason } }
  expect((await admin.call('GET /api/admin/dossiers/:userId', look)).status).toBe(200)
  const receipt = await receiptOf(await person(app), other.id)
  expect((await decide(admin, receipt, { action: 'dismiss', note: 'Rude to Bea, no rule broken.' })).status).toBe(200)
  const read = async (who: Person) => JSON.stringify((await who.call('GET /api/admin/audit')).body.entries)
  expect(await read(admin)).toMatch(/Reported by Bea.*|Rude to Bea.*/)
  expect(await read(other)).not.toContain('to Bea')
  expect(await read(other)).not.toContain(reason)
})

it('the audit log hides from an administrator views of an account linked with theirs', async () => {
  const details = { linked: [other.id] }
  const target = { kind: 'person', id: ana.id }
  await transaction(app.platform, (tx) =>
    recordInAudit(tx, { actorId: admin.id, action: 'dossier_viewed', target, reason: 'a review', details }),
  )
  const newest = async (who: Person) => (await who.call('GET /api/admin/audit')).body.entries[0]
  expect(await newest(admin)).toMatchObject({ target, details })
  expect(await newest(other)).toMatchObject({ target, details: {} })
  expect((await newest(other))?.details).toEqual({})
})

it('the audit log hides from an administrator a view of nothing but reports about them', async () => {
  await receiptOf(await person(app), other.id)
  await openReports(admin)
  const newest = async (who: Person) => (await who.call('GET /api/admin/audit')).body.entries[0]
  expect(await newest(admin)).toMatchObject({ action: 'evidence_viewed' })
  expect((await newest(other))?.action).not.toBe('evidence_viewed')
})

it('an administrator neither sees nor decides the review of an account that seems linked with theirs', async () => {
  const back = await person(app)
  const note = `Seems to be ${other.id}, blocked (the same network, person).`
  await transaction(app.platform, (tx) => openReview(tx, { kind: 'linked_account', userId: back.id, note }))
  const reviewOf = async (who: Person) =>
    (await who.call('GET /api/admin/reviews', { query: { limit: 50 } })).body.reviews.find(
      ({ person: { id } }) => id === back.id,
    )
  const { id = '' } = (await reviewOf(admin)) ?? {}
  expect(await reviewOf(other)).toBeUndefined()
  const ruling = { action: 'warn', ...told, note: 'Second came back.' }
  const path = `/api/admin/reviews/${id}/decision`
  expect((await other.send('POST', path, ruling)).status).toBe(403)
  expect((await admin.send('POST', path, ruling)).status).toBe(200)
  const { entries } = (await other.call('GET /api/admin/audit')).body
  expect(entries.find(({ target }) => target.id === id)?.reason).toBe('')
})

/** A person appeals against a decision in which the other administrator has a part that must stay hidden from them. */
async function appealOf(who: Person): Promise<void> {
  const [sanction] = (await standingOf(who)).sanctions as [OwnSanction]
  const body = { sanctionId: sanction.id, text: 'I meant what I reported, and it happened.' }
  expect((await who.call('POST /api/appeals', { body })).status).toBe(201)
}

async function onFalseReports(): Promise<void> {
  const [about, ...strangers] = (await people(app, 3)) as [Person, ...Person[]]
  for (const { id } of [...strangers, other]) {
    const ruling = { action: 'dismiss', falseReport: true }
    expect((await decide(admin, await receiptOf(about, id), ruling)).status).toBe(200)
    // A report decided in the same millisecond wouldn't be counted.
    app.clock.advance(1_000)
  }
  await appealOf(about)
}

async function onLinkedAccount(): Promise<void> {
  const back = await person(app)
  const note = `Seems to be ${other.id}, blocked (the same network, person).`
  await transaction(app.platform, (tx) => openReview(tx, { kind: 'linked_account', userId: back.id, note }))
  const { reviews } = (await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })).body
  const { id = '' } = reviews.find((one) => one.person.id === back.id) ?? {}
  expect((await admin.send('POST', `/api/admin/reviews/${id}/decision`, { action: 'warn', ...told })).status).toBe(200)
  await appealOf(back)
}

it.each([
  ['false reports about them', onFalseReports],
  ['an account linked with theirs', onLinkedAccount],
])('no number tells an administrator of an appeal about %s', async (_, appeal) => {
  const seenBy = async (who: Person) => {
    const { queues } = (await who.call('GET /api/admin/moderation/figures')).body
    const { forOthers, appeals } = (await who.call('GET /api/admin/appeals', { query: { limit: 50 } })).body
    return { appeals: appeals.length, forOthers, open: queues.find(({ kind }) => kind === 'appeal')?.open }
  }
  const [before, beforeForAdmin] = [await seenBy(other), await seenBy(admin)]
  await appeal()
  expect(await seenBy(other)).toEqual(before)
  // The administrator who made the decision may know of the appeal, so it appears in their count.
  expect((await seenBy(admin)).forOthers.count).toBe(beforeForAdmin.forOthers.count + 1)
})

it('an administrator who reported a photo knows that the appeal against its rejection is for others', async () => {
  const forOthers = async () => (await other.call('GET /api/admin/appeals', { query: { limit: 50 } })).body.forOthers
  const before = await forOthers()
  const about = await shown(app)
  const [fileName = ''] = (await about.call('GET /api/user/myDetails')).body.images
  await receiptOf(other, about.id, { kind: 'photo', fileName })
  const rejection = { params: { fileName }, body: { state: 'rejected' } } as const
  expect((await admin.call('PATCH /api/admin/photos/:fileName', rejection)).status).toBe(200)
  await appealOf(about)
  expect((await forOthers()).count).toBe(before.count + 1)
})
