import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { days } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { verifyChain } from '../audit/audit.ts'
import { message, receiptOf, say } from '../reports/acts.test-reports.ts'
import {
  administrator,
  decide,
  sanctioned,
  signInAgain,
  soon,
  standingOf,
  told,
} from '../reports/cases.test-reports.ts'
import { endOverdueSanctions, sanction } from '../sanctions/sanctions.ts'
import { hasBadge, verified } from '../verification/acts.test-verification.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app, 'First')
  other = await administrator(app, 'Second')
})
afterAll(() => app.close())

const text = 'It was not me: my phone was stolen that day.'
const answer = 'You are right, the report was about someone else.'
const newest = async (who: Person) => (await standingOf(who)).sanctions[0]
const appeal = async (who: Person) =>
  who.call('POST /api/appeals', { body: { sanctionId: (await newest(who))?.id ?? '', text } })
const queueOf = async (who: Person) => (await who.call('GET /api/admin/appeals', { query: { limit: 50 } })).body
const answerIt = (who: Person, id: string, outcome: 'upheld' | 'reversed') =>
  who.call('POST /api/admin/appeals/:id/decision', { params: { id }, body: { outcome, answer } })
const appealOf = async (who: Person, of: Person) => {
  const found = (await queueOf(who)).appeals.find(({ person: { id } }) => id === of.id)
  if (!found) throw new Error('not in the queue')
  return found
}

