import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { readContent } from '../data-rights/export-content.ts'
import { addPhoto } from '../verification/acts.test-verification.ts'
import { receiptOf } from './acts.test-reports.ts'
import { administrator, decide, standingOf, told } from './cases.test-reports.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await administrator(app)
})
afterAll(() => app.close())

const rude = { name: 'Rude', genderText: 'Rude', pronouns: 'rude/rude', bio: 'Rude' }
async function rudePerson(): Promise<Person & { photo: string }> {
  const who = await person(app, { name: rude.name, bio: rude.bio })
  await who.call('PATCH /api/user/updateUser', { body: rude })
  const photo = await addPhoto(who)
  await who.send('PATCH', `/api/photos/${photo}`, { alt: 'Rude' })
  return { ...who, photo }
}
const wordsOf = async (who: Person) => {
  const { name, genderText, pronouns, bio, photos } = (await who.call('GET /api/user/myDetails')).body
  return { name, genderText, pronouns, bio, alt: photos[0]?.alt }
}
const remove = async (who: Person, parts?: string[]) =>
  decide(admin, await receiptOf(await person(app), who.id), { action: 'remove_item', ...told, ...(parts && { parts }) })
async function lift(who: Person) {
  const id = (await standingOf(who)).sanctions[0]?.id ?? ''
  const reason = 'The report was a mix-up of names.'
  return admin.call('POST /api/admin/sanctions/:id/lift', { params: { id }, body: { reason } })
}

it('a name, gender, pronouns and photo descriptions can be removed and restored', async () => {
  const who = await rudePerson()
  const parts = ['name', 'genderText', 'pronouns', 'descriptions']
  expect((await remove(who, parts)).status).toBe(200)
  const none = { name: 'Someone', genderText: '', pronouns: '', alt: '' }
  expect(await wordsOf(who)).toEqual({ ...none, bio: 'Rude' })
  expect((await remove(who, parts)).status).toBe(409)
  expect((await lift(who)).status).toBe(200)
  expect(await wordsOf(who)).toEqual({ ...rude, alt: 'Rude' })
})

it('without parts, only the profile texts are removed', async () => {
  const who = await rudePerson()
  expect((await remove(who)).status).toBe(200)
  expect(await wordsOf(who)).toEqual({ ...rude, bio: '', alt: 'Rude' })
  for (const parts of [[], ['birthDate'], 'name']) expect((await remove(who, parts as string[])).status).toBe(400)
})

it("a reversal doesn't overwrite new texts, and restores gender only with a new consent", async () => {
  const who = await rudePerson()
  expect((await remove(who, ['name', 'genderText'])).status).toBe(200)
  await who.call('PATCH /api/user/updateUser', { body: { name: 'Mina' } })
  await who.call('PUT /api/consents', { body: { purpose: 'sensitive', granted: false } })
  await lift(who)
  expect(await wordsOf(who)).toMatchObject({ name: 'Mina', genderText: '' })
})

it('removed gender and pronouns are deleted when the consent is withdrawn', async () => {
  const who = await rudePerson()
  expect((await remove(who, ['genderText', 'pronouns', 'bio'])).status).toBe(200)
  const kept = async () => (await readContent(app.platform.db, who.id)).sanctions?.map(({ takenAway }) => takenAway)
  const rest = { kind: 'profile', bio: 'Rude', prompts: [] }
  expect(await kept()).toEqual([{ ...rest, genderText: 'Rude', pronouns: 'rude/rude' }])
  await who.call('PUT /api/consents', { body: { purpose: 'sensitive', granted: false } })
  expect(await kept()).toEqual([rest])
})
