import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { attachmentForm, jpeg } from '../../test/attachments.ts'
import { like } from '../../test/likes.ts'
import { type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const at = { latitude: 52.52, longitude: 13.405 }
const bread = { prompt: 'proud_of' as const, answer: 'My bread' }
const item = { kind: 'prompt' as const, prompt: 'proud_of' as const }

async function couple(): Promise<[ana: Person, ben: Person, fileName: string]> {
  const [ana, ben] = [await person(app, { name: 'Ana', at }), await person(app, { name: 'Ben', at })]
  const form = attachmentForm(await jpeg())
  const { body } = await ben.call('PATCH /api/user/:userId/image', { params: { userId: ben.id }, form })
  await ben.call('PATCH /api/user/updateUser', { body: { prompts: [bread] } })
  return [ana, ben, body.images[0] as string]
}
const matches = async (viewer: Person) => (await viewer.call('GET /api/matches')).body.matches
const likedOf = async (viewer: Person) => (await matches(viewer))[0]?.liked

it('both people of a match see what was liked, and who liked it', async () => {
  const [ana, ben] = await couple()
  const socket = await connect(app, ana)
  await like(ana, ben.id, { item, comment: 'Sourdough?' })
  const { body } = await like(ben, ana.id)
  const shown = { ...item, answer: 'My bread' }
  expect(body.match?.liked).toEqual({ mine: null, theirs: shown })
  expect((await socket.next('match')).liked).toEqual({ mine: shown, theirs: null })
  expect(await likedOf(ana)).toEqual({ mine: shown, theirs: null })
  expect(await likedOf(ben)).toEqual({ mine: null, theirs: shown })
})

it('the liked answer shows as it was until its owner removes it from their profile', { tags: 'long' }, async () => {
  const [ana, ben] = await couple()
  await like(ana, ben.id, { item })
  await like(ben, ana.id)
  const answer = (prompts: { prompt: 'proud_of' | 'green_flag'; answer: string }[]) =>
    ben.call('PATCH /api/user/updateUser', { body: { prompts } })
  await answer([{ ...bread, answer: 'My rye bread' }])
  expect((await likedOf(ana))?.mine).toEqual({ ...item, answer: 'My bread' })
  await answer([{ prompt: 'green_flag', answer: 'Bakers' }])
  for (const who of [ana, ben]) expect(await likedOf(who)).toEqual({ mine: null, theirs: null })
})

it('a liked photo shows as long as it exists', { tags: 'long' }, async () => {
  const [ana, ben, fileName] = await couple()
  await like(ana, ben.id, { item: { kind: 'photo', fileName } })
  await like(ben, ana.id)
  expect((await likedOf(ana))?.mine).toMatchObject({ kind: 'photo', photo: { fileName } })
  const theirs = (await likedOf(ben))?.theirs
  expect(theirs).toMatchObject({ kind: 'photo', photo: { fileName } })
  const url = theirs?.kind === 'photo' ? theirs.photo?.url : undefined
  expect((await fetch(app.url + url)).status).toBe(200)
  await ben.call('PATCH /api/user/deleteImage', { body: { imageFileName: fileName } })
  for (const who of [ana, ben]) expect(await likedOf(who)).toEqual({ mine: null, theirs: null })
})

it('nobody else sees the liked item, and neither of the two does after a block', { tags: 'long' }, async () => {
  const [ana, ben] = await couple()
  const cleo = await person(app, { name: 'Cleo', at })
  await like(ana, ben.id, { item })
  await like(ben, ana.id)
  await like(cleo, ben.id, { item })
  expect(await matches(cleo)).toEqual([])
  expect((await matches(ben)).map(({ user }) => user.id)).toEqual([ana.id])
  await ben.call('PUT /api/blocks/:userId', { params: { userId: ana.id } })
  for (const who of [ana, ben]) expect(await matches(who)).toEqual([])
})
