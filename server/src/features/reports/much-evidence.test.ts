import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { pair } from '../../test/talk.ts'
import { kept, message, openReports, profile, receiptOf, say } from './acts.test-reports.ts'
import { administrator, sanctioned } from './cases.test-reports.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app)
})
afterAll(() => app.close())

const threat = 'You will regret this'
const long = (count: number) => `${count}${'😀'.repeat(1_900)}`

/** Repeats a report `times` times, with three megabytes of evidence each time. */
async function repeatLargely(receipt: string, times: number): Promise<void> {
  await app.platform.pool.query(
    `insert into report_sightings (report_id, seen_at, evidence)
     select id, created_at + make_interval(secs => n), evidence || jsonb_build_object('filler', repeat('x', 3000000))
     from reports, generate_series(1, $2) n where receipt = $1`,
    [receipt, times],
  )
}

it('a message near the reported one keeps a threat, however many long edits follow it', async () => {
  const [ana, ben, , socket] = await pair(app)
  const { seq } = await say(ben, ana, socket, threat)
  const last = await say(ben, ana, socket, 'Good morning')
  for (let count = 1; count <= 20; count++) {
    const params = { userId: ana.id, seq }
    await ben.call('PATCH /api/conversations/:userId/messages/:seq', { params, body: { message: long(count) } })
  }
  const earlierOf = async (reported: number) => {
    const { evidence } = await kept(admin, await receiptOf(ana, ben.id, message(reported)))
    return evidence.messages[0]?.earlier ?? []
  }
  const [whole, part] = [await earlierOf(seq), await earlierOf(last.seq)]
  expect(whole).toHaveLength(20)
  expect(part[0]?.text).toBe(threat)
  expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(60_000)
})

it('moderators see the first sighting of a report and its newest nine', async () => {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const receipt = await receiptOf(ana, ben.id)
  await repeatLargely(receipt, 12)
  const { createdAt, evidence } = await kept(admin, receipt)
  const seconds = evidence.later?.map(({ seenAt }) => (Date.parse(seenAt) - Date.parse(createdAt)) / 1_000)
  expect(seconds).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12])
})

it('a page of reports ends before it has too much evidence, and the next page continues', async () => {
  const receipts: string[] = []
  for (let count = 0; count < 3; count++) {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    receipts.push(await receiptOf(ana, ben.id, profile, { reason: 'threats' }))
    await repeatLargely(receipts[count] as string, 1)
  }
  const { body } = await admin.call('GET /api/admin/reports', { query: { limit: 50 } })
  const ofPage = body.reports.filter(({ receipt }) => receipts.includes(receipt))
  expect(ofPage).toHaveLength(2)
  const all = (await openReports(admin)).map(({ receipt }) => receipt)
  expect(all.filter((receipt) => receipts.includes(receipt)).sort()).toEqual(receipts.sort())
  expect(new Set(all).size).toBe(all.length)
})

it('a page of appeals ends before it has too much evidence, and the next page continues', async () => {
  const appealing: string[] = []
  for (let count = 0; count < 3; count++) {
    const ben = await person(app)
    const receipt = await sanctioned(app, admin, ben.id)
    await repeatLargely(receipt, 1)
    const { sanctions } = (await ben.call('GET /api/standing')).body
    await ben.call('POST /api/appeals', {
      body: { sanctionId: sanctions[0]?.id ?? '', text: 'I wrote to nobody: it must have been someone else.' },
    })
    appealing.push(ben.id)
  }
  const other = await administrator(app)
  const first = (await other.call('GET /api/admin/appeals', { query: {} })).body
  const second = (await other.call('GET /api/admin/appeals', { query: { cursor: first.nextCursor as string } })).body
  expect([first, second].map(({ appeals }) => appeals.length)).toEqual([2, 1])
  expect([...first.appeals, ...second.appeals].map((appeal) => appeal.person.id)).toEqual(appealing)
})
