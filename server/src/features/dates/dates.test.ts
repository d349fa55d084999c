import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import { connectOwner } from '../../platform/database/database.ts'
import type { JobRunner } from '../../platform/jobs/jobs.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { watchDates } from '../../test/dates.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { addOne } from '../../test/photos.ts'

let app: TestApp
let ana: Person
let ben: Person
beforeAll(async () => {
  app = await startTestApp()
  // Stops the job queue, which emails the people who share dates. Their contacts are emailed by the watch, which the
  // test runs.
  await (app.platform.jobs as JobRunner).rest()
})
afterAll(() => app.close())
beforeEach(async () => {
  ana = await withPhoto(await person(app, { name: 'Ana' }))
  ben = await withPhoto(await person(app, { name: 'Benedikt' }))
  app.mails.length = 0
})

async function withPhoto(who: Person): Promise<Person> {
  const pixels = sharp({ create: { width: 240, height: 240, channels: 3, background: '#a63' } })
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await pixels.jpeg().toBuffer())]), 'photo.jpg')
  await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })
  return who
}

const fromNow = (ms: number) => after(app.clock.now(), ms).toISOString()
const share = (who: Person, wanted: Record<string, unknown> = {}) =>
  who.call('POST /api/dates', { body: { place: 'Café Central', at: fromNow(hours(1)), ...wanted } })
const read = (url: string) =>
  caller(app.url).call('GET /api/shared-dates/:token', { params: { token: url.split('/').at(-1) ?? '' } })
const listOf = async (who: Person) => (await who.call('GET /api/dates')).body.dates
const kindsOf = async (who: Person) =>
  (await who.call('GET /api/notifications')).body.notifications.filter(({ read }) => !read).map(({ kind }) => kind)
async function stand(who: Person, standing: string): Promise<void> {
  const { pool, sessions } = app.platform
  await pool.query('update accounts set standing = $2 where id = $1', [who.id, standing])
  // The session cache lasts a second.
  const { rows } = await pool.query<{ id: string }>('select id from sessions where user_id = $1', [who.id])
  for (const { id } of rows) sessions.forget(id)
}
const inside = { checkInMinutes: 60, contactEmail: 'sister@example.com' }

