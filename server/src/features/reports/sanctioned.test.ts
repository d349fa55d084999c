import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { attachmentForm, jpeg } from '../../test/attachments.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { endOverdueSanctions } from '../sanctions/sanctions.ts'
import { profile, receiptOf } from './acts.test-reports.ts'
import {
  administrator,
  decide,
  kindsFor,
  sanctioned,
  signInAgain,
  standingOf,
  statement,
  told,
} from './cases.test-reports.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app)
})
afterAll(() => app.close())

describe('restricted people', () => {
  it("a restricted person can't start anything new until the restriction ends, and is told then", async () => {
    const [ben, cem] = (await people(app, 2)) as [Person, Person]
    await sanctioned(app, admin, ben.id, { action: 'restrict', days: 3 } as never)
    const { standing, until } = await standingOf(ben)
    expect(standing).toBe('restricted')
    expect(Date.parse(until ?? '')).toBeGreaterThan(app.clock.now().getTime() + days(2))
    const like = () =>
      ben.call('PUT /api/decisions/:userId', { params: { userId: cem.id }, body: { decision: 'like' } })
    const refused = await like()
    expect([refused.status, refused.body.code]).toEqual([403, 'restricted'])
    app.clock.advance(days(3) + 1_000)
    await endOverdueSanctions(app.platform)
    const again = await signInAgain(app, ben)
    expect((await standingOf(again)).standing).toBe('good')
    expect(await kindsFor(again)).toContain('sanction_lifted')
    admin = await administrator(app)
  })
})

describe('suspended people', () => {
  it('a suspended person is signed out everywhere immediately, sees why, and is seen by nobody', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const socket = await connect(app, ben)
    const closed = new Promise((resolve) => socket.socket.once('disconnect', resolve))
    await sanctioned(app, admin, ben.id, { action: 'suspend', days: 30 } as never)
    await closed
    expect((await ben.call('GET /api/user/myDetails')).status).toBe(401)
    expect((await ana.call('GET /api/user/:id', { params: { id: ben.id } })).status).toBe(404)
    const again = await signInAgain(app, ben)
    expect(await standingOf(again)).toMatchObject({
      standing: 'suspended',
      sanctions: [{ kind: 'suspension', statement }],
    })
    expect((await again.call('GET /api/user/myDetails')).body.code).toBe('suspended')
    await expect(connect(app, again)).rejects.toThrow()
  })

  it('a suspended person stays signed in to read and appeal after further decisions', async () => {
    const ben = await person(app)
    const reporters = await people(app, 3)
    const receipts = await Promise.all(reporters.map((one) => receiptOf(one, ben.id)))
    await sanctioned(app, admin, ben.id, { action: 'suspend', days: 30 } as never)
    const again = await signInAgain(app, ben)
    const rulings = [{ action: 'warn' }, { action: 'suspend', days: 10 }, { action: 'ban' }]
    for (const [place, ruling] of rulings.entries()) {
      await decide(admin, receipts[place] ?? '', { ...told, ...ruling })
      expect((await standingOf(again)).sanctions).toHaveLength(place + 2)
    }
    const [newest] = (await standingOf(again)).sanctions
    const reason = 'The report was a mix-up of names.'
    await admin.call('POST /api/admin/sanctions/:id/lift', { params: { id: newest?.id ?? '' }, body: { reason } })
    expect(await standingOf(again)).toMatchObject({ standing: 'suspended' })
  })

  it("a suspended person's messages don't arrive after the decision, even those on their way", {
    tags: 'long',
  }, async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const socket = await connect(app, ben)
    let stopped = false
    const accepted: number[] = []
    const closed = new Promise<{ ok: boolean }>((resolve) => {
      socket.socket.once('disconnect', () => resolve({ ok: false }))
    })
    const writing = (async () => {
      while (!stopped && socket.socket.connected) {
        const sentAt = Date.now()
        const sending = socket.ask('send_message', outgoing(ben, ana, randomUUID())).catch(() => ({ ok: false }))
        if ((await Promise.race([sending, closed])).ok) accepted.push(sentAt)
      }
    })()
    await expect.poll(() => accepted.length).toBeGreaterThan(0)
    await sanctioned(app, admin, ben.id, { action: 'ban' })
    const decided = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    stopped = true
    await writing
    expect(accepted.filter((at) => at > decided + 1_000)).toEqual([])
    expect((await standingOf(await signInAgain(app, ben))).standing).toBe('banned')
  })

  it('a person stays suspended while another suspension lasts longer', { tags: 'long' }, async () => {
    const [ana, cem, ben] = (await people(app, 3)) as [Person, Person, Person]
    const receipts = [await receiptOf(ana, ben.id), await receiptOf(cem, ben.id)] as const
    for (const [receipt, length] of [
      [receipts[0], 2],
      [receipts[1], 5],
    ] as const)
      await decide(admin, receipt, { action: 'suspend', ...told, days: length })
    app.clock.advance(days(3))
    await endOverdueSanctions(app.platform)
    admin = await administrator(app)
    expect((await standingOf(await signInAgain(app, ben))).standing).toBe('suspended')
    app.clock.advance(days(3))
    await endOverdueSanctions(app.platform)
    admin = await administrator(app)
    expect((await standingOf(await signInAgain(app, ben))).standing).toBe('good')
  })
})

describe('sanctions', () => {
  it('an item can be removed only once: hidden or empty ones are gone, and give no second strike', {
    tags: 'long',
  }, async () => {
    const [ana, cem, ben] = [await person(app), await person(app), await person(app, { bio: 'Send me money' })]
    const { body } = await ben.call('PATCH /api/user/:userId/image', {
      params: { userId: ben.id },
      form: attachmentForm(await jpeg()),
    })
    const photo = { kind: 'photo' as const, fileName: body.images[0] ?? '' }
    for (const subject of [photo, profile]) {
      const [first, second] = [await receiptOf(ana, ben.id, subject), await receiptOf(cem, ben.id, subject)]
      expect((await decide(admin, first, { action: 'remove_item', ...told })).status).toBe(200)
      expect((await decide(admin, second, { action: 'remove_item', ...told })).status).toBe(409)
    }
    expect((await standingOf(ben)).sanctions).toHaveLength(2)
  })

  it('a sanction of someone who was erased before the decision contains nothing about them', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const receipt = await receiptOf(ana, ben.id)
    await app.platform.db.deleteFrom('accounts').where('id', '=', ben.id).execute()
    const words = `${statement} ${ben.id}`
    expect((await decide(admin, receipt, { action: 'warn', ground: 'scam', statement: words })).status).toBe(200)
    const { rows } = await app.platform.pool.query<{ row: string }>(
      `select s::text as row from sanctions s join reports r on r.id = s.report_id where r.receipt = $1`,
      [receipt],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(ben.id)
    expect(rows[0]?.row).not.toContain(statement)
  })
})
