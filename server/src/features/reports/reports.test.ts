import { randomUUID } from 'node:crypto'
import type { ReportReason } from '@duet/contract/reports.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { attachmentForm, jpeg } from '../../test/attachments.ts'
import { type Person, person } from '../../test/people.ts'
import { pair } from '../../test/talk.ts'
import { kept, message, openReports, profile, receiptOf, report, say } from './acts.test-reports.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await person(app)
  await app.platform.grantSuperAdmin(admin.email)
})
afterAll(() => app.close())

const block = (one: Person, other: Person) => one.call('PUT /api/blocks/:userId', { params: { userId: other.id } })
describe('who can be reported', () => {
  it('nobody can report themselves', async () => {
    const ana = await person(app)
    const { status, body } = await report(ana, ana.id)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })

  it("other people's items answer like missing ones", { tags: 'long' }, async () => {
    const [ana, ben, anaSocket, benSocket] = await pair(app)
    const eve = await person(app)
    const own = await say(ana, ben, anaSocket, 'Mine')
    const theirs = await say(ben, ana, benSocket, 'Theirs')
    await eve.call('PATCH /api/user/:userId/image', {
      params: { userId: eve.id },
      form: attachmentForm(await jpeg()),
    })
    const foreign = (await eve.call('GET /api/user/myDetails')).body.images[0] as string
    const missing = await report(ana, randomUUID())
    expect(missing.status).toBe(404)
    for (const [who, userId, subject] of [
      [ana, 'no-one', profile],
      [ana, ben.id, message(own.seq)],
      [ana, ben.id, message(99)],
      [eve, ben.id, message(theirs.seq)],
      [eve, ana.id, message(own.seq)],
      [ana, ben.id, { kind: 'photo', fileName: foreign }],
      [ana, randomUUID(), message(1)],
    ] as const) {
      const { status, body } = await report(who, userId, subject)
      expect({ status, ...body, requestId: '' }).toEqual({ ...missing.body, status, requestId: '' })
    }
    await block(eve, ana)
    expect((await report(ana, eve.id)).status).toBe(404)
  })

  it.each([
    { reason: 'boredom' },
    { subject: { kind: 'soul' } },
    { subject: { kind: 'message', seq: 0 } },
    { subject: { kind: 'profile', extra: 1 } },
    { details: 'x'.repeat(1001) },
    { receipt: '1' },
  ])('an invalid report is refused: %j', async (wrong) => {
    const [ana, ben] = [await person(app), await person(app)]
    const body = { userId: ben.id, subject: profile, reason: 'spam', ...wrong }
    expect((await ana.send('POST', '/api/reports', body)).body).toMatchObject({ code: 'validation_failed' })
  })
})

describe('repeats', () => {
  it('repeats return the receipt of the open report, however many come simultaneously', { tags: 'race' }, async () => {
    const [ana, ben, eve] = [await person(app), await person(app), await person(app)]
    const receipts = await Promise.all(Array.from({ length: 6 }, () => receiptOf(ana, ben.id)))
    expect(new Set(receipts).size).toBe(1)
    expect(receipts[0]).toMatch(/^\d{4}-\d{4}$/)
    expect(await receiptOf(eve, ben.id)).not.toBe(receipts[0])
    await app.platform.db.updateTable('reports').set({ state: 'closed' }).where('reporter_id', '=', ana.id).execute()
    expect(await receiptOf(ana, ben.id)).not.toBe(receipts[0])
    expect((await ana.call('GET /api/reports')).body.reports.map(({ state }) => state)).toEqual(['open', 'closed'])
  })

  it('repeats make a report graver but never milder, and add their details', async () => {
    const [ana, ben] = [await person(app), await person(app)]
    const receipt = await receiptOf(ana, ben.id, profile, { reason: 'spam', details: 'Links' })
    await receiptOf(ana, ben.id, profile, { reason: 'underage', details: 'She told me she is 15' })
    await receiptOf(ana, ben.id, profile, { reason: 'scam', details: 'Links' })
    expect(await kept(admin, receipt)).toMatchObject({
      reason: 'underage',
      severity: 'urgent',
      details: 'Links\n\nShe told me she is 15',
    })
  })

  it("the application can't change evidence", async () => {
    const { db } = app.platform
    await expect(db.updateTable('reports').set({ evidence: '{}' }).execute()).rejects.toThrow(/permission denied/)
    await expect(db.updateTable('report_sightings').set({ evidence: '{}' }).execute()).rejects.toThrow(/permission/)
    await expect(db.deleteFrom('report_sightings').execute()).rejects.toThrow(/permission denied/)
  })

  it("repeats with details that don't fit are refused and change nothing", async () => {
    const [ana, ben] = [await person(app), await person(app, { bio: 'harmless' })]
    const receipt = await receiptOf(ana, ben.id, profile, { details: 'a'.repeat(1000) })
    for (const letter of 'bcd') await receiptOf(ana, ben.id, profile, { details: letter.repeat(990) })
    const { changedSince: _, ...before } = await kept(admin, receipt)
    await ben.call('PATCH /api/user/updateUser', { body: { bio: 'Pay or else' } })
    const refused = await report(ana, ben.id, profile, { reason: 'threats', details: 'e'.repeat(990) })
    expect([refused.status, refused.body.code, refused.body.errors?.[0]?.path]).toEqual([
      ...[400, 'validation_failed', 'details'],
    ])
    expect(await kept(admin, receipt)).toMatchObject(before)
    await receiptOf(ana, ben.id, profile, { reason: 'threats' })
    expect((await kept(admin, receipt)).reason).toBe('threats')
  })
})

