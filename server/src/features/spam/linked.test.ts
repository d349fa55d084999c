import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailboxOf } from '../../platform/mailbox.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { administrator, soon } from '../reports/cases.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { send } from './acts.test-spam.ts'
import { setUnseen } from './linked.queries.ts'
import { compareNewcomer, longestUnseen, noteNewcomer, noteNewPhotos } from './linked.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A smooth greyscale picture determined by `seed`. */
function picture(seed: number, width = 900): Promise<Buffer> {
  const side = 300
  const wave = (n: number, at: number) => Math.sin(at / (20 + ((seed * 17 + n * 13) % 40)) + seed * n)
  const greys = Buffer.alloc(side * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) greys[y * side + x] = 128 + 60 * wave(1, x + y) + 60 * wave(2, x - 2 * y)
  return sharp(greys, { raw: { width: side, height: side, channels: 1 } })
    .resize(width)
    .jpeg({ quality: 80 })
    .toBuffer()
}

async function upload(who: Person, bytes: Buffer): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'me.jpg')
  const { status } = await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })
  expect(status).toBe(200)
  await soon(() => hasPrint(who))
}
const rowsOf = async (query: string, ...values: unknown[]) => (await app.platform.pool.query(query, values)).rows
async function arriveFrom(userId: string, from: { network: string; device: string }): Promise<void> {
  await noteNewcomer(app.platform, { userId, ...from })
  await compareNewcomer(app.platform, userId)
}
const hasPrint = async ({ id }: Person) =>
  (await rowsOf('select 1 from photo_prints where user_id = $1', id)).length > 0 ? true : undefined
const signalsOf = async ({ id }: Person) =>
  (await rowsOf('select kind from account_signals where user_id = $1 order by kind', id)).map(({ kind }) => kind)
const block = (who: Person, { id: userId }: Person) => who.send('PUT', `/api/blocks/${userId}`)
const sees = async (who: Person, { id }: Person) => (await who.send('GET', `/api/user/${id}`)).status
const reviewsOf = ({ id }: Person) => rowsOf(`select kind, note from reviews where user_id = $1 and state = 'open'`, id)

it('A new account has its identifying signals from the start.', async () => {
  expect(await signalsOf(await person(app))).toEqual(expect.arrayContaining(['address', 'person']))
})

