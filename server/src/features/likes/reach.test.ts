import { afterAll, beforeAll, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { ownPlace } from '../../test/neighbours.ts'
import { type Person, person } from '../../test/people.ts'
import { noteShown } from '../../test/shown.ts'
import { getSearcher, searchDatabase } from '../candidates/candidates.ts'
import { learnWhatIsDue } from '../matching/learning.ts'
import { rankingOf } from '../matching/ranking.ts'
import { scoreAll } from '../matching/score.ts'
import { recountEverybody } from './pending.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const here = ownPlace()
/** How far one account can lower another person's rank, in logits: by a pending like, by a pass, and by both. */
const byLike = 0.864
const byPass = 0.5
const byBoth = byLike + byPass

async function some(count: number): Promise<Person[]> {
  const list: Person[] = []
  while (list.length < count) list.push(await person(app, { at: here }))
  return list
}
async function decide(viewer: Person, target: Person, decision: 'like' | 'pass' | 'later'): Promise<void> {
  const { id: userId } = target
  await noteShown(app, viewer, target)
  const answer = await viewer.call('PUT /api/decisions/:userId', { params: { userId }, body: { decision } })
  expect(answer.status).toBe(200)
}
const undo = async (viewer: Person) => expect((await viewer.call('POST /api/decisions/undo')).status).toBe(200)
async function settle(): Promise<void> {
  app.clock.advance(minutes(10))
  await learnWhatIsDue(app.platform)
}

/** The ranks that a person's deck gives others, computed with the real database search and scoring. */
async function ranksBy({ id }: Person): Promise<Map<string, number>> {
  const searcher = await getSearcher(app.platform, id)
  const [candidates = [], ranking] = await Promise.all([
    searchDatabase(app.platform, searcher, []),
    rankingOf(app.platform),
  ])
  const { rank } = scoreAll(ranking.model, searcher.self, candidates, ranking)
  return new Map(candidates.map((one, place) => [one.id, rank[place] as number]))
}

/** How far each of `people` fell in the viewer's ranking, rounded to a millionth. Negative if they rose. */
function falls(before: Map<string, number>, after: Map<string, number>, people: readonly Person[]): number[] {
  return people.map(({ id }) => Math.round(((before.get(id) as number) - (after.get(id) as number)) * 1e6) / 1e6)
}

it('an account that likes everyone costs nobody more than a single like would', { tags: 'long' }, async () => {
  const [viewer, liker, ...others] = (await some(8)) as [Person, Person, ...Person[]]
  const before = await ranksBy(viewer)
  for (const other of others) await decide(liker, other, 'like')
  const atOnce = falls(before, await ranksBy(viewer), others)
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(byLike)
  expect(Math.min(...atOnce)).toBeGreaterThan(0)
  await settle()
  expect(Math.max(...falls(before, await ranksBy(viewer), others))).toBeLessThanOrEqual(byLike)
})

const ways: [string, (one: Person, other: Person) => Promise<unknown>, number][] = [
  ['undoes it', undo, 0],
  ['puts them off', (one: Person, other: Person) => decide(one, other, 'later'), 10],
]

it.each(ways)(
  'an account that passes someone 50 times, and each time %s, costs them no more than one pass',
  { tags: 'long' },
  async (_how, change, wait) => {
    const [viewer, passer, target, ...others] = (await some(6)) as [Person, Person, Person, ...Person[]]
    // These likes make the pass weigh more, because its actor usually says yes.
    for (const other of [viewer, ...others]) await decide(passer, other, 'like')
    await settle()
    const before = await ranksBy(viewer)
    for (let time = 0; time < 50; time++) {
      await decide(passer, target, 'pass')
      app.clock.advance(minutes(wait))
      if (wait > 0) await learnWhatIsDue(app.platform)
      if (time < 49) await change(passer, target)
    }
    await settle()
    const [fall] = falls(before, await ranksBy(viewer), [target])
    expect(fall).toBeGreaterThan(0)
    expect(fall).toBeLessThanOrEqual(byPass)
  },
)

it('an account that passes someone and then likes them costs them no more than both', async () => {
  const [viewer, one, target] = (await some(3)) as [Person, Person, Person]
  const before = await ranksBy(viewer)
  await decide(one, target, 'pass')
  await settle()
  await decide(one, target, 'like')
  await settle()
  const [fall] = falls(before, await ranksBy(viewer), [target])
  expect(fall).toBeLessThanOrEqual(byBoth)
})

it('the likes of a banned account have no effect after the nightly recount', { tags: 'long' }, async () => {
  const [viewer, liker, ...others] = (await some(8)) as [Person, Person, ...Person[]]
  const before = await ranksBy(viewer)
  for (const other of others) await decide(liker, other, 'like')
  await app.platform.pool.query(`update accounts set standing = 'banned' where id = $1`, [liker.id])
  await recountEverybody(app.platform)
  const after = await ranksBy(viewer)
  expect(after.has(liker.id)).toBe(false)
  for (const fall of falls(before, after, others)) expect(fall).toBeCloseTo(0, 6)
})
