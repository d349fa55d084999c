import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days, hours } from '../../platform/clock.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, people, person } from '../../test/people.ts'
import { verifyChain } from '../audit/audit.ts'
import { openReview } from '../claims/open-review.ts'
import { receiptOf } from '../reports/acts.test-reports.ts'
import { administrator, decide, sanctioned, signInAgain, told } from '../reports/cases.test-reports.ts'
import { endOverdueSanctions, sanction, suggestAction } from '../sanctions/sanctions.ts'
import { revokeRights } from './rights.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app, 'First')
  other = await administrator(app, 'Second')
})
afterAll(() => app.close())

const claim = (who: Person, kind: string, id: string, method = 'PUT') =>
  who.send(method, `/api/admin/claims/${kind}/${encodeURIComponent(id)}`)
const review = (userId: string, kind = 'duplicates', note = 'The same words to forty people.') =>
  transaction(app.platform, (tx) => openReview(tx, { kind, userId, note }))
const reviewOf = async (userId: string) => {
  const { body } = await admin.call('GET /api/admin/reviews', { query: { limit: 50 } })
  return body.reviews.filter(({ person: { id } }) => id === userId)
}
const shadow = (userId: string, length?: number) =>
  transaction(app.platform, (tx) =>
    sanction(tx, {
      ...{
        userId,
        kind: 'shadow',
        ground: 'spam',
        decidedBy: null,
        statement: 'Forty near-duplicates within an hour.',
      },
      ...(length && { days: length }),
    }),
  )
const newestEntry = async (action: string) => {
  const { body } = await admin.call('GET /api/admin/audit', { query: { limit: 50 } })
  return body.entries.find((entry) => entry.action === action)
}

