import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days, hours } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto, jpeg } from '../../test/attachments.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { pair } from '../../test/talk.ts'
import { forgetExpired } from '../accounts/accounts.ts'
import { say } from '../reports/acts.test-reports.ts'
import { appealUntil } from '../sanctions/appeal-time.ts'
import type { KeptItem } from '../sanctions/sanctions.queries.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { findRefused } from './retention.queries.ts'
import { endRetention } from './retention.ts'

let app: TestApp
let owner: Pools
const asOwner = (): Platform => ({ ...app.platform, db: owner.db })

beforeAll(async () => {
  app = await startTestApp()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const count = async (text: string, values: unknown[]) => (await owner.pool.query(text, values)).rowCount
const inDays = async (n: number) => {
  app.clock.advance(days(n))
  await forgetExpired(app.platform)
  await endRetention(asOwner())
}

describe('expired data', () => {
  it('codes are deleted after a day, and sessions once they have ended', async () => {
    const ana = await person(app)
    app.clock.advance(hours(1))
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: ana.email } })
    const codes = () => count('select from sign_in_codes where email = $1', [ana.email])
    const sessions = () => count('select from sessions where user_id = $1', [ana.id])
    expect([await codes(), await sessions()]).toEqual([1, 1])
    await inDays(1)
    expect([await codes(), await sessions()]).toEqual([0, 1])
    await inDays(7)
    expect(await sessions()).toBe(0)
  })

  it('a refused photo is deleted after 30 days, row and file; others stay', { tags: 'long' }, async () => {
    const ana = await person(app)
    const form = new FormData()
    for (const width of [500, 600]) form.append('file', new Blob([new Uint8Array(await jpeg(width))]), 'a.jpg')
    const { body } = await ana.call('PATCH /api/user/:userId/image', { params: { userId: ana.id }, form })
    const [kept = '', refused = ''] = body.images
    await owner.db
      .updateTable('photos')
      .set({ state: 'rejected', reviewed_at: app.clock.now() })
      .where('file_name', '=', refused)
      .execute()
    const there = async (name: string) => (await app.platform.storage.get(`photos/320/${name}`)) !== undefined
    await inDays(29)
    expect([await there(kept), await there(refused)]).toEqual([true, true])
    await inDays(2)
    expect([await there(kept), await there(refused)]).toEqual([true, false])
    expect(await count('select from photos where user_id = $1', [ana.id])).toBe(1)
  })

  it('a photo that a decision removed stays while it can be appealed, and while an appeal waits', {
    tags: 'long',
  }, async () => {
    const names: Record<string, string> = {}
    const there = async (name: string) => (await count('select from photos where file_name = $1', [names[name]])) === 1
    for (const name of ['alone', 'appealed', 'lifted']) {
      const who = await person(app)
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(await jpeg())]), 'a.jpg')
      const { body } = await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })
      const fileName = body.images[0] ?? ''
      names[name] = fileName
      const row = { state: 'rejected', reviewed_at: app.clock.now() }
      await owner.db.updateTable('photos').set(row).where('file_name', '=', fileName).execute()
      const given = { kind: 'item_removed', ground: 'scam', decidedBy: null, statement: 'It is an advert.' } as const
      const item: KeptItem = { kind: 'photo', fileName }
      const id = await transaction(app.platform, (tx) => sanction(tx, { ...given, userId: who.id, item }))
      if (name === 'lifted')
        await owner.pool.query(`update sanctions set lifted_at = created_at, lifted_as = 'lifted' where id = $1`, [id])
      if (name !== 'appealed') continue
      const appeal = { sanction_id: id, user_id: who.id, text: 'It is me.', created_at: app.clock.now() }
      await owner.db.insertInto('appeals').values(appeal).execute()
    }
    await inDays(31)
    expect([await there('alone'), await there('appealed'), await there('lifted')]).toEqual([true, true, false])
    // Six months have up to 184 days, and the photo is kept for another week.
    await inDays(162)
    expect([await there('alone'), await there('appealed')]).toEqual([false, true])
    await owner.pool.query("update appeals set state = 'upheld', answer = 'No.', decided_at = created_at")
    await inDays(1)
    expect(await there('appealed')).toBe(false)
  })

  it('a closed report is deleted after a year, and its evidence with the last report that needs it', {
    tags: 'long',
  }, async () => {
    const [bad, ana, ben] = [await person(app), await person(app), await person(app)]
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await jpeg(700))]), 'a.jpg')
    await bad.call('PATCH /api/user/:userId/image', { params: { userId: bad.id }, form })
    for (const one of [ana, ben]) {
      const report = { userId: bad.id, subject: { kind: 'profile' }, reason: 'scam', details: '', block: false }
      expect((await one.send('POST', '/api/reports', report)).status).toBe(201)
    }
    const evidence = async () => {
      const found: string[] = []
      for await (const { key } of app.platform.storage.list()) if (key.startsWith('evidence/')) found.push(key)
      return found.length
    }
    const reports = () => count('select from reports where reported_id = $1', [bad.id])
    const close = (who: Person) =>
      owner.pool.query(`update reports set state = 'closed', decided_at = $2 where reporter_id = $1`, [
        who.id,
        app.clock.now(),
      ])
    await close(ana)
    await inDays(364)
    expect([await reports(), await evidence()]).toEqual([2, 1])
    await close(ben)
    await inDays(3)
    expect([await reports(), await evidence()]).toEqual([1, 1])
    await inDays(366)
    expect([await reports(), await evidence()]).toEqual([0, 0])
  })
})