describe('appeals', () => {
  it('an appeal goes to an administrator other than the one who decided, who neither sees nor may answer it', async () => {
    const ben = await person(app)
    const before = (await queueOf(admin)).forOthers.count
    await sanctioned(app, admin, ben.id)
    expect((await appeal(ben)).status).toBe(201)
    const { appeals, forOthers } = await queueOf(admin)
    expect(appeals.some(({ person: { id } }) => id === ben.id)).toBe(false)
    expect(forOthers.count).toBe(before + 1)
    const found = await appealOf(other, ben)
    const refused = await answerIt(admin, found.id, 'upheld')
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    expect((await answerIt(other, found.id, 'upheld')).status).toBe(200)
    expect(await newest(ben)).toMatchObject({
      liftedAt: null,
      appeal: { state: 'upheld', text, answer },
      appealUntil: null,
    })
  })

  it('the administrator who answers sees what led to the sanction, and nothing about the reporter', async () => {
    const [ana, ben] = [await person(app, { name: 'Anaconda' }), await person(app, { bio: 'Send me money' })]
    await decide(admin, await receiptOf(ana, ben.id), { action: 'warn', ...told })
    await appeal(ben)
    const found = await appealOf(other, ben)
    expect(found).toMatchObject({
      sanction: { kind: 'warning', decidedBy: { id: admin.id, name: 'First' } },
      report: { reason: 'harassment', evidence: { profile: { bio: 'Send me money' } } },
    })
    expect(JSON.stringify(found)).not.toContain('Anaconda')
    expect(JSON.stringify(found)).not.toContain(ana.id)
  })

  it('a successful appeal ends the suspension, notifies the person in the app and by email, and is recorded', async () => {
    const ben = await person(app)
    await sanctioned(app, admin, ben.id, { action: 'suspend', days: 30 } as never)
    const inside = await signInAgain(app, ben)
    expect((await appeal(inside)).status).toBe(201)
    const { id } = await appealOf(other, ben)
    expect((await answerIt(other, id, 'reversed')).status).toBe(200)
    const free = await signInAgain(app, ben)
    expect(await standingOf(free)).toMatchObject({ standing: 'good', until: null })
    expect(await newest(free)).toMatchObject({ liftedAs: 'reversed', appeal: { state: 'reversed', answer } })
    const { body } = await free.call('GET /api/notifications')
    expect(body.notifications.map(({ kind }) => kind)).toContain('appeal_decided')
    const mail = await soon(() => app.mails.find(({ to, subject }) => to === ben.email && /appeal/.test(subject)))
    expect(mail.text).toContain(answer)
    const { body: log } = await other.call('GET /api/admin/audit', { query: { limit: 5 } })
    expect(log.entries.find(({ action }) => action === 'appeal_decided')).toMatchObject({
      actor: { id: other.id },
      details: { outcome: 'reversed', putBack: false },
    })
    expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: null })
  })

  it('a successful appeal of an ended sanction removes its strike and restores the badge', {
    tags: 'long',
  }, async () => {
    const ben = await verified(app, other)
    await sanctioned(app, admin, ben.id, { action: 'suspend', days: 1, ground: 'fake_profile' } as never)
    app.clock.advance(days(1) + 60_000)
    await endOverdueSanctions(app.platform)
    ;[admin, other] = [await administrator(app, 'First'), await administrator(app, 'Second')]
    const free = await signInAgain(app, ben)
    expect(await newest(free)).toMatchObject({ liftedAs: 'ended' })
    expect((await appeal(free)).status).toBe(201)
    expect((await answerIt(other, (await appealOf(other, ben)).id, 'reversed')).status).toBe(200)
    expect(await newest(free)).toMatchObject({ liftedAs: 'reversed' })
    const { body } = await other.call('GET /api/admin/dossiers/:userId', {
      params: { userId: ben.id },
      query: { reason: 'counting strikes' },
    })
    expect([body.strikes, await hasBadge(free)]).toEqual([0, true])
  })

  it('a person can appeal their own sanction once, within six months', async () => {
    const [ben, cem] = (await people(app, 2)) as [Person, Person]
    await sanctioned(app, admin, ben.id)
    const own = (await newest(ben))?.id ?? ''
    expect((await cem.call('POST /api/appeals', { body: { sanctionId: own, text } })).status).toBe(404)
    expect((await Promise.all([appeal(ben), appeal(ben)])).map(({ status }) => status).sort()).toEqual([201, 409])
    const late = await person(app)
    await sanctioned(app, admin, late.id)
    await app.platform.db
      .updateTable('sanctions')
      .set({ created_at: new Date(app.clock.now().getTime() - days(190)) })
      .where('user_id', '=', late.id)
      .execute()
    expect((await newest(late))?.appealUntil).toBeNull()
    expect((await appeal(late)).status).toBe(409)
  })

  it('if two administrators answer concurrently, one succeeds and the other gets a conflict', {
    tags: 'race',
  }, async () => {
    const third = await administrator(app, 'Third')
    const ben = await person(app)
    await sanctioned(app, admin, ben.id)
    await appeal(ben)
    const { id } = await appealOf(other, ben)
    const both = await Promise.all([answerIt(other, id, 'upheld'), answerIt(third, id, 'reversed')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('what a reversal restores', () => {
  const reverse = async (ben: Person) => {
    await appeal(ben)
    await answerIt(other, (await appealOf(other, ben)).id, 'reversed')
  }

  it('a reversal restores the text of a message', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    const socket = await connect(app, ana)
    const { seq = 1 } = await say(ben, ana, await connect(app, ben), 'Shall we have coffee?')
    await decide(admin, await receiptOf(ana, ben.id, message(seq)), { action: 'remove_item', ...told })
    expect(await socket.next('message_changed')).toMatchObject({ message: '' })
    await reverse(ben)
    const back = await socket.next('message_changed', (one) => one.message !== '')
    expect(back).toMatchObject({ message: 'Shall we have coffee?' })
    expect(back).not.toHaveProperty('deletedAt')
  })

  it('a reversal restores a photo, which only its owner saw in between, and the badge', { tags: 'long' }, async () => {
    const [ana, ben] = [await person(app), await verified(app, other)]
    const fileName = (await ben.call('GET /api/user/myDetails')).body.photos[0]?.fileName ?? ''
    const photosOf = async (viewer: Person) =>
      (await viewer.call('GET /api/user/:id', { params: { id: ben.id } })).body.photos
    const [seen] = await photosOf(ana)
    const ruling = { action: 'remove_item', ...told, ground: 'fake_profile' }
    await decide(admin, await receiptOf(ana, ben.id, { kind: 'photo', fileName }), ruling)
    expect([await photosOf(ana), await hasBadge(ben)]).toEqual([[], false])
    expect((await fetch(app.url + seen?.url)).status).toBe(404)
    expect((await ben.call('GET /api/user/myDetails')).body.photos).toMatchObject([{ fileName, state: 'rejected' }])
    await reverse(ben)
    expect(await photosOf(ana)).toMatchObject([{ fileName }])
    expect((await fetch(app.url + seen?.url)).status).toBe(200)
    expect(await hasBadge(ben)).toBe(true)
  })

  it.each(['reversed', 'lifted'] as const)(
    'the badge lost with a photo comes back, whatever the ground, when the sanction is %s',
    async (how) => {
      const [ana, ben] = [await person(app), await verified(app, other)]
      const fileName = (await ben.call('GET /api/user/myDetails')).body.photos[0]?.fileName ?? ''
      const ruling = { action: 'remove_item', ...told, ground: 'sexual_content' }
      await decide(admin, await receiptOf(ana, ben.id, { kind: 'photo', fileName }), ruling)
      const kinds = async () => (await ben.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)
      expect([await hasBadge(ben), await kinds()]).toEqual([false, expect.arrayContaining(['verification_lost'])])
      const lifting = { params: { id: (await newest(ben))?.id ?? '' }, body: { reason: 'It showed a beach, no more.' } }
      await (how === 'reversed' ? reverse(ben) : other.call('POST /api/admin/sanctions/:id/lift', lifting))
      expect(await hasBadge(ben)).toBe(true)
    },
  )

  it('no badge comes back while another decision says that the person is someone else', { tags: 'long' }, async () => {
    const [ana, ben] = [await person(app), await verified(app, other)]
    const fileName = (await ben.call('GET /api/user/myDetails')).body.photos[0]?.fileName ?? ''
    const ruling = { action: 'remove_item', ...told }
    await decide(admin, await receiptOf(ana, ben.id, { kind: 'photo', fileName }), ruling)
    const { id = '' } = (await newest(ben)) ?? {}
    await sanctioned(app, admin, ben.id, { action: 'warn', ground: 'fake_profile' } as never)
    const lifting = { params: { id }, body: { reason: 'It showed a beach, no more.' } }
    expect((await other.call('POST /api/admin/sanctions/:id/lift', lifting)).status).toBe(200)
    expect(await hasBadge(ben)).toBe(false)
  })

  it('a reversal restores profile texts unless there are new ones', { tags: 'long' }, async () => {
    const words = async (viewer: Person, id: string) =>
      (await viewer.call('GET /api/user/:id', { params: { id } })).body.bio
    const [ana, ben, cem] = [
      await person(app),
      await person(app, { bio: 'Old words' }),
      await person(app, { bio: 'Old words' }),
    ]
    for (const one of [ben, cem]) await decide(admin, await receiptOf(ana, one.id), { action: 'remove_item', ...told })
    await cem.call('PATCH /api/user/updateUser', { body: { bio: 'New words' } })
    for (const one of [ben, cem]) await reverse(one)
    expect([await words(ana, ben.id), await words(ana, cem.id)]).toEqual(['Old words', 'New words'])
  })
})

it("people who may not decide a case can't claim it", async () => {
  const [ben, cem] = (await people(app, 2)) as [Person, Person]
  const claim = (who: Person, kind: 'report' | 'appeal', id: string) =>
    who.call('PUT /api/admin/claims/:kind/:id', { params: { kind, id } })
  expect((await claim(other, 'report', await receiptOf(other, cem.id))).status).toBe(404)
  await sanctioned(app, admin, ben.id)
  await appeal(ben)
  const { id } = await appealOf(other, ben)
  expect((await claim(admin, 'appeal', id)).status).toBe(404)
  expect((await claim(other, 'appeal', id)).status).toBe(200)
})

it('lifting a sanction answers its appeal, and nothing is restored twice', {
  tags: 'long',
}, async () => {
  const [ana, ben] = [await person(app), await verified(app, other)]
  const fileName = (await ben.call('GET /api/user/myDetails')).body.photos[0]?.fileName ?? ''
  const removePhoto = async () =>
    decide(admin, await receiptOf(ana, ben.id, { kind: 'photo', fileName }), { action: 'remove_item', ...told })
  const shown = async () => (await ana.call('GET /api/user/:id', { params: { id: ben.id } })).body.photos.length
  const lift = (who: Person, id: string) =>
    who.call('POST /api/admin/sanctions/:id/lift', {
      params: { id },
      body: { reason: 'Internal: a mix-up of names.' },
    })
  await removePhoto()
  await appeal(ben)
  const { id: appealId, sanction } = await appealOf(other, ben)
  await other.call('PUT /api/admin/claims/:kind/:id', { params: { kind: 'appeal', id: appealId } })
  expect((await lift(admin, sanction.id)).body.code).toBe('conflict')
  expect((await lift(other, sanction.id)).status).toBe(200)
  expect(await shown()).toBe(1)
  expect((await queueOf(other)).appeals.filter(({ id }) => id === appealId)).toEqual([])
  expect(await newest(ben)).toMatchObject({ liftedAs: 'lifted', appeal: { state: 'reversed', answer: '' } })
  const mail = await soon(() => app.mails.find(({ to, subject }) => to === ben.email && /appeal/.test(subject)))
  expect(mail.text).not.toContain('mix-up')
  expect(mail.text).not.toContain('someone else')
  await removePhoto()
  expect((await answerIt(other, appealId, 'reversed')).status).toBe(409)
  expect(await shown()).toBe(0)
})

it("a successful appeal doesn't restore what a second decision removed after the first was lifted", {
  tags: 'long',
}, async () => {
  const [ana, ben] = [await person(app), await verified(app, other)]
  const fileName = (await ben.call('GET /api/user/myDetails')).body.photos[0]?.fileName ?? ''
  const removePhoto = async () =>
    decide(admin, await receiptOf(ana, ben.id, { kind: 'photo', fileName }), { action: 'remove_item', ...told })
  await removePhoto()
  const first = (await newest(ben))?.id ?? ''
  await appeal(ben)
  const { id } = await appealOf(other, ben)
  // An older version lifted sanctions without answering their appeals.
  const { pool } = app.platform
  await pool.query(`update sanctions set lifted_at = now(), lifted_as = 'lifted' where id = $1`, [first])
  await pool.query(`update photos set state = 'approved' where file_name = $1`, [fileName])
  await removePhoto()
  expect((await answerIt(other, id, 'reversed')).status).toBe(200)
  const { photos } = (await ana.call('GET /api/user/:id', { params: { id: ben.id } })).body
  expect(photos).toEqual([])
})

it('the email about a decision is queued before the decision is stored', async () => {
  const ben = await person(app)
  // Only the owner's role may read the queue.
  const owner = new pg.Client(ownerOf(app.platform))
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query(`create function queued() returns table (task text, payload json) security definer begin atomic
    select t.identifier, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id; end`)
  onTestFinished(async () => void (await owner.query('drop function queued')))
  const jobs = await transaction(app.platform, async (tx) => {
    const why = { kind: 'warning', ground: 'scam', statement: 'You asked people for money.' } as const
    const id = await sanction(tx, { userId: ben.id, ...why, decidedBy: null })
    const { rows } = await sql<{ task: string; payload: unknown }>`select * from queued()`.execute(tx.db)
    return rows.filter(({ payload }) => (payload as { sanctionId?: string }).sanctionId === id)
  })
  expect(jobs.map(({ task }) => task)).toEqual(['mail-statement'])
  await soon(() =>
    app.mails.find(({ to, text: said }) => to === ben.email && said.includes('You asked people for money.')),
  )
})

it('anyone but the person themselves can lift a sanction early, with a reason', async () => {
  const ben = await person(app)
  await sanctioned(app, admin, ben.id, { action: 'restrict', days: 30 } as never)
  const id = (await newest(ben))?.id ?? ''
  const lift = () =>
    admin.call('POST /api/admin/sanctions/:id/lift', {
      params: { id },
      body: { reason: 'The report was a mix-up of names.' },
    })
  expect((await lift()).status).toBe(200)
  expect((await lift()).status).toBe(409)
  expect(await standingOf(ben)).toMatchObject({
    standing: 'good',
    sanctions: [{ liftedAs: 'lifted', appealUntil: null }],
  })
})