describe('claims', () => {
  it('a claim belongs to one administrator, who can renew it and release it', async () => {
    const receipt = await receiptOf(await person(app), (await person(app)).id)
    const both = await Promise.all([claim(admin, 'report', receipt), claim(other, 'report', receipt)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const [winner, loser] = both[0]?.status === 200 ? [admin, other] : [other, admin]
    expect((await claim(winner, 'report', receipt)).status).toBe(200)
    expect((await claim(loser, 'report', receipt, 'DELETE')).status).toBe(200)
    expect((await claim(loser, 'report', receipt)).status).toBe(409)
    await claim(winner, 'report', receipt, 'DELETE')
    expect((await claim(loser, 'report', receipt)).status).toBe(200)
  })

  it.each(['report', 'photo', 'verification', 'appeal', 'review', 'nothing'])(
    'a claim of a missing %s is refused',
    async (kind) => {
      expect((await claim(admin, kind, 'no-one')).status).toBe(kind === 'nothing' ? 400 : 404)
    },
  )
})

describe('a review', () => {
  it('a person has one open review of each kind, with the newest note, which is decided like a report', async () => {
    const ben = await person(app)
    await review(ben.id)
    await review(ben.id, 'duplicates', 'The same words to eighty people.')
    await review(ben.id, 'links')
    const open = await reviewOf(ben.id)
    expect(open.map(({ kind, note }) => [kind, note])).toContainEqual([
      'duplicates',
      'The same words to eighty people.',
    ])
    expect(open).toHaveLength(2)
    const statement = told.statement
    const ruling = (id: string, action: 'restrict' | 'dismiss') =>
      admin.send(
        'POST',
        `/api/admin/reviews/${id}/decision`,
        action === 'dismiss' ? { action } : { action, ground: 'spam', statement, days: 7 },
      )
    expect((await ruling(open[0]?.id ?? '', 'restrict')).status).toBe(200)
    expect((await ruling(open[0]?.id ?? '', 'restrict')).status).toBe(409)
    expect((await ruling(open[1]?.id ?? '', 'dismiss')).status).toBe(200)
    expect((await ben.call('GET /api/standing')).body).toMatchObject({
      standing: 'restricted',
      sanctions: [{ statement }],
    })
    expect(await reviewOf(ben.id)).toEqual([])
  })
})

describe('a shadow restriction', () => {
  it('a shadow restriction is hidden from everyone while it lasts, and ends with the person’s review', async () => {
    const ben = await person(app)
    await shadow(ben.id, 7)
    expect((await ben.call('GET /api/standing')).body).toEqual({ standing: 'good', until: null, sanctions: [] })
    expect((await ben.call('GET /api/notifications')).body.notifications.map(({ kind }) => kind)).toEqual(['welcome'])
    app.clock.advance(days(7) + 1_000)
    await endOverdueSanctions(app.platform)
    ;[admin, other] = [await administrator(app, 'First'), await administrator(app, 'Second')]
    expect(await reviewOf(ben.id)).toMatchObject([{ kind: 'shadow_ended', strikes: 0 }])
    const { entries } = (await admin.call('GET /api/admin/audit', { query: { limit: 50 } })).body
    const ended = entries.filter(({ action, target }) => action === 'sanction_ended' && target?.id === ben.id)
    expect(ended).toMatchObject([{ actor: null }])
  })

  it('a shadow restriction of a person erased in the meantime ends too, and doesn’t hold up other suspensions', {
    tags: 'long',
  }, async () => {
    const [gone, ben] = (await people(app, 2)) as [Person, Person]
    await shadow(gone.id, 1)
    await sanctioned(app, admin, ben.id, { action: 'suspend', days: 2 } as never)
    const { rows: made } = await app.platform.pool.query('select id from sanctions where user_id = any($1)', [
      [gone.id, ben.id],
    ])
    await app.platform.db.deleteFrom('accounts').where('id', '=', gone.id).execute()
    app.clock.advance(days(2) + 60_000)
    await endOverdueSanctions(app.platform)
    ;[admin, other] = [await administrator(app, 'First'), await administrator(app, 'Second')]
    const { rows } = await app.platform.pool.query(
      'select lifted_as from sanctions where id = any($1) order by created_at',
      [made.map(({ id }) => id)],
    )
    expect(rows).toEqual([{ lifted_as: 'ended' }, { lifted_as: 'ended' }])
  })
})

describe('a dossier', () => {
  it('a dossier has what a decision needs and nothing more, and every view is recorded with its reason', async () => {
    const ben = await person(app, { name: 'Ben', birthDate: '1990-01-01' })
    await sanctioned(app, admin, ben.id)
    await receiptOf(await person(app), ben.id)
    const { body } = await other.call('GET /api/admin/dossiers/:userId', {
      params: { userId: ben.id },
      query: { reason: 'A second report about them' },
    })
    expect(body).toMatchObject({
      ...{ id: ben.id, name: 'Ben', standing: 'good', strikes: 1, verified: false, isSuperAdmin: false },
      sanctions: [{ kind: 'warning', decidedBy: { id: admin.id } }],
      reportsAbout: { open: 1, upheld: 1, dismissed: 0 },
      reportsBy: { open: 0, upheld: 0, dismissed: 0, falseReports: 0 },
    })
    for (const secret of [ben.email, '1990-01-01']) expect(JSON.stringify(body)).not.toContain(secret)
    expect(await newestEntry('dossier_viewed')).toMatchObject({
      ...{ actor: { id: other.id }, target: { kind: 'person', id: ben.id } },
      reason: 'A second report about them',
    })
  })

  it.each(['', 'why', '  \n   '])("a dossier isn't shown for the reason %j", async (reason) => {
    const { status } = await admin.call('GET /api/admin/dossiers/:userId', {
      params: { userId: other.id },
      query: { reason },
    })
    expect(status).toBe(400)
  })
})

describe('the figures', () => {
  it('the figures count what waits, how old it is, and what was decided', async () => {
    const before = (await admin.call('GET /api/admin/moderation/figures')).body
    const openUrgent = (figures: typeof before) =>
      figures.queues.find(({ kind, severity }) => kind === 'report' && severity === 'urgent')?.open ?? 0
    await receiptOf(await person(app), (await person(app)).id, { kind: 'profile' }, { reason: 'threats' })
    app.clock.advance(hours(0.25))
    const decided = await receiptOf(await person(app), (await person(app)).id)
    app.clock.advance(hours(0.1))
    await decide(admin, decided, { action: 'warn', ...told })
    const { body } = await admin.call('GET /api/admin/moderation/figures')
    expect(body.queues.map(({ kind, severity }) => `${kind} ${severity}`)).toEqual([
      ...[
        'report urgent',
        'report high',
        'report normal',
        'photo null',
        'verification null',
        'appeal null',
        'review null',
      ],
    ])
    expect(openUrgent(body)).toBe(openUrgent(before) + 1)
    const urgent = body.queues[0]
    expect(urgent?.oldestAge).toBeGreaterThanOrEqual(hours(0.35) / 1000 - 5)
    expect(body.weeks).toHaveLength(12)
    // A new week may have begun between the two responses.
    const warned = ({ weeks }: typeof before) => weeks.reduce((sum, week) => sum + week.warned, 0)
    expect(warned(body) - warned(before)).toBe(1)
    expect(body.decisions.map(({ severity }) => severity)).toEqual(['urgent', 'high', 'normal'])
    expect(body.decisions[2]?.medianTime).toBeGreaterThan(0)
  })
})

describe('the record', () => {
  it('the audit log can be filtered by actor, action and time, page by page, and lists the choices', {
    tags: 'long',
  }, async () => {
    const ben = await person(app)
    app.clock.advance(60_000)
    const from = app.clock.now().toISOString()
    await sanctioned(app, admin, ben.id)
    await sanctioned(app, admin, ben.id)
    app.clock.advance(60_000)
    const to = app.clock.now().toISOString()
    await sanctioned(app, other, ben.id)
    const list = (query: object) => admin.call('GET /api/admin/audit', { query })
    const action = 'report_decided'
    const one = (await list({ action, actor: admin.id, from, to, limit: 1 })).body
    expect(one.entries).toMatchObject([{ action, actor: { id: admin.id } }])
    const next = (await list({ action, actor: admin.id, from, to, limit: 1, cursor: one.nextCursor })).body
    expect(next).toMatchObject({ entries: [{ action, actor: { id: admin.id } }], nextCursor: null, choices: null })
    expect((await list({ action, from: to })).body.entries).toMatchObject([{ action, actor: { id: other.id } }])
    expect((await list({ actor: 'duet', limit: 50 })).body.entries.every(({ actor }) => actor === null)).toBe(true)
    expect(one.choices?.actors).toEqual(expect.arrayContaining([{ id: other.id, name: 'Second' }]))
    expect(one.choices?.actions).toEqual([...(one.choices?.actions ?? [])].sort())
    expect(one.choices?.actions).toContain(action)
    expect((await list({ action, to: '0000-01-01T00:00:00Z' })).body.entries).toEqual([])
    for (const wrong of [{ actor: 'me' }, { action: 'A b' }, { from: 'monday' }, { who: admin.id }])
      expect([wrong, (await list(wrong)).status]).toEqual([wrong, 400])
  })
})

describe('photos', () => {
  it('photos are reviewed by one administrator, recorded, and never by their owner', { tags: 'long' }, async () => {
    const [photo, own] = await Promise.all(
      [await person(app), admin].map(async (who) => {
        const sharp = (await import('sharp')).default
        const pixels = sharp({ create: { width: 240, height: 240, channels: 3, background: '#a63' } })
        const form = new FormData()
        form.append('file', new Blob([new Uint8Array(await pixels.jpeg().toBuffer())]), 'photo.jpg')
        return (
          (await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })).body.images[0] ?? ''
        )
      }),
    )
    const approve = (who: Person, fileName = '') =>
      who.call('PATCH /api/admin/photos/:fileName', { params: { fileName }, body: { state: 'approved' } })
    expect((await claim(other, 'photo', photo ?? '')).status).toBe(200)
    expect((await approve(admin, photo)).status).toBe(409)
    expect((await approve(other, photo)).status).toBe(200)
    expect(await newestEntry('photo_approved')).toMatchObject({ actor: { id: other.id }, target: { id: photo } })
    expect((await approve(admin, own)).status).toBe(403)
    const { body } = await admin.call('GET /api/admin/photos')
    expect(body.photos.some((one) => one.photo.fileName === own)).toBe(false)
    expect((await approve(other, own)).status).toBe(200)
  })
})