it('a closed report is kept longer while an appeal about it, or against a finding that it was false, waits', async () => {
  const reported = await person(app)
  const [ana, ben, cem] = [await person(app), await person(app), await person(app)]
  const report = { userId: reported.id, subject: { kind: 'profile' }, reason: 'scam', details: '', block: false }
  for (const one of [ana, ben, cem]) await one.send('POST', '/api/reports', report)
  const closed = `update reports set state = 'closed', decided_at = $2, false_report = reporter_id = $3
    where reported_id = $1 returning id, reporter_id`
  const { rows } = await owner.pool.query(closed, [reported.id, app.clock.now(), ben.id])
  const reportId = Number(rows.find(({ reporter_id: by }) => by === ana.id)?.id)
  const given = { decidedBy: null, statement: 'You asked people for money.' }
  for (const one of [
    { ...given, userId: reported.id, kind: 'warning', ground: 'scam', reportId } as const,
    { ...given, userId: ben.id, kind: 'reporting_restriction', ground: 'false_reports' } as const,
  ]) {
    const id = await transaction(app.platform, (tx) => sanction(tx, one))
    const appeal = { sanction_id: id, user_id: one.userId, text: 'That is not true.', created_at: app.clock.now() }
    await owner.db.insertInto('appeals').values(appeal).execute()
  }
  const kept = async () =>
    (await owner.pool.query('select reporter_id from reports where reported_id = $1 order by id', [reported.id])).rows
  await inDays(367)
  expect(await kept()).toEqual([{ reporter_id: ana.id }, { reporter_id: ben.id }])
  await owner.pool.query("update appeals set state = 'upheld', answer = 'No.', decided_at = created_at")
  await inDays(1)
  expect(await kept()).toEqual([])
})

it('a photo stays until the last moment of its appeal period, even at the end of a month', async () => {
  const who = await person(app)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await jpeg())]), 'a.jpg')
  const { body } = await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })
  const fileName = body.images[0] ?? ''
  const given = { kind: 'item_removed', ground: 'scam', decidedBy: null, statement: 'It is an advert.' } as const
  const item: KeptItem = { kind: 'photo', fileName }
  const id = await transaction(app.platform, (tx) => sanction(tx, { ...given, userId: who.id, item }))
  const decided = new Date('2026-08-31T12:00:00Z')
  await owner.pool.query('update sanctions set created_at = $2 where id = $1', [id, decided])
  await owner.db.updateTable('photos').set({ state: 'rejected', reviewed_at: decided }).execute()
  const found = await findRefused(owner.db, new Date(appealUntil(decided).getTime() - 1))
  expect(found.map(({ file_name: name }) => name)).not.toContain(fileName)
})

