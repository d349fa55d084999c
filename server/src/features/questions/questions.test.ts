import { questionCatalogue } from '@duet/contract/question-catalogue.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { answersOf } from './questions.ts'
import { readSheet } from './sheet.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const [first, second] = questionCatalogue
const put = (viewer: Person, id: string, choice: string, accepts: string[], importance = 'somewhat' as const) =>
  viewer.call('PUT /api/questions/:id/answer', { params: { id }, body: { choice, accepts, importance } })
const answersTo = async (viewer: Person) => (await viewer.call('GET /api/questions')).body.answers

it('someone new gets the whole catalogue without answers', async () => {
  const viewer = await person(app)
  const { status, body } = await viewer.call('GET /api/questions')
  expect(status).toBe(200)
  expect(body.questions).toEqual(questionCatalogue)
  expect(body.answers).toEqual([])
})

it('an answer can be stored, replaced and deleted', async () => {
  const viewer = await person(app)
  const [one, two, three] = second.choices
  const given = await put(viewer, second.id, two, [three, two, two])
  expect(given.status).toBe(200)
  const kept = { question: second.id, choice: two, accepts: [two, three], importance: 'somewhat' }
  expect(given.body).toEqual(kept)
  expect(await answersTo(viewer)).toEqual([kept])
  await put(viewer, first.id, first.choices[0], [...first.choices])
  await put(viewer, second.id, one, [one])
  expect((await answersTo(viewer)).map(({ question, choice }) => [question, choice])).toEqual([
    [first.id, first.choices[0]],
    [second.id, one],
  ])
  for (let times = 0; times < 2; times++) {
    const gone = await viewer.call('DELETE /api/questions/:id/answer', { params: { id: first.id } })
    expect([gone.status, gone.body]).toEqual([200, { ok: true }])
  }
  expect((await answersTo(viewer)).map(({ question }) => question)).toEqual([second.id])
})

it('an answer that was never given can be deleted', async () => {
  const viewer = await person(app)
  const last = questionCatalogue.at(-1)?.id ?? ''
  expect((await viewer.call('DELETE /api/questions/:id/answer', { params: { id: last } })).status).toBe(200)
  await put(viewer, first.id, first.choices[0], [first.choices[0]])
  expect((await viewer.call('DELETE /api/questions/:id/answer', { params: { id: last } })).status).toBe(200)
  expect(await answersTo(viewer)).toHaveLength(1)
})

it('an irrelevant question needs no accepted choice', async () => {
  const viewer = await person(app)
  const body = { choice: first.choices[1], accepts: [], importance: 'irrelevant' as const }
  const { status } = await viewer.call('PUT /api/questions/:id/answer', { params: { id: first.id }, body })
  expect(status).toBe(200)
  expect(await answersTo(viewer)).toEqual([{ question: first.id, ...body }])
})

it('simultaneous answers are all stored', { tags: 'race' }, async () => {
  const viewer = await person(app)
  const some = questionCatalogue.filter((_, place) => place % 7 === 3)
  expect(some.length).toBeGreaterThanOrEqual(10)
  const given = await Promise.all(some.map(({ id, choices }) => put(viewer, id, choices[1], [choices[0]])))
  expect(given.map(({ status }) => status)).toEqual(some.map(() => 200))
  expect(await answersTo(viewer)).toEqual(
    some.map(({ id, choices }) => ({
      question: id,
      choice: choices[1],
      accepts: [choices[0]],
      importance: 'somewhat',
    })),
  )
})

it('everyone has their own answers, and ranking reads them as sheets', async () => {
  const [ana, ben, cas] = (await people(app, 3)) as [Person, Person, Person]
  await put(ana, first.id, first.choices[0], [first.choices[0]])
  await put(ben, second.id, second.choices[1], [second.choices[0]])
  expect(await answersTo(cas)).toEqual([])
  const sheets = await answersOf(app.platform.pool, [ana.id, ben.id, cas.id])
  expect([...sheets.keys()].sort()).toEqual([ana.id, ben.id].sort())
  expect(readSheet(sheets.get(ben.id) ?? new Uint8Array())).toEqual(await answersTo(ben))
  expect(await answersOf(app.platform.pool, [])).toEqual(new Map())
})

it.each(['nothing', '%00', '__proto__', 'x'.repeat(300)])('question %s is a 404', async (id) => {
  const viewer = await person(app)
  const path = `/api/questions/${id}/answer`
  const body = { choice: 'early', accepts: ['early'], importance: 'very' }
  expect((await viewer.send('PUT', path, body)).status).toBe(404)
  expect((await viewer.send('DELETE', path)).status).toBe(404)
})

const good = { choice: first.choices[0], accepts: [first.choices[0]], importance: 'very' }
it.each([
  ['no answer', undefined],
  ['a choice of another question', { ...good, choice: second.choices[0] }],
  ['no choice', { accepts: good.accepts, importance: 'very' }],
  ['a choice that is a number', { ...good, choice: 1 }],
  ['accepting what cannot be chosen', { ...good, accepts: ['nothing'] }],
  ['accepting nothing although it matters', { ...good, accepts: [] }],
  ['accepting a word', { ...good, accepts: first.choices[0] }],
  ['an unknown importance', { ...good, importance: 'mandatory' }],
  ['no importance', { choice: good.choice, accepts: good.accepts }],
  ['an unknown field', { ...good, note: 'hello' }],
  ['a list', [good]],
])('an update with %s is refused and changes nothing', async (_what, body) => {
  const viewer = await person(app)
  await put(viewer, first.id, first.choices[1], [first.choices[1]])
  const before = await answersTo(viewer)
  const { status } = await viewer.send('PUT', `/api/questions/${first.id}/answer`, body)
  expect(status).toBe(400)
  expect(await answersTo(viewer)).toEqual(before)
})

it('an error names the wrong field', async () => {
  const viewer = await person(app)
  const wrong = { ...good, choice: 'nothing', accepts: [first.choices[0], 'nothing'] }
  const { body } = await viewer.send('PUT', `/api/questions/${first.id}/answer`, wrong)
  expect((body.errors as { path: string }[]).map(({ path }) => path)).toEqual(['choice', 'accepts.1'])
})

it('answers need a token', async () => {
  const anonymous = caller(app.url)
  expect((await anonymous.call('GET /api/questions')).status).toBe(401)
  expect((await anonymous.send('PUT', `/api/questions/${first.id}/answer`, good)).status).toBe(401)
})

it('answers are deleted with the account', async () => {
  const viewer = await person(app)
  await put(viewer, first.id, first.choices[0], [first.choices[0]])
  await app.platform.db.deleteFrom('accounts').where('id', '=', viewer.id).execute()
  expect(await answersOf(app.platform.pool, [viewer.id])).toEqual(new Map())
})
