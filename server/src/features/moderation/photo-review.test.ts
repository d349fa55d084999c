import { afterAll, beforeAll, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { administrator, kindsFor, sanctioned, signInAgain, soon, standingOf } from '../reports/cases.test-reports.ts'
import {
  addPhoto,
  decide as decideSelfie,
  hasBadge,
  requestOf,
  send,
  shown,
  start,
} from '../verification/acts.test-verification.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app, 'First')
  other = await administrator(app, 'Second')
})
afterAll(() => app.close())

type State = 'approved' | 'rejected' | 'pending'
const nameOf = async (who: Person) => (await who.call('GET /api/user/myDetails')).body.images[0] ?? ''
const review = (by: Person, fileName: string, state: State, ground?: 'sexual_content' | 'fake_profile') =>
  by.call('PATCH /api/admin/photos/:fileName', { params: { fileName }, body: { state, ...(ground && { ground }) } })
const stateOf = async (who: Person) => (await who.call('GET /api/user/myDetails')).body.photos[0]?.state
const newest = async (who: Person) => (await standingOf(who)).sanctions[0]
const text = 'It is me on that photo, at the beach with my family.'
const answer = 'You are right, there is nothing wrong with that photo.'
async function appeal(who: Person) {
  const sanctionId = (await newest(who))?.id ?? ''
  expect((await who.call('POST /api/appeals', { body: { sanctionId, text } })).status).toBe(201)
  const { appeals } = (await other.call('GET /api/admin/appeals', { query: { limit: 50 } })).body
  return appeals.find((one) => one.person.id === who.id)
}
const dossierOf = async (who: Person) =>
  (
    await admin.call('GET /api/admin/dossiers/:userId', {
      params: { userId: who.id },
      query: { reason: 'counting strikes' },
    })
  ).body

it('a rejected photo has a ground, an email with reasons and an appeal that shows the photo, and is no strike', async () => {
  const me = await shown(app)
  const fileName = await nameOf(me)
  expect((await review(admin, fileName, 'rejected', 'sexual_content')).status).toBe(200)
  expect(await newest(me)).toMatchObject({
    ...{ kind: 'item_removed', item: 'photo', ground: 'sexual_content', automated: false },
    statement: 'A person reviewed one of your photos. It shows nudity or something sexual.',
  })
  expect(await kindsFor(me)).toEqual(expect.arrayContaining(['photo_rejected']))
  expect(await kindsFor(me)).not.toContain('sanctioned')
  const mail = await soon(() => app.mails.find(({ to, text: said }) => to === me.email && said.includes('nudity')))
  expect(mail.text).toContain('Only you can see one of your photos now.')
  expect((await dossierOf(me)).strikes).toBe(0)
  const found = await appeal(me)
  expect(found).toMatchObject({ photo: { fileName }, report: null })
  expect((await fetch(app.url + found?.photo?.url)).status).toBe(200)
  const decision = { params: { id: found?.id ?? '' }, body: { outcome: 'reversed', answer } } as const
  expect((await other.call('POST /api/admin/appeals/:id/decision', decision)).status).toBe(200)
  expect(await stateOf(me)).toBe('approved')
  expect((await review(admin, fileName, 'pending')).status).toBe(409)
})

it('a rejection without a ground still has reasons', async () => {
  const me = await shown(app)
  expect((await review(admin, await nameOf(me), 'rejected')).status).toBe(200)
  expect(await newest(me)).toMatchObject({ ground: 'other', statement: expect.stringContaining('isn’t suitable') })
})

it.each(['rejected', 'approved'] as const)(
  'only the reviewer undoes that a photo was %s, within a day',
  async (state) => {
    const [me, later] = [await shown(app), await shown(app)]
    for (const one of [me, later]) expect((await review(admin, await nameOf(one), state)).status).toBe(200)
    expect((await review(other, await nameOf(me), 'pending')).status).toBe(409)
    expect((await review(admin, await nameOf(me), 'pending')).status).toBe(200)
    expect(await stateOf(me)).toBe('pending')
    if (state === 'rejected') {
      expect(await newest(me)).toMatchObject({ liftedAs: 'lifted', appealUntil: null })
      expect(await kindsFor(me)).toContain('sanction_lifted')
    }
    const { photos } = (await admin.call('GET /api/admin/photos', { query: { limit: 50 } })).body
    expect(photos.map(({ owner }) => owner.id)).toContain(me.id)
    expect((await review(admin, await nameOf(me), 'pending')).status).toBe(409)
    expect((await review(admin, await nameOf(me), state)).status).toBe(200)
    const fileName = await nameOf(later)
    app.clock.advance(days(1) + 1_000)
    admin = await signInAgain(app, admin)
    other = await signInAgain(app, other)
    expect((await review(admin, fileName, 'pending')).status).toBe(409)
  },
)

it('undoing a rejection answers its appeal in the owner’s favour', async () => {
  const me = await shown(app)
  await review(admin, await nameOf(me), 'rejected')
  const found = await appeal(me)
  expect((await review(admin, await nameOf(me), 'pending')).status).toBe(200)
  expect(await newest(me)).toMatchObject({ appeal: { state: 'reversed' } })
  const decision = { params: { id: found?.id ?? '' }, body: { outcome: 'upheld', answer } } as const
  expect((await other.call('POST /api/admin/appeals/:id/decision', decision)).status).toBe(409)
})

it('an administrator’s photo can be rejected like any other', async () => {
  const third = await administrator(app, 'Third')
  await addPhoto(third)
  expect((await review(third, await nameOf(third), 'rejected')).status).toBe(403)
  expect((await review(admin, await nameOf(third), 'rejected', 'fake_profile')).status).toBe(200)
  expect(await stateOf(third)).toBe('rejected')
  expect((await review(admin, 'none.webp', 'pending')).status).toBe(404)
  expect((await person(app).then((one) => review(one, 'none.webp', 'pending'))).status).toBe(404)
})

it('an undo, or a successful appeal, restores the badge lost with a rejected photo', async () => {
  const me = await shown(app)
  const fileName = await nameOf(me)
  await start(me)
  await send(me)
  await decideSelfie(admin, (await requestOf(admin, me)).id)
  expect((await review(admin, fileName, 'rejected')).status).toBe(200)
  expect(await hasBadge(me)).toBe(false)
  expect((await review(admin, fileName, 'pending')).status).toBe(200)
  expect(await hasBadge(me)).toBe(true)
  await review(admin, fileName, 'rejected')
  const found = await appeal(me)
  const decision = { params: { id: found?.id ?? '' }, body: { outcome: 'reversed', answer } } as const
  expect((await other.call('POST /api/admin/appeals/:id/decision', decision)).status).toBe(200)
  expect(await hasBadge(me)).toBe(true)
})

it('many rejected photos leave a person’s earlier decisions on their list and in their dossier', async () => {
  const me = await person(app)
  await sanctioned(app, admin, me.id, { action: 'warn' })
  await app.platform.pool.query(
    `insert into sanctions (user_id, kind, ground, statement, automated, decided_by, is_strike, created_at)
     select $1, 'item_removed', 'other', 'Not suitable.', false, $2, false, $3::timestamptz + n * interval '1 ms'
     from generate_series(1, 100) n`,
    [me.id, admin.id, app.clock.now()],
  )
  const [{ sanctions }, dossier] = [await standingOf(me), await dossierOf(me)]
  for (const list of [sanctions, dossier.sanctions]) {
    expect(list.at(-1)?.kind).toBe('warning')
    expect(list[0]?.kind).toBe('item_removed')
  }
})
