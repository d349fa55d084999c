import { questionCatalogue } from '@duet/contract/question-catalogue.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { drawBelow, seededRandom } from '../../platform/random.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { forgetTold } from '../questions/told-sheets.ts'
import { shownBy } from './told-sheets.ts'

let database: TestDatabase
let app: TestApp
let other: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  app = await startTestApp({}, { database })
  other = await startTestApp({}, { database })
})
afterAll(async () => {
  await other.close()
  await app.close()
  await database.drop()
})

const questionAt = (place: number) => questionCatalogue[place] as (typeof questionCatalogue)[number]

/** Answers the question at `place` with one choice, and accepts only that choice. */
async function answer(who: Person, place: number, choice = 0): Promise<void> {
  const { id, choices } = questionAt(place)
  const chosen = choices[choice] as string
  const body = { choice: chosen, accepts: [chosen], importance: 'very' as const }
  expect((await who.call('PUT /api/questions/:id/answer', { params: { id }, body })).status).toBe(200)
}
const take = (who: Person, place: number) =>
  who.call('DELETE /api/questions/:id/answer', { params: { id: questionAt(place).id } })
const told = async (viewer: Pick<Person, 'call'>, id: string) => {
  const { questions, why } = (await viewer.call('GET /api/user/:id', { params: { id } })).body
  return { ...questions, why: why.filter(({ kind }) => kind === 'questions') }
}
/** Creates two people near each other who agree on the first `answers` questions. */
async function twoWho(answers: number, more = 0): Promise<[Person, Person]> {
  const at = ownPlace()
  const [ana, ben] = [await person(app, { at }), await person(app, { at })]
  for (let place = 0; place < answers + more; place++) await answer(ben, place)
  for (let place = 0; place < answers; place++) await answer(ana, place)
  return [ana, ben]
}
const onOther = (who: Person) => caller(other.url, who.token)

it('all nodes show the same agreement after an answer changes, even a node that has never shown it', async () => {
  const [ana, ben] = await twoWho(6)
  const before = await told(ana, ben.id)
  expect(before).toMatchObject({ agreed: 6, asked: 6 })
  await answer(ana, 0, 1)
  expect(await told(onOther(ana), ben.id)).toEqual(before)
  expect(await told(onOther(ben), ana.id)).toEqual(await told(ben, ana.id))
  for (const place of [1, 2]) await take(ana, place)
  expect(await told(onOther(ana), ben.id)).toEqual(before)
})

it('five more answers change nothing unless the other person has answered them as well', async () => {
  const [ana, ben] = await twoWho(6, 6)
  const before = await told(ana, ben.id)
  await answer(ana, 0, 1)
  for (let place = 20; place < 25; place++) await answer(ana, place)
  expect(await told(ana, ben.id)).toEqual(before)
  for (let place = 6; place < 10; place++) await answer(ana, place)
  expect(await told(ana, ben.id)).toEqual(before)
  await answer(ana, 10)
  expect(await told(ana, ben.id)).toMatchObject({ agreed: 10, asked: 11 })
})

it('answers that are withdrawn and given again reveal nothing until the next day', async () => {
  const [ana, ben] = await twoWho(6)
  expect(await told(ana, ben.id)).toMatchObject({ asked: 6 })
  const consent = (granted: boolean) => ana.call('PUT /api/consents', { body: { purpose: 'sensitive', granted } })
  for (let times = 0; times < 2; times++) {
    await consent(false)
    await consent(true)
    for (let place = 0; place < 6; place++) await answer(ana, place, place === 0 ? 1 : 0)
    expect(await told(ana, ben.id)).toMatchObject({ agreed: 0, asked: 0, why: [] })
  }
  for (const node of [app, other]) node.clock.advance(days(1))
  expect(await told(ana, ben.id)).toMatchObject({ agreed: 5, asked: 6 })
  await forgetTold(app.platform)
  const { rows } = await app.platform.pool.query('select from told_sheets')
  expect(rows).toEqual([])
})

it('over random changes, each new agreement has five more questions in common', async () => {
  const random = seededRandom(5)
  const [ana, ben] = await twoWho(5, 20)
  let before = await told(ana, ben.id)
  for (let step = 0; step < 60; step++) {
    const place = drawBelow(random, 30)
    if (random() < 0.2) await take(ana, place)
    else await answer(ana, place, drawBelow(random, 2))
    if (random() < 0.2) continue
    const now = await told(random() < 0.5 ? ana : onOther(ana), ben.id)
    if (now.asked < before.asked + 5) expect(now).toEqual(before)
    before = now
  }
  expect(before.asked).toBeGreaterThanOrEqual(10)
})

it('two people whose sheets were stored at the same moment see the same agreement', () => {
  const sheet = (first: number, count: number) => {
    const bytes = new Uint8Array(60)
    for (let place = first; place < first + count; place++) bytes[2 * place] = 1
    return bytes
  }
  const ana = [
    { sheet: sheet(0, 6), since: 1 },
    { sheet: sheet(0, 12), since: 2 },
  ]
  const ben = [
    { sheet: sheet(0, 12), since: 1 },
    { sheet: sheet(0, 6), since: 2 },
  ]
  const [toAna, toBen] = [shownBy(ana, ben), shownBy(ben, ana)]
  expect(toBen).toEqual({ mine: toAna.theirs, theirs: toAna.mine })
})