describe('rights', () => {
  it('revoking rights takes effect immediately, with sessions and claims, and is recorded', async () => {
    const third = await administrator(app, 'Third')
    const receipt = await receiptOf(await person(app), (await person(app)).id)
    await claim(third, 'report', receipt)
    await expect(transaction(app.platform, (tx) => revokeRights(tx, third.email))).rejects.toMatchObject({
      code: '42501',
    })
    const owner = connectOwner(ownerOf(app.platform), () => undefined)
    expect(await transaction({ ...app.platform, db: owner.db }, (tx) => revokeRights(tx, third.email))).toBe(true)
    await owner.pool.end()
    expect((await claim(admin, 'report', receipt)).status).toBe(200)
    const again = await signInAgain(app, third)
    expect([again.isSuperAdmin, (await again.call('GET /api/admin/photos')).status]).toEqual([false, 404])
    expect(await newestEntry('rights_revoked')).toMatchObject({ actor: null, target: { id: third.id } })
  })
})

it('suggested actions grow with severity and repetition', () => {
  const rows = (['normal', 'high', 'urgent'] as const).map((severity) =>
    [0, 1, 2, 9].map((n) => suggestAction(severity, n)),
  )
  expect(rows).toEqual([
    ['warn', 'restrict', 'suspend', 'ban'],
    ['restrict', 'suspend', 'ban', 'ban'],
    ['suspend', 'ban', 'ban', 'ban'],
  ])
})