it('a deleted message and its photo are erased after 30 days, and a former name after a year', async () => {
  const [ana, ben, , socket] = await pair(app)
  const { seq } = await say(ben, ana, socket, '', { attachmentId: (await addPhoto(ben, ana)).id })
  await ben.call('DELETE /api/conversations/:userId/messages/:seq', { params: { userId: ana.id, seq } })
  await ben.call('PATCH /api/user/updateUser', { body: { name: 'Bernard' } })
  const left = async () => {
    let files = 0
    for await (const { key } of app.platform.storage.list()) if (key.startsWith('attachments/')) files++
    const versions = await count('select from message_versions where sender_id = $1', [ben.id])
    return [versions, files > 0, await count('select from former_names where user_id = $1', [ben.id])]
  }
  await inDays(29)
  expect(await left()).toEqual([1, true, 1])
  await inDays(2)
  expect(await left()).toEqual([0, false, 1])
  await owner.pool.query('update profiles set last_active_at = $1', [app.clock.now()])
  await inDays(335)
  expect(await left()).toEqual([0, false, 0])
})

it('removed items kept for a reversal are emptied after a year, unless an appeal about them waits', {
  tags: 'long',
}, async () => {
  const [ana, ben] = [await person(app), await person(app)]
  const given = { kind: 'item_removed', ground: 'scam', decidedBy: null, statement: 'You asked for money.' } as const
  const message: KeptItem = { kind: 'message', conversationId: randomUUID(), seq: 1, body: 'Send me money' }
  const words: KeptItem = { kind: 'profile', bio: 'Send me money', prompts: [], name: 'Send money' }
  const ids: string[] = []
  for (const [{ id: userId }, item] of [[ana, message] as const, [ana, words] as const, [ben, message] as const])
    ids.push(await transaction(app.platform, (tx) => sanction(tx, { ...given, userId, item })))
  const sanctionId = ids[2] ?? ''
  const appeal = { sanction_id: sanctionId, user_id: ben.id, text: 'It was not me.', created_at: app.clock.now() }
  await owner.db.insertInto('appeals').values(appeal).execute()
  const kept = () => count(`select from sanctions where id = any($1) and item::text like '%money%'`, [ids])
  await inDays(364)
  expect(await kept()).toBe(3)
  await inDays(3)
  expect(await kept()).toBe(1)
  expect(await count(`select from sanctions where id = any($1) and item ->> 'kind' = 'profile'`, [ids])).toBe(1)
})

it("an item that can't be removed doesn't block the others", { tags: 'long' }, async () => {
  const [bad, ana, ben, idle] = [await person(app), await person(app), await person(app), await person(app)]
  const receipts: string[] = []
  for (const [n, one] of [ana, ben].entries()) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await jpeg(800 + n))]), 'a.jpg')
    const { body } = await bad.call('PATCH /api/user/:userId/image', { params: { userId: bad.id }, form })
    const subject = { kind: 'photo', fileName: body.images.at(-1) }
    const report = { userId: bad.id, subject, reason: 'scam', details: '', block: false }
    receipts.push((await one.send('POST', '/api/reports', report)).body.receipt as string)
  }
  await owner.pool.query(`update reports set state = 'closed', decided_at = $1`, [app.clock.now()])
  app.clock.advance(days(705))
  await forgetExpired(app.platform)
  const { storage } = app.platform
  let refused = 0
  const remove = (key: string) =>
    key.startsWith('evidence/') && refused++ === 0 ? Promise.reject(new Error('away')) : storage.remove(key)
  await endRetention({
    ...asOwner(),
    storage: { ...storage, remove },
    log: { ...app.platform.log, error: () => undefined } as never,
  })
  const evidence = async () => {
    let files = 0
    for await (const { key } of storage.list()) if (key.startsWith('evidence/')) files++
    return files
  }
  expect(await evidence()).toBe(1)
  expect(app.mails.some(({ to }) => to === idle.email)).toBe(true)
  await endRetention(asOwner())
  expect([await evidence(), await count('select from reports where receipt = any($1)', [receipts])]).toEqual([0, 0])
})
