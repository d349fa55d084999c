import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { addOne, fetchFrom, noisyJpeg, photoForm, storedFiles, uploadPhotos } from '../../test/photos.ts'
import { photosOf, photosWaiting, reviewPhoto } from './photos.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const get = (url: string) => fetchFrom(app, url)

describe('seeing photos', () => {
  test("a photo's URL works for its viewer, but not when changed or expired", async () => {
    const [mina, jun] = [await person(app), await person(app)]
    await addOne(mina)
    const photo = (await photosOf(app.platform, jun.id, [mina.id])).get(mina.id)?.[0]
    const url = photo?.url ?? ''
    expect((await get(url)).status).toBe(200)
    expect((await get(url.replace(jun.id, mina.id))).status).toBe(403)
    expect((await get(url.replace(/expires=\d+/, 'expires=99999999999'))).status).toBe(403)
    expect((await get(url.replace(/signature=.*/, 'signature='))).status).toBe(403)
    expect((await get(`/media/${photo?.fileName}`)).status).toBe(403)
    expect((await get('/media/..%2f..%2fsecret-key')).status).toBe(404)
    app.clock.advance(66 * 60_000)
    const expired = await get(url)
    expect(expired.status).toBe(403)
    expect(expired.headers.get('content-type')).toContain('problem+json')
  })

  test('URLs stay the same for a while, so that browsers can cache photos', { tags: 'long' }, async () => {
    const [mina, jun] = [await person(app), await person(app)]
    await addOne(mina)
    app.clock.advance(300_000 - (app.clock.now().getTime() % 300_000) + 1_000)
    const before = await photosOf(app.platform, jun.id, [mina.id])
    app.clock.advance(240_000)
    expect(await photosOf(app.platform, jun.id, [mina.id])).toEqual(before)
  })

  test('a block hides photos immediately, in both directions', async () => {
    const [mina, jun] = [await person(app), await person(app)]
    const own = await addOne(mina)
    const url = (await photosOf(app.platform, jun.id, [mina.id])).get(mina.id)?.[0]?.url ?? ''
    await mina.call('PUT /api/blocks/:userId', { params: { userId: jun.id } })
    expect((await get(url)).status).toBe(404)
    expect(await photosOf(app.platform, jun.id, [mina.id])).toEqual(new Map())
    expect((await get(own.url)).status).toBe(200)
  })

  test("a photo's URL stops working once its viewer has signed out everywhere", { tags: 'long' }, async () => {
    const [mina, jun] = [await person(app), await person(app)]
    const { url: own } = await addOne(mina)
    const [seen] = (await jun.call('GET /api/user/:id', { params: { id: mina.id } })).body.photos
    const url = seen?.url ?? ''
    expect([(await get(url)).status, (await get(own)).status]).toEqual([200, 200])
    await jun.call('POST /api/user/signOutEverywhere')
    expect([(await get(url)).status, (await get(own)).status]).toEqual([404, 200])
  })

  test('a removed photo is gone for everyone, with its files', async () => {
    const mina = await person(app)
    const files = await storedFiles(app)
    const { fileName, url } = await addOne(mina)
    expect(await storedFiles(app)).toBe(files + 3)
    const stranger = await person(app)
    const remove = (who: Person, imageFileName: string) =>
      who.call('PATCH /api/user/deleteImage', { body: { imageFileName } })
    expect((await remove(stranger, fileName)).status).toBe(404)
    expect((await remove(mina, '../../secret-key')).status).toBe(404)
    const { status, body } = await remove(mina, fileName)
    expect([status, body.images]).toEqual([200, []])
    expect((await get(url)).status).toBe(404)
    expect(await storedFiles(app)).toBe(files)
    expect((await remove(mina, fileName)).status).toBe(404)
  })
})

describe('arranging and describing', () => {
  test('photos can be reordered, but only with exactly the existing ones', async () => {
    const mina = await person(app)
    for (let i = 0; i < 3; i++) await addOne(mina)
    const { images } = (await mina.call('GET /api/user/myDetails')).body
    const order = [images[2], images[0], images[1]] as string[]
    const changed = await mina.call('PATCH /api/user/updateUser', { body: { images: order } })
    expect(changed.body.images).toEqual(order)
    for (const wrong of [order.slice(1), [...order, order[0] as string], [order[0], order[0], order[1]] as string[]]) {
      expect((await mina.call('PATCH /api/user/updateUser', { body: { images: wrong } })).status).toBe(400)
    }
  })

  test('only the owner can describe a photo', async () => {
    const [mina, jun] = [await person(app), await person(app)]
    const { fileName } = await addOne(mina)
    const describe = (who: Person) =>
      who.call('PATCH /api/photos/:fileName', { params: { fileName }, body: { alt: 'Me on a bridge' } })
    expect((await describe(jun)).status).toBe(404)
    expect((await describe(mina)).body.photos[0]?.alt).toBe('Me on a bridge')
  })
})

describe('reviewing', () => {
  const review = (reviewer: Person, fileName: string, state: 'approved' | 'rejected') =>
    transaction(app.platform, (tx) => reviewPhoto(tx, reviewer.id, fileName, state))
  const seen = async (viewer: Person, owner: Person) =>
    (await photosOf(app.platform, viewer.id, [owner.id])).get(owner.id)?.length ?? 0

  test("only the owner sees a rejected photo, and the decision can't be changed", { tags: 'long' }, async () => {
    const [mina, jun, reviewer] = [await person(app), await person(app), await person(app)]
    const { fileName, url } = await addOne(mina)
    expect(await seen(jun, mina)).toBe(1)
    expect((await photosWaiting(app.platform, reviewer.id, undefined, 50)).map(({ row }) => row.file_name)).toContain(
      fileName,
    )
    await review(reviewer, fileName, 'rejected')
    expect([await seen(jun, mina), await seen(mina, mina)]).toEqual([0, 1])
    expect((await get(url)).status).toBe(200)
    await expect(review(reviewer, fileName, 'approved')).rejects.toMatchObject({ code: 'conflict' })
    await expect(review(reviewer, 'nothing.webp', 'approved')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('when photos are reviewed first, others see one once it is approved', { tags: 'long' }, async () => {
    const careful = await startTestApp({ PHOTO_REVIEW: 'before' })
    try {
      const [mina, jun] = [await person(careful), await person(careful)]
      const { body } = await uploadPhotos(mina, photoForm(['file', await noisyJpeg()]))
      expect(body.photos[0]).toMatchObject({ state: 'pending', visible: false })
      const look = async () => (await photosOf(careful.platform, jun.id, [mina.id])).size
      expect(await look()).toBe(0)
      await transaction(careful.platform, (tx) => reviewPhoto(tx, jun.id, body.images[0] as string, 'approved'))
      expect(await look()).toBe(1)
    } finally {
      await careful.close()
    }
  })
})