it("strikes that were reversed, or are older than a year, don't count", { tags: 'long' }, async () => {
  const [ben] = (await people(app, 1)) as [Person]
  for (let n = 0; n < 3; n++) await sanctioned(app, admin, ben.id)
  const sanctions = (await ben.call('GET /api/standing')).body.sanctions
  const reason = 'The report was a mix-up of names.'
  await admin.call('POST /api/admin/sanctions/:id/lift', { params: { id: sanctions[0]?.id ?? '' }, body: { reason } })
  await app.platform.db
    .updateTable('sanctions')
    .set({ created_at: new Date(app.clock.now().getTime() - days(366)) })
    .where('id', '=', sanctions[1]?.id ?? '')
    .execute()
  const query = { reason: 'counting strikes' }
  const { body } = await admin.call('GET /api/admin/dossiers/:userId', { params: { userId: ben.id }, query })
  expect(body.strikes).toBe(1)
  expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: null })
})

it('other acts of administrators are recorded too: settings, models, and people they look up', async () => {
  const ben = await person(app)
  await admin.call('PATCH /api/admin/settings', { body: { dailyLikes: 77 } })
  expect(await newestEntry('settings_changed')).toMatchObject({ actor: { id: admin.id }, details: { dailyLikes: 77 } })
  await admin.call('PUT /api/admin/models/:version/active', { params: { version: '0' } } as never)
  expect(await newestEntry('model_used')).toMatchObject({ actor: { id: admin.id }, target: { kind: 'model', id: 0 } })
  await other.call('GET /api/admin/people', { query: { query: ben.email } })
  const entry = await newestEntry('people_viewed')
  expect(entry).toMatchObject({ actor: { id: other.id }, details: { ids: [ben.id] } })
  expect(JSON.stringify(entry)).not.toContain(ben.email)
})
