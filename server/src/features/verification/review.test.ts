import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { sanction } from '../sanctions/sanctions.ts'
import {
  addPhoto,
  decide,
  hasBadge,
  look,
  queue,
  requestOf,
  reviewer,
  selfieFiles,
  send,
  start,
  stateOf,
  toldOf,
  verified,
  waiting,
} from './acts.test-verification.ts'
import { revokeVerification } from './badge.ts'

let app: TestApp
let admin: Person
let second: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await reviewer(app)
  second = await reviewer(app)
})
afterAll(() => app.close())

const logged = async (userId: string) => {
  const rows = await app.platform.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason', 'target'])
    .orderBy('seq')
    .execute()
  return rows.filter(({ target }) => (target as { id?: string }).id === userId)
}

describe('the queue', () => {
  it('the queue shows the pose and photos side by side, oldest first, page by page', { tags: 'long' }, async () => {
    const people = [await waiting(app, 'One'), await waiting(app, 'Two'), await waiting(app, 'Three')]
    const [one] = people as [Person]
    const other = await addPhoto(one)
    const found = (await queue(admin, 1)).filter(({ user }) => people.some(({ id }) => id === user.id))
    expect(found.map(({ user }) => user.name)).toEqual(['One', 'Two', 'Three'])
    expect(found[0]?.photos.map(({ fileName }) => fileName)).toEqual([...one.images, expect.any(String), other])
    const url = found[0]?.photos[0]?.url ?? ''
    expect((await fetch(app.url + url)).status).toBe(200)
    expect(Object.keys(found[0] ?? {}).sort()).toEqual(['claim', 'id', 'photos', 'pose', 'submittedAt', 'user'])
  })

  it('the queue leaves out rejected photos', { tags: 'long' }, async () => {
    const me = await waiting(app)
    const second = await addPhoto(me)
    await admin.call('PATCH /api/admin/photos/:fileName', {
      params: { fileName: second },
      body: { state: 'rejected' },
    })
    expect((await requestOf(admin, me)).photos).toHaveLength(1)
  })

  it('only administrators see the queue, and never themselves in it', async () => {
    const me = await waiting(app)
    expect((await me.call('GET /api/admin/verifications')).status).toBe(404)
    expect((await caller(app.url).call('GET /api/admin/verifications')).status).toBe(401)
    await addPhoto(second)
    await start(second)
    await send(second)
    const { id } = await requestOf(admin, second)
    expect((await queue(second)).some(({ user }) => user.id === second.id)).toBe(false)
    expect((await look(second, id)).status).toBe(403)
    expect((await decide(second, id)).status).toBe(403)
    expect(await hasBadge(second)).toBe(false)
  })
})

it('nobody gets the badge after deleting all their photos', { tags: 'long' }, async () => {
  const me = await waiting(app)
  const { images } = (await me.call('GET /api/user/myDetails')).body
  for (const imageFileName of images) await me.call('PATCH /api/user/deleteImage', { body: { imageFileName } })
  expect((await decide(admin, (await requestOf(admin, me)).id)).status).toBe(409)
  expect(await hasBadge(me)).toBe(false)
  expect((await decide(admin, (await requestOf(admin, me)).id, 'rejected', 'other')).status).toBe(200)
})

describe('the selfie', () => {
  it('only administrators see a selfie, not by URL, and every view is recorded', async () => {
    const me = await waiting(app)
    const { id } = await requestOf(admin, me)
    const { status, body, headers } = await look(admin, id)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const bytes = Buffer.from(body.selfie.split(',')[1] ?? '', 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 240, height: 300 })
    for (const who of [me, await person(app)]) expect((await look(who, id)).status).toBe(404)
    expect((await look({ ...me, ...caller(app.url) }, id)).status).toBe(401)
    expect(await logged(me.id)).toMatchObject([{ action: 'selfie_viewed', actor_id: admin.id }])
  })

  it('viewing a selfie claims it for ten minutes, in which no other administrator can view or decide', async () => {
    const me = await waiting(app)
    const { id, claim } = await requestOf(admin, me)
    expect(claim).toBeNull()
    await look(admin, id)
    expect((await requestOf(second, me)).claim?.by.id).toBe(admin.id)
    expect((await look(second, id)).status).toBe(409)
    expect((await decide(second, id)).status).toBe(409)
    await admin.call('DELETE /api/admin/claims/:kind/:id', { params: { kind: 'verification', id } })
    expect((await look(second, id)).status).toBe(200)
    expect((await decide(second, id)).status).toBe(200)
  })

  it("a selfie isn't served under its file name", async () => {
    const me = await waiting(app)
    const { file_name: name } = await app.platform.db
      .selectFrom('verifications')
      .select('file_name')
      .where('user_id', '=', me.id)
      .executeTakeFirstOrThrow()
    for (const path of [`/media/${name}`, `/media/verification/${name}`, `/media/evidence/${name}`]) {
      expect((await fetch(app.url + path)).status).toBe(404)
    }
  })

  it.each(['unknown', randomUUID(), '../1'])('the selfie of request %s is not found', async (id) => {
    expect((await look(admin, id)).status).toBe(404)
    expect((await decide(admin, id)).status).toBe(404)
  })
})