it('the reported person is told nothing and sees nothing', async () => {
  const [ana, ben, , socket] = await pair(app)
  const { seq } = await say(ben, ana, socket, 'Hello')
  const before = (await ben.call('GET /api/notifications')).body
  const heard: string[] = []
  socket.socket.onAny((event: string) => heard.push(event))
  await receiptOf(ana, ben.id, message(seq))
  await receiptOf(ana, ben.id)
  const again = await say(ben, ana, socket, 'Still there?')
  expect(again.seq).toBe(seq + 1)
  // Presence may change at any time. Nothing else may arrive.
  expect(heard.filter((event) => event !== 'user_online')).toEqual([])
  expect((await ben.call('GET /api/notifications')).body).toEqual(before)
  expect((await ben.call('GET /api/reports')).body.reports).toEqual([])
  expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(200)
})

it('a report can also block', async () => {
  const [ana, ben] = [await person(app), await person(app, { name: 'Ben' })]
  const receipt = await receiptOf(ana, ben.id, profile, { block: true })
  expect((await ana.call('GET /api/blocks')).body.users.map(({ id }) => id)).toEqual([ben.id])
  expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(404)
  expect((await ana.call('GET /api/reports')).body.reports).toEqual([
    { receipt, reason: 'harassment', name: 'Ben', createdAt: expect.any(String), state: 'open', outcome: null },
  ])
})

it('the list starts with the gravest reports, then the oldest, page by page', { tags: 'long' }, async () => {
  const reasons: ReportReason[] = ['spam', 'scam', 'threats', 'other', 'underage', 'scam']
  const made: string[] = []
  for (const reason of reasons) {
    const [ana, ben] = [await person(app), await person(app)]
    made.push(await receiptOf(ana, ben.id, profile, { reason }))
  }
  const listed = (await openReports(admin, 2)).filter(({ receipt }) => made.includes(receipt))
  expect(listed.map(({ reason }) => reason)).toEqual(['threats', 'underage', 'scam', 'scam', 'spam', 'other'])
  expect(listed[2]?.receipt).toBe(made[1])
  const all = (await openReports(admin, 3)).map(({ receipt }) => receipt)
  expect(all).toEqual((await openReports(admin)).map(({ receipt }) => receipt))
})

it("a person can report twenty subjects a day, and repeats without anything new don't count", {
  tags: 'long',
}, async () => {
  const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  const [ana, ben] = [await person(strict), await person(strict)]
  await strict.platform.db.transaction().execute(async (db) => {
    const rows = Array.from({ length: 21 }, (_, place) => place + 1)
    const [one, other] = [ana.id, ben.id].sort() as [string, string]
    const { id } = await db
      .insertInto('conversations')
      .values({
        id: sql<string>`conversation_id(${one}, ${other})`,
        user_lo: one,
        user_hi: other,
        created_at: new Date(),
        last_seq: 21,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const at = { sent_at: new Date(), created_at: new Date() }
    await db
      .insertInto('messages')
      .values(
        rows.map((seq) => ({
          ...{ conversation_id: id, seq, revision: seq, sender_id: ben.id, client_id: `m${seq}`, body: 'Hello' },
          ...at,
        })),
      )
      .execute()
  })
  const statuses: number[] = []
  for (const seq of [1, ...Array.from({ length: 20 }, (_, place) => place + 1)])
    statuses.push((await report(ana, ben.id, message(seq))).status)
  expect(statuses).toEqual(Array(21).fill(201))
  const refused = await report(ana, ben.id, message(21))
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600)
  expect((await report(ana, ben.id, message(20))).status).toBe(201)
  await strict.close()
})
