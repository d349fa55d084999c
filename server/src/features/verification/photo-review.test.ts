import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { notePhotoReview } from '../photos/photos.ts'
import { receiptOf } from '../reports/acts.test-reports.ts'
import { decide as decideReport, standingOf, told } from '../reports/cases.test-reports.ts'
import {
  addPhoto,
  decide,
  hasBadge,
  requestOf,
  reviewer,
  send,
  start,
  stateOf,
  toldOf,
} from './acts.test-verification.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp({ PHOTO_REVIEW: 'before' })
  admin = await reviewer(app)
})
afterAll(() => app.close())

const review = (fileName: string, state: 'approved' | 'pending') =>
  admin.call('PATCH /api/admin/photos/:fileName', { params: { fileName }, body: { state } })
const approve = (fileName: string) => review(fileName, 'approved')
const reorder = (who: Person, images: string[]) => who.call('PATCH /api/user/updateUser', { body: { images } })

it('when photos are reviewed first, a selfie is compared with the photo that others see', async () => {
  const me = await person(app)
  const other = await person(app)
  const first = await addPhoto(me)
  expect((await start(me)).status).toBe(409)
  await approve(first)
  const second = await addPhoto(me)
  await reorder(me, [second, first])
  expect([(await start(me)).status, (await send(me)).status]).toEqual([201, 200])
  const { id, photos } = await requestOf(admin, me)
  const seen = async () => (await other.call('GET /api/user/:id', { params: { id: me.id } })).body.photos
  expect(photos.map(({ fileName }) => fileName)).toEqual([first])
  expect((await seen()).map(({ fileName }) => fileName)).toEqual([first])
  await decide(admin, id)
  expect(await hasBadge(me)).toBe(true)
  await approve(second)
  expect([await hasBadge(me), (await seen())[0]?.fileName]).toEqual([false, second])
})

it.each(['an approval', 'the undo of an approval'])('%s that moves the badge notifies its owner', async (by) => {
  const me = await person(app)
  const first = await addPhoto(me)
  await approve(first)
  const second = await addPhoto(me)
  if (by !== 'an approval') {
    await reorder(me, [second, first])
    await approve(second)
  }
  await start(me)
  await send(me)
  await decide(admin, (await requestOf(admin, me)).id)
  if (by === 'an approval') await reorder(me, [second, first])
  expect(await hasBadge(me)).toBe(true)
  await (by === 'an approval' ? approve(second) : review(second, 'pending'))
  expect(await hasBadge(me)).toBe(false)
  expect((await toldOf(me)).map(({ kind }) => kind)).toContain('verification_lost')
})

it('restoring a photo that moves the badge notifies its owner', async () => {
  const me = await person(app)
  const first = await addPhoto(me)
  await approve(first)
  const removal = { action: 'remove_item', ...told }
  const receipt = await receiptOf(await person(app), me.id, { kind: 'photo', fileName: first })
  expect((await decideReport(admin, receipt, removal)).status).toBe(200)
  const second = await addPhoto(me)
  await approve(second)
  await start(me)
  await send(me)
  await decide(admin, (await requestOf(admin, me)).id)
  expect(await hasBadge(me)).toBe(true)
  const id = (await standingOf(me)).sanctions[0]?.id ?? ''
  const body = { reason: 'The report was a mix-up of names.' }
  expect((await admin.call('POST /api/admin/sanctions/:id/lift', { params: { id }, body })).status).toBe(200)
  expect(await hasBadge(me)).toBe(false)
  expect((await toldOf(me)).map(({ kind }) => kind)).toContain('verification_lost')
})

it('changing PHOTO_REVIEW removes badges of people whose first visible photo changes', async () => {
  const me = await person(app)
  const first = await addPhoto(me)
  await approve(first)
  await start(me)
  await send(me)
  await decide(admin, (await requestOf(admin, me)).id)
  await reorder(me, [await addPhoto(me), first])
  expect(await hasBadge(me)).toBe(true)
  const config = { ...app.platform.config, photoReview: 'after' } as const
  await notePhotoReview({ ...app.platform, config })
  expect([await hasBadge(me), (await stateOf(me)).state]).toEqual([false, 'none'])
  await notePhotoReview(app.platform)
})

it('a photo that nobody sees yet neither lets a stranger write nor can be liked', async () => {
  const at = ownPlace()
  const [me, you] = [await person(app, { at }), await person(app, { at })]
  const photo = await addPhoto(me)
  const may = async () =>
    (await app.platform.pool.query<{ may: boolean }>(`select may_begin($1, $2, 'with_photo') as may`, [me.id, you.id]))
      .rows[0]?.may
  const decision = { decision: 'like', item: { kind: 'photo', fileName: photo } } as const
  const like = async () =>
    (await you.call('PUT /api/decisions/:userId', { params: { userId: me.id }, body: decision })).status
  expect([await may(), await like()]).toEqual([false, 400])
  await approve(photo)
  expect([await may(), await like()]).toEqual([true, 200])
})