describe('shared dates', () => {
  it('anyone with the link sees names, first photos, place, time and note, and no way to reach anyone', async () => {
    const { status, body } = await share(ana, { withUserId: ben.id, note: 'By tram 4' })
    expect(status).toBe(201)
    expect(body.url).toMatch(/\/date\/[\w-]{43}$/)
    const answer = await read(body.url)
    expect(answer.body).toMatchObject({
      who: { name: 'Ana', photo: expect.stringMatching(/^data:image\/webp;base64,/) },
      with: { name: 'Benedikt', photo: expect.stringMatching(/^data:image\/webp;base64,/) },
      place: 'Café Central',
      note: 'By tram 4',
      checkIn: 'none',
    })
    const text = JSON.stringify(answer.body)
    for (const secret of [ana.id, ben.id, ana.email]) expect(text).not.toContain(secret)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it("the database doesn't have the link", async () => {
    const { url } = (await share(ana)).body
    const rows = await app.platform.db.selectFrom('shared_dates').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(url.split('/').at(-1))
    expect((await listOf(ana))[0]?.url).toBe(url)
  })

  it("a date's page is gone a day later, or when it is ended, with the same response as for a wrong link", async () => {
    const [one, other] = [(await share(ana)).body, (await share(ana, { at: fromNow(days(3)) })).body]
    const wrong = await read(`/${'A'.repeat(43)}`)
    const { body } = await ana.call('PATCH /api/dates/:id', { params: { id: other.id }, body: { ended: true } })
    expect(body.dates.map(({ id }) => id)).toEqual([one.id])
    app.clock.advance(hours(25) + 1)
    for (const { url } of [one, other]) {
      const gone = await read(url)
      const { requestId: _, ...problem } = gone.body
      expect([gone.status, { ...problem, requestId: wrong.body.requestId }]).toEqual([404, wrong.body])
    }
    await watchDates(app.platform)
    const left = await app.platform.db.selectFrom('shared_dates').select('id').where('user_id', '=', ana.id).execute()
    expect(left).toEqual([])
  })

  it("a date with someone who has since blocked the owner continues, but a new date can't name them", async () => {
    const { url } = (await share(ana, { withUserId: ben.id })).body
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    expect((await read(url)).body).toMatchObject({ who: { name: 'Ana' }, with: { name: 'Benedikt' } })
    expect((await share(ana, { withUserId: ben.id })).status).toBe(404)
  })

  it('a date is erased with its owner’s account, along with the copy of the photo', async () => {
    const { url, id } = (await share(ana, { withUserId: ben.id })).body
    const { db } = app.platform
    const copies = () => db.selectFrom('shared_date_photos').select('date_id').where('date_id', '=', id).execute()
    expect(await copies()).toHaveLength(1)
    await db.deleteFrom('accounts').where('id', '=', ana.id).execute()
    expect((await read(url)).status).toBe(404)
    expect(await copies()).toEqual([])
  })

  it('a photo that a reviewer rejects disappears, and the next photo shows while its owner may see it', async () => {
    const { url } = (await share(ana, { withUserId: ben.id })).body
    const { photo } = (await read(url)).body.with ?? {}
    await addOne(ben)
    const { pool } = app.platform
    await pool.query(`update photos set state = 'rejected' where user_id = $1 and position = 0`, [ben.id])
    const next = (await read(url)).body.with
    expect(next).toEqual({ name: 'Benedikt', photo: expect.stringMatching(/^data:image/) })
    expect(next?.photo).not.toBe(photo)
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    expect((await read(url)).body.with).toEqual({ name: 'Benedikt', photo: null })
  })

  it('a rejected photo shows again after a reversal, and disappears when the photo is deleted', async () => {
    const { url } = (await share(ana, { withUserId: ben.id })).body
    const { photo } = (await read(url)).body.with ?? {}
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    const { pool } = app.platform
    const set = (state: string) => pool.query('update photos set state = $2 where user_id = $1', [ben.id, state])
    const shown = async () => (await read(url)).body.with?.photo
    await set('rejected')
    expect(await shown()).toBeNull()
    await set('approved')
    expect(await shown()).toBe(photo)
    await set('rejected')
    await pool.query('delete from photos where user_id = $1', [ben.id])
    expect(await shown()).toBeNull()
  })

  it('the page keeps a photo that the other person removes', async () => {
    const { url } = (await share(ana, { withUserId: ben.id })).body
    const { photo } = (await read(url)).body.with ?? {}
    await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
    await app.platform.pool.query('delete from photos where user_id = $1', [ben.id])
    expect((await read(url)).body.with?.photo).toBe(photo)
  })

  it('a date is shared and read without photos while the photo store fails', async () => {
    const { storage } = app.platform
    const { get } = storage
    storage.get = () => Promise.reject(new Error('away'))
    const { status, body } = await share(ana, { withUserId: ben.id })
    const page = await read(body.url)
    storage.get = get
    expect([status, page.status]).toEqual([201, 200])
    expect(page.body).toMatchObject({ who: { name: 'Ana', photo: null }, with: { name: 'Benedikt', photo: null } })
    expect((await read(body.url)).body.with?.photo).toMatch(/^data:image/)
  })

  it('a date is in its owner’s list, however many they share', async () => {
    await app.platform.pool.query(
      `insert into shared_dates (id, user_id, token_hash, place, at, created_at, expires_at)
       select gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), 'Park', $2, $2, $3 from generate_series(1, 300)`,
      [ana.id, app.clock.now(), fromNow(days(1))],
    )
    const last = await share(ana, { at: fromNow(days(50)) })
    expect(last.status).toBe(201)
    expect((await listOf(ana)).map(({ id }) => id).at(-1)).toBe(last.body.id)
  })

  it('a date can be moved within the next sixty days', async () => {
    const { id, url } = (await share(ana, inside)).body
    const at = fromNow(days(2))
    await ana.call('PATCH /api/dates/:id', { params: { id }, body: { at, place: 'Park', note: '' } })
    expect((await read(url)).body).toMatchObject({
      place: 'Park',
      at,
      checkInAt: after(new Date(at), hours(1)).toISOString(),
    })
    expect((await share(ana, { at: fromNow(days(61)) })).status).toBe(400)
    expect((await share(ana, { at: fromNow(-days(1)) })).status).toBe(400)
    expect((await share(ana, { contactEmail: 'sister@example.com' })).status).toBe(400)
    expect((await share(ana, { withUserId: ana.id })).status).toBe(404)
  })
})

describe('a check-in', () => {
  it('a due check-in is asked for once, and answered', async () => {
    const { id, url } = (await share(ana, inside)).body
    await watchDates(app.platform)
    expect(await kindsOf(ana)).not.toContain('date_check_in')
    expect((await read(url)).body.checkIn).toBe('waiting')
    app.clock.advance(hours(2) + 1)
    for (let minute = 0; minute < 2; minute++) await watchDates(app.platform)
    expect((await kindsOf(ana)).filter((kind) => kind === 'date_check_in')).toHaveLength(1)
    expect((await read(url)).body.checkIn).toBe('due')
    const { body } = await ana.call('POST /api/dates/:id/checkIn', { params: { id } })
    expect(body.dates[0]).toMatchObject({ checkIn: 'checked_in', contactEmail: null })
    expect(await kindsOf(ana)).not.toContain('date_check_in')
    app.clock.advance(hours(1))
    await watchDates(app.platform)
    expect(app.mails).toEqual([])
    expect((await read(url)).body).toMatchObject({ checkIn: 'checked_in', checkedInAt: expect.any(String) })
  })

  it.each(['restricted', 'suspended', 'banned'])('someone %s can check in and end their date', async (standing) => {
    const { id } = (await share(ana, inside)).body
    app.clock.advance(hours(2) + 1)
    await stand(ana, standing)
    expect((await listOf(ana)).map(({ checkIn }) => checkIn)).toEqual(['due'])
    const { body } = await ana.call('POST /api/dates/:id/checkIn', { params: { id } })
    expect(body.dates[0]).toMatchObject({ checkIn: 'checked_in', contactEmail: null })
    const ended = await ana.call('PATCH /api/dates/:id', { params: { id }, body: { ended: true } })
    expect([ended.status, ended.body]).toEqual([200, { dates: [] }])
  })

  it("a banned person's date stays readable for anyone with the link, but accepts no new text", {
    tags: 'long',
  }, async () => {
    const { id, url } = (await share(ana, { checkInMinutes: 60, withUserId: ben.id })).body
    const before = (await read(url)).body
    await stand(ana, 'banned')
    expect((await read(url)).body).toEqual(before)
    const moved = await ana.call('PATCH /api/dates/:id', { params: { id }, body: { note: 'Buy this' } })
    expect([moved.status, moved.body.code]).toEqual([403, 'suspended'])
  })

  it('a missed check-in shows on the page and is emailed once, with only a first name and the link', async () => {
    const { url } = (await share(ana, { ...inside, withUserId: ben.id, note: 'Secret note' })).body
    app.clock.advance(hours(2) + minutes(31))
    expect((await read(url)).body.checkIn).toBe('missed')
    for (let minute = 0; minute < 3; minute++) {
      await watchDates(app.platform)
      app.clock.advance(minutes(1))
    }
    expect(app.mails.map(({ to }) => to)).toEqual(['sister@example.com'])
    const { text = '' } = app.mails[0] ?? {}
    expect(text).toContain(url)
    for (const secret of ['Benedikt', 'Secret note', 'Café', ana.email]) expect(text).not.toContain(secret)
    expect((await listOf(ana))[0]).toMatchObject({ contactEmail: null, contactToldAt: expect.any(String) })
  })

  it('a missed check-in is emailed once, even if the database connection is lost while a slow email is being sent', async () => {
    await share(ana, inside)
    app.clock.advance(hours(2) + minutes(31))
    const { mailer } = app.platform
    const owner = connectOwner(ownerOf(app.platform), () => undefined)
    const { send } = mailer
    mailer.send = async (mail) => {
      await send(mail)
      // This is what the database does to clients that leave a transaction open for ten seconds.
      await owner.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`)
    }
    await watchDates(app.platform).catch(() => undefined)
    mailer.send = send
    await owner.db.destroy()
    app.clock.advance(minutes(10))
    await watchDates(app.platform)
    expect(app.mails).toHaveLength(1)
    expect((await listOf(ana))[0]).toMatchObject({ contactEmail: null, contactToldAt: expect.any(String) })
  })

  it('after a check-in long before it is due, the question is still asked', async () => {
    const { id, url } = (await share(ana, inside)).body
    await ana.call('POST /api/dates/:id/checkIn', { params: { id } })
    expect((await read(url)).body).toMatchObject({ checkIn: 'waiting', checkedInAt: expect.any(String) })
    app.clock.advance(hours(2) + minutes(31))
    await watchDates(app.platform)
    expect(app.mails).toHaveLength(1)
    const { body } = await ana.call('POST /api/dates/:id/checkIn', { params: { id } })
    expect(body.dates[0]?.checkIn).toBe('checked_in')
  })

  it('emails are retried with growing pauses while the mail server is down, and not to an address whose date has moved', {
    tags: 'long',
  }, async () => {
    await share(ana, inside)
    const { id } = (await share(ben, inside)).body
    app.clock.advance(hours(2) + 1)
    await watchDates(app.platform)
    await ben.call('PATCH /api/dates/:id', { params: { id }, body: { at: fromNow(hours(5)) } })
    const { send } = app.platform.mailer
    app.platform.mailer.send = () => Promise.reject(new Error('away'))
    app.clock.advance(minutes(30))
    await watchDates(app.platform)
    app.platform.mailer.send = send
    await watchDates(app.platform)
    expect(app.mails).toEqual([])
    app.clock.advance(minutes(5))
    await watchDates(app.platform)
    expect(app.mails).toHaveLength(1)
  })

  it("the email uses the owner's language, isn't sent to addresses that declined, and its key can't be forged", async () => {
    await share(ana, { ...inside, contactEmail: 'friend@example.com' })
    await ana.call('PUT /api/user/language', { body: { language: 'es' } })
    app.clock.advance(hours(3))
    await watchDates(app.platform)
    expect(app.mails[0]?.subject).toBe('Ana no ha confirmado que está bien')
    const key = /\/date\/stop\/(\S+)/.exec(app.mails[0]?.text ?? '')?.[1] ?? ''
    const decline = (sent: string) => caller(app.url).call('POST /api/declined-contacts', { body: { key: sent } })
    const forged = `${key[0] === 'A' ? 'B' : 'A'}${key.slice(1)}`
    expect([(await decline(forged)).status, (await decline(key)).status, (await decline(key)).status]).toEqual([
      404, 200, 200,
    ])
    expect((await share(ben, { ...inside, contactEmail: 'Friend@example.com' })).status).toBe(409)
    const kept = await app.platform.db.selectFrom('declined_contacts').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain('friend')
  })
})

it('a person can share ten dates a day', { tags: 'long' }, async () => {
  const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  try {
    const who = await person(strict)
    const at = after(strict.clock.now(), hours(1)).toISOString()
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await who.call('POST /api/dates', { body: { place: 'P', at } })).status)
    expect(statuses).toEqual([...Array(10).fill(201), 429])
  } finally {
    await strict.close()
  }
})