describe('a decision', () => {
  it('an approval gives the badge, shows it to others, deletes the selfie, notifies the person and is recorded', async () => {
    const before = await selfieFiles(app)
    const [me, other] = [await waiting(app), await person(app)]
    const { id } = await requestOf(admin, me)
    expect((await decide(admin, id)).body).toEqual({ ok: true })
    expect(await selfieFiles(app)).toEqual(before)
    expect(await stateOf(me)).toEqual({ state: 'approved', verifiedAt: expect.any(String) })
    expect((await other.call('GET /api/user/:id', { params: { id: me.id } })).body.verified).toBe(true)
    expect(await toldOf(me)).toMatchObject([{ kind: 'verification_approved', link: '/settings/profile' }])
    expect(await logged(me.id)).toMatchObject([{ action: 'verification_approved', actor_id: admin.id, reason: '' }])
    expect((await look(admin, id)).status).toBe(404)
  })

  it('a rejection gives a kind reason, deletes the selfie and allows another try', async () => {
    const before = await selfieFiles(app)
    const me = await waiting(app)
    const { id } = await requestOf(admin, me)
    expect((await decide(admin, id, 'rejected')).status).toBe(400)
    expect((await decide(admin, id, 'rejected', 'wrong_pose')).status).toBe(200)
    expect(await selfieFiles(app)).toEqual(before)
    expect(await stateOf(me)).toEqual({ state: 'rejected', reason: 'wrong_pose' })
    expect(await hasBadge(me)).toBe(false)
    const [told] = await toldOf(me)
    expect(told).toMatchObject({ kind: 'verification_rejected', params: { reason: 'wrong_pose' } })
    expect(told?.message).toContain('pose')
    expect(await logged(me.id)).toMatchObject([{ action: 'verification_rejected', reason: 'wrong_pose' }])
    expect((await start(me)).status).toBe(201)
  })

  it('of two simultaneous decisions, one gets a conflict', { tags: ['long', 'race'] }, async () => {
    const me = await waiting(app)
    const { id } = await requestOf(admin, me)
    const answers = await Promise.all([decide(admin, id), decide(second, id, 'rejected', 'unclear')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await toldOf(me)).toHaveLength(1)
    expect(await hasBadge(me)).toBe((await stateOf(me)).state === 'approved')
    expect((await decide(second, id)).body.code).toBe('conflict')
  })

  it("nobody can decide about a photo that the reviewer hasn't seen", { tags: 'long' }, async () => {
    const me = await waiting(app)
    const { id, photos } = await requestOf(admin, me)
    const other = await addPhoto(me)
    await me.call('PATCH /api/user/updateUser', { body: { images: [other, photos[0]?.fileName ?? ''] } })
    expect((await decide(admin, id)).status).toBe(404)
    expect(await hasBadge(me)).toBe(false)
    const now = await requestOf(admin, me)
    expect(now.photos[0]?.fileName).toBe(other)
    expect((await decide(admin, now.id)).status).toBe(200)
  })
})

describe('the badge', () => {
  const arrange = (who: Person, images: string[]) => who.call('PATCH /api/user/updateUser', { body: { images } })
  const imagesOf = async (who: Person) => (await who.call('GET /api/user/myDetails')).body.images
  const lost = async (who: Person) => {
    expect(await hasBadge(who)).toBe(false)
    expect(await stateOf(who)).toEqual({ state: 'none' })
    expect((await toldOf(who)).map(({ kind }) => kind)).toEqual(['verification_lost', 'verification_approved'])
  }

  it('the badge stays when other photos are added, deleted, described or reordered', { tags: 'long' }, async () => {
    const me = await verified(app, admin)
    const [two, three] = [await addPhoto(me), await addPhoto(me)]
    const [main = ''] = await imagesOf(me)
    await arrange(me, [main, three, two])
    await me.call('PATCH /api/photos/:fileName', { params: { fileName: main }, body: { alt: 'Me' } })
    await me.call('PATCH /api/user/deleteImage', { body: { imageFileName: two } })
    expect(await hasBadge(me)).toBe(true)
    expect(await toldOf(me)).toHaveLength(1)
  })

  it('the badge is lost when another photo becomes the first', async () => {
    const me = await verified(app, admin)
    await addPhoto(me)
    await arrange(me, (await imagesOf(me)).toReversed())
    await lost(me)
  })

  it('the badge is lost when the first photo is deleted, even the only one', { tags: 'long' }, async () => {
    for (const more of [0, 1]) {
      const me = await verified(app, admin)
      for (let added = 0; added < more; added++) await addPhoto(me)
      const [imageFileName = ''] = await imagesOf(me)
      await me.call('PATCH /api/user/deleteImage', { body: { imageFileName } })
      await lost(me)
    }
  })

  it('the badge is lost when a review rejects the first photo', { tags: 'long' }, async () => {
    const me = await verified(app, admin)
    const [fileName = ''] = await imagesOf(me)
    await admin.call('PATCH /api/admin/photos/:fileName', { params: { fileName }, body: { state: 'rejected' } })
    await lost(me)
  })

  it('revoking takes the badge, and any open request, of someone who turned out to be another person', {
    tags: 'long',
  }, async () => {
    const before = await selfieFiles(app)
    for (const who of [await verified(app, admin), await waiting(app)]) {
      await transaction(app.platform, (tx) => revokeVerification(tx, who.id))
      expect(await hasBadge(who)).toBe(false)
      expect(await stateOf(who)).toEqual({ state: 'none' })
    }
    expect(await selfieFiles(app)).toEqual(before)
  })

  it("a sanction for a false profile takes the badge, and others don't", { tags: 'long' }, async () => {
    const [one, other] = [await verified(app, admin), await verified(app, admin)]
    const given = { kind: 'warning', statement: 'As told.', decidedBy: admin.id } as const
    await transaction(app.platform, (tx) => sanction(tx, { ...given, userId: one.id, ground: 'fake_profile' }))
    await transaction(app.platform, (tx) => sanction(tx, { ...given, userId: other.id, ground: 'spam' }))
    expect([await hasBadge(one), await hasBadge(other)]).toEqual([false, true])
  })

  it('the badge returns when the last such sanction is reversed, but only with the photo it was about', {
    tags: 'long',
  }, async () => {
    const given = { kind: 'warning', statement: 'As told.', decidedBy: null, ground: 'fake_profile' } as const
    const warn = (who: Person) => transaction(app.platform, (tx) => sanction(tx, { ...given, userId: who.id }))
    const lift = (id: string) =>
      admin.call('POST /api/admin/sanctions/:id/lift', { params: { id }, body: { reason: 'It is them after all.' } })
    const [one, other] = [await verified(app, admin), await verified(app, admin)]
    const twice = [await warn(one), await warn(one)]
    await lift(twice[0] ?? '')
    expect([await hasBadge(one), (await stateOf(one)).state]).toEqual([false, 'none'])
    await lift(twice[1] ?? '')
    expect([await hasBadge(one), (await stateOf(one)).state]).toEqual([true, 'approved'])
    const id = await warn(other)
    const second = await addPhoto(other)
    await arrange(other, [second, ...(await imagesOf(other)).filter((name) => name !== second)])
    await lift(id)
    expect([await hasBadge(other), (await stateOf(other)).state]).toEqual([false, 'none'])
  })

  it("people can't set the badge themselves", async () => {
    const me = await person(app)
    expect((await me.send('PATCH', '/api/user/updateUser', { verified: true })).status).toBe(400)
  })

  it('people with the badge can change photos at the same time as others', { tags: 'long' }, async () => {
    const me = await verified(app, admin)
    for (let added = 0; added < 4; added++) await addPhoto(me)
    for (let round = 0; round < 3; round++) {
      const images = await imagesOf(me)
      const [, second = '', , last = ''] = images
      const answers = await Promise.all([
        arrange(me, images.toReversed()),
        me.call('PATCH /api/photos/:fileName', { params: { fileName: second }, body: { alt: `Round ${round}` } }),
        admin.call('PATCH /api/admin/photos/:fileName', { params: { fileName: last }, body: { state: 'approved' } }),
        arrange(me, images),
        me.call('PATCH /api/user/deleteImage', { body: { imageFileName: images.at(-1) ?? '' } }),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    }
  })

  it('nobody gets the badge when their first photo is deleted at the same moment', {
    tags: ['long', 'race'],
  }, async () => {
    for (let round = 0; round < 5; round++) {
      const me = await waiting(app)
      const { id, photos } = await requestOf(admin, me)
      await Promise.all([
        decide(admin, id),
        me.call('PATCH /api/user/deleteImage', { body: { imageFileName: photos[0]?.fileName ?? '' } }),
      ])
      expect(await hasBadge(me)).toBe(false)
    }
  })
})
