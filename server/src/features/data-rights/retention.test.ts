import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days, hours } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { jpeg } from '../../test/attachments.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { forgetExpired } from '../accounts/accounts.ts'
import type { KeptItem } from '../sanctions/sanctions.queries.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { eraseDue } from './erasure.ts'
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

describe('what was kept for long enough', () => {
  it('codes are gone after a day, sessions once they have ended', async () => {
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

  it('a refused photo is gone after 30 days, row and file; others stay', { tags: 'long' }, async () => {
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

  it('a photo that a decision took down stays for as long as that can be appealed, and while an appeal waits', {
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
    await inDays(160)
    expect([await there('alone'), await there('appealed')]).toEqual([false, true])
    await owner.pool.query("update appeals set state = 'upheld', answer = 'No.', decided_at = created_at")
    await inDays(1)
    expect(await there('appealed')).toBe(false)
  })

  it('a closed report is gone after a year, and its evidence with the last report that holds it', {
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

it('what was taken away and kept to be put back is gone after a year, unless an appeal about it waits', {
  tags: 'long',
}, async () => {
  const [ana, ben] = [await person(app), await person(app)]
  const given = { kind: 'item_removed', ground: 'scam', decidedBy: null, statement: 'You asked for money.' } as const
  const message: KeptItem = { kind: 'message', conversationId: randomUUID(), seq: 1, body: 'Send me money' }
  const words: KeptItem = { kind: 'profile', bio: 'Send me money', prompts: [{ prompt: 'x', answer: 'money' }] }
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

it('what cannot be removed holds up nothing else', { tags: 'long' }, async () => {
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

describe('an account that no one uses', () => {
  const exists = async (who: Person) => (await count('select from accounts where id = $1', [who.id])) === 1
  const warnings = (who: Person) =>
    app.mails.filter(({ to, subject }) => to === who.email && /deleted|se va a borrar/.test(subject)).length
  const runAll = async (n: number) => {
    await inDays(n)
    await eraseDue(asOwner())
  }

  /** The mail server takes an email to someone. */
  const takeCode = async (who: Person) => {
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: who.email } })
    await app.codeFor(who.email)
  }
  /** The mail server calls mailboxes gone; whose it refused so far. */
  const callGone = (isGone: (mail: Mail) => boolean) => {
    const { send } = app.platform.mailer
    const refused: string[] = []
    const answer = { code: 'EENVELOPE', command: 'RCPT TO', response: '550 5.1.1 No such mailbox', responseCode: 550 }
    app.platform.mailer.send = async (mail) => {
      if (!isGone(mail)) return send(mail)
      refused.push(mail.to)
      throw Object.assign(new Error('refused'), answer)
    }
    return { refused, end: () => void Object.assign(app.platform.mailer, { send }) }
  }

  it('is told of at 23 months, once, and goes at 24', async () => {
    const ana = await person(app)
    await ana.call('PUT /api/user/language', { body: { language: 'es' } })
    await runAll(690)
    expect(warnings(ana)).toBe(0)
    await runAll(15)
    expect(warnings(ana)).toBe(1)
    expect(app.mails.findLast(({ to }) => to === ana.email)?.subject).toBe('Tu cuenta de Duet se va a borrar')
    await runAll(20)
    expect([warnings(ana), await exists(ana)]).toEqual([1, true])
    await runAll(12)
    expect(await exists(ana)).toBe(false)
    expect(await count('select from deletion_ledger where user_id = $1', [ana.id])).toBe(1)
  })

  it('counts as told where its mailbox is gone, after two nights, and never where the mail server refuses us', async () => {
    const [dead, refused, away] = [await person(app), await person(app), await person(app)]
    const { send } = app.platform.mailer
    const answer = (command: string, response: string) =>
      Object.assign(new Error(response), { code: 'EENVELOPE', command, response, responseCode: 550 })
    const faults: Record<string, Error> = {
      [dead.email]: answer('RCPT TO', '550 5.1.1 No such mailbox'),
      [refused.email]: answer('MAIL FROM', '550 5.7.1 Sender denied'),
      [away.email]: new Error('connect ECONNREFUSED'),
    }
    app.platform.mailer.send = async (mail) => {
      if (faults[mail.to]) throw faults[mail.to]
      await send(mail)
    }
    const left = async () => [await exists(dead), await exists(refused), await exists(away)]
    const other = await person(app)
    for (const nights of [705, 1, 27]) {
      await takeCode(other)
      await runAll(nights)
    }
    expect(await left()).toEqual([true, true, true])
    await runAll(2)
    expect(await left()).toEqual([false, true, true])
    app.platform.mailer.send = send
    await runAll(1)
    expect([warnings(refused), warnings(away)]).toEqual([1, 1])
    await runAll(27)
    expect(await left()).toEqual([false, true, true])
    await runAll(2)
    expect(await left()).toEqual([false, false, false])
  })

  it('counts as told after some nights where three mailboxes are gone, and no email to others is due', async () => {
    const dead = await people(app, 3)
    app.clock.advance(days(705))
    const { refused, end } = callGone(({ to }) => dead.some(({ email }) => email === to))
    const other = await person(app)
    for (let night = 0; night < 4; night++) {
      await takeCode(other)
      await runAll(1)
    }
    expect(refused.length).toBeLessThanOrEqual(6)
    await runAll(30)
    expect(await Promise.all(dead.map(exists))).toEqual([false, false, false])
    end()
  })

  it('stays while the mail server calls every mailbox gone, however many nights', async () => {
    const living = await people(app, 3)
    app.clock.advance(days(705))
    await takeCode(await person(app))
    const { end } = callGone(() => true)
    for (let night = 0; night < 4; night++) await runAll(1)
    await runAll(30)
    expect(await Promise.all(living.map(exists))).toEqual([true, true, true])
    end()
    await runAll(1)
    expect(living.map(warnings)).toEqual([1, 1, 1])
  })

  it('stays when its person comes back, and begins anew', async () => {
    const ana = await person(app)
    await runAll(705)
    expect(warnings(ana)).toBe(1)
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: ana.email } })
    const body = { email: ana.email, otp: await app.codeFor(ana.email) }
    const { body: session } = await caller(app.url).call('POST /api/user/authenticate', { body })
    await runAll(2)
    await caller(app.url, session.token).call('GET /api/user/myDetails')
    await runAll(60)
    expect([warnings(ana), await exists(ana)]).toEqual([1, true])
  })

  it('is never gone without four weeks’ notice, however late the notice came', async () => {
    const ana = await person(app)
    await runAll(900)
    expect([warnings(ana), await exists(ana)]).toEqual([1, true])
    await runAll(27)
    expect(await exists(ana)).toBe(true)
    await runAll(2)
    expect(await exists(ana)).toBe(false)
  })
})