describe('someone who was blocked and comes back', () => {
  it('A blocked person who returns with two of their photos is silently hidden, and queued for review.', {
    tags: 'long',
  }, async () => {
    const [ana, eve] = [await person(app), await person(app)]
    const ben = await person(app, { name: 'Ben', birthDate: '1990-02-03' })
    for (const seed of [1, 6]) await upload(ben, await picture(seed))
    expect((await block(ana, ben)).status).toBeLessThan(300)
    const back = await person(app, { name: 'Bob', birthDate: '1988-12-12' })
    await upload(back, await picture(1, 640))
    expect(await sees(ana, back)).toBe(200)
    await upload(back, await picture(6, 640))
    await soon(async () => ((await sees(ana, back)) === 404 ? true : undefined))
    expect(await sees(back, ana)).toBe(404)
    expect(await sees(eve, back)).toBe(200)
    const { body } = await ana.send('GET', '/api/blocks')
    expect(JSON.stringify(body)).toContain(ben.id)
    expect(JSON.stringify(body)).not.toContain(back.id)
    expect(await reviewsOf(back)).toMatchObject([{ kind: 'linked_account', note: expect.stringContaining(ben.id) }])
    const admin = await administrator(app)
    const dossierOf = async ({ id: userId }: Person) =>
      (await admin.call('GET /api/admin/dossiers/:userId', { params: { userId }, query: { reason: 'a review' } })).body
    const photo = [{ kind: 'photo', count: 2 }]
    const linked = (who: Person, name: string) => [{ person: { id: who.id, name }, standing: 'good', signals: photo }]
    expect((await dossierOf(back)).linked).toEqual(linked(ben, 'Ben'))
    expect((await dossierOf(ben)).linked).toEqual(linked(back, 'Bob'))
    expect((await dossierOf(eve)).linked).toEqual([])
    const looks = await rowsOf(`select target, details from audit_log where actor_id = $1 order by seq`, admin.id)
    expect(looks[0]).toEqual({ target: { kind: 'person', id: back.id }, details: { linked: [ben.id] } })
    expect(looks[2]?.details).toEqual({})
    await ana.send('DELETE', `/api/blocks/${back.id}`)
    expect(await sees(ana, back)).toBe(404)
    await ana.send('DELETE', `/api/blocks/${ben.id}`)
    expect(await sees(ana, back)).toBe(200)
  })

  it('A blocked person is recognised by their mailbox, or by origin, name and birthday.', async () => {
    const ana = await person(app)
    const who = { name: 'Cleo', birthDate: '1991-03-04' }
    const from = { network: '203.0.113.7', device: 'Firefox · Linux' }
    const [cleo, dan] = [await person(app, { ...who, email: 'cleo.k@gmail.com' }), await person(app, { name: 'Dan' })]
    await arriveFrom(cleo.id, from)
    const same = await person(app, { name: 'Same', email: 'cleok+same@gmail.com' })
    for (const one of [cleo, dan]) expect((await block(ana, one)).status).toBeLessThan(300)
    expect((await block(same, cleo)).status).toBeLessThan(300)
    const tagged = await person(app, { name: 'X', email: 'CleoK+new@googlemail.com' })
    await soon(async () => ((await sees(ana, tagged)) === 404 ? true : undefined))
    // Accounts with the same mailbox can still see each other.
    expect(await sees(same, tagged)).toBe(200)
    const near = await person(app, who)
    expect(await sees(ana, near)).toBe(200)
    await arriveFrom(near.id, { ...from, network: '203.0.113.99' })
    expect(await sees(ana, near)).toBe(404)
  })

  it('Someone who was banned and comes back is hidden for a week at most, and not again for other signals.', async () => {
    const ida = await person(app, { name: 'Ida', email: 'ida.k@gmail.com' })
    await transaction(app.platform, (tx) =>
      sanction(tx, { userId: ida.id, kind: 'ban', ground: 'scam', decidedBy: null, statement: 'A scam.' }),
    )
    const back = await person(app, { name: 'Iva', email: 'idak+new@gmail.com' })
    const isUnseen = async () => (await rowsOf('select unseen from accounts where id = $1', back.id))[0]?.unseen
    await soon(async () => ((await isUnseen()) ? true : undefined))
    await setUnseen(app.platform.db, back.id, false)
    await compareNewcomer(app.platform, back.id)
    expect(await isUnseen()).toBe(true)
    await setUnseen(app.platform.db, back.id, false)
    app.clock.advance(longestUnseen + 1_000)
    await compareNewcomer(app.platform, back.id)
    expect([await isUnseen(), await reviewsOf(back)]).toMatchObject([false, [{ kind: 'linked_account' }]])
  })

  it('Someone who was banned and comes back is hidden from everyone until a moderator reviews them.', {
    tags: 'long',
  }, async () => {
    const [admin, eve] = [await administrator(app), await person(app)]
    const hal = await person(app, { name: 'Hal', birthDate: '1985-01-02' })
    for (const seed of [5, 7]) await upload(hal, await picture(seed))
    await transaction(app.platform, (tx) =>
      sanction(tx, {
        userId: hal.id,
        kind: 'ban',
        ground: 'scam',
        decidedBy: null,
        statement: 'You sent scams to many people.',
      }),
    )
    const back = await person(app, { name: 'Ian', birthDate: '1986-02-03' })
    await upload(back, await picture(5, 700))
    const note = async () => (await reviewsOf(back))[0]?.note
    expect(await soon(note)).toContain(`${hal.id}, banned`)
    expect(await sees(eve, back)).toBe(200)
    await upload(back, await picture(7, 700))
    await soon(async () => ((await sees(eve, back)) === 404 ? true : undefined))
    expect(await send(await connect(app, back), back, eve, 'Hello')).toMatchObject({ ok: true, message: { seq: 1 } })
    expect((await eve.call('GET /api/messages/history')).body).toEqual([])
    const { body } = await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })
    const review = body.reviews.find(({ person: { id } }) => id === back.id)
    expect(review?.note).toContain('banned')
    await admin.send('POST', `/api/admin/reviews/${review?.id}/decision`, { action: 'dismiss' })
    expect(await sees(eve, back)).toBe(200)
    expect((await eve.call('GET /api/messages/history')).body).toMatchObject([{ id: back.id, unreadCount: 1 }])
    await noteNewPhotos(app.platform, back.id)
    expect(await sees(eve, back)).toBe(200)
  })

  it('Someone cleared by a moderator is visible again, even when the same signals are noticed at that time.', {
    tags: 'long',
  }, async () => {
    const hal = await person(app, { name: 'Hal', birthDate: '1985-01-02', email: 'hal.again@example.org' })
    const ban = { kind: 'ban', ground: 'scam', decidedBy: null, statement: 'You sent scams to many people.' } as const
    await transaction(app.platform, (tx) => sanction(tx, { userId: hal.id, ...ban }))
    const back = await person(app, { name: 'Ida', email: 'hal.again+new@example.org' })
    await soon(async () => ((await reviewsOf(back)).length > 0 ? true : undefined))
    // As if a block had been noticed first, and the ban only now.
    await app.platform.db.updateTable('accounts').set({ unseen: false }).where('id', '=', back.id).execute()
    const from = { network: '127.0.0.1', device: 'Firefox · Linux' }
    let noticing: Promise<void> | undefined
    await app.platform.db.transaction().execute(async (db) => {
      const decided = { state: 'closed', outcome: 'dismissed', decided_by: hal.id, decided_at: app.clock.now() }
      await db.updateTable('reviews').set(decided).where('user_id', '=', back.id).execute()
      await db.updateTable('accounts').set({ unseen: false }).where('id', '=', back.id).execute()
      noticing = arriveFrom(back.id, from)
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    await noticing
    expect(await rowsOf('select unseen from accounts where id = $1', back.id)).toEqual([{ unseen: false }])
  })

  it('A person whose photos a banned person copied is not taken for them.', { tags: 'long' }, async () => {
    const eve = await person(app)
    const fay = await person(app, { name: 'Faye', birthDate: '1990-09-09' })
    const copier = await person(app, { name: 'Gil', birthDate: '1980-01-01' })
    for (const seed of [1, 6]) for (const one of [fay, copier]) await upload(one, await picture(seed))
    const prints = () => rowsOf('select 1 from photo_prints where user_id = any($1)', [fay.id, copier.id])
    await soon(async () => ((await prints()).length === 4 ? true : undefined))
    expect((await block(eve, copier)).status).toBeLessThan(300)
    const ban = {
      kind: 'ban',
      ground: 'fake_profile',
      decidedBy: null,
      statement: 'These are photos of another.',
    } as const
    await transaction(app.platform, (tx) => sanction(tx, { userId: copier.id, ...ban }))
    await arriveFrom(fay.id, { network: '203.0.113.200', device: 'Safari · macOS' })
    expect([await sees(eve, fay), await reviewsOf(fay)]).toEqual([200, []])
  })

  it('Someone with only a photo, a name or a network in common is not taken for a blocked person.', {
    tags: 'long',
  }, async () => {
    const ana = await person(app)
    const who = { name: 'Fay', birthDate: '1992-05-06' }
    const fay = await person(app, who)
    await upload(fay, await picture(2))
    await block(ana, fay)
    const other = await person(app, who)
    await upload(other, await picture(3))
    const neighbour = await person(app, { name: 'Gus' })
    for (const one of [fay, neighbour]) await arriveFrom(one.id, { network: '198.51.100.4', device: 'Safari' })
    for (const one of [other, neighbour]) {
      expect(await sees(ana, one)).toBe(200)
      expect(await reviewsOf(one)).toEqual([])
    }
  })
})

describe('a mailbox', () => {
  it('A mailbox is compared without case, tags and Gmail’s dots.', () => {
    expect(mailboxOf('A.B.c+news@Gmail.com')).toBe('abc@gmail.com')
    expect(mailboxOf('a.b+c@example.org')).toBe('a.b@example.org')
  })
})
