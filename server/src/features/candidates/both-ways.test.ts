import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../platform/random.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { fitsWith, getSearcher } from './candidates.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Random filters, facts and settings around one place. */
async function drawPerson(random: () => number): Promise<Person> {
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const some = <T>(list: readonly T[]) => list.filter(() => random() < 0.5)
  const wish = (values: string[]) =>
    random() < 0.3 ? { accepts: some(values), dealbreaker: random() < 0.6 } : undefined
  const who = await person(app, { at: { latitude: 50 + random() * 0.5, longitude: 10 + random() * 0.7 } })
  const [min, max] = [120 + random() * 110, 120 + random() * 110].map(Math.floor).sort((a, b) => a - b)
  const preferences = {
    intents: wish(['relationship', 'dating', 'friendship', 'open']),
    children: wish(['have', 'want', 'open']),
    smoking: wish(['never', 'sometimes', 'often']),
    languages: wish(['de', 'en', 'fr']),
    height: random() < 0.3 ? { min, max, dealbreaker: true } : undefined,
  }
  await app.platform.pool.query(
    `update profiles set gender = $2, interested_in = $3, birth_date = date '2008-01-01' - $4::int, age_max = $5,
      max_distance_km = $6, intents = $7, children = $8, smoking = $9, languages = $10, preferences = $11, height_cm = $12,
      hide_distance = $13 where user_id = $1`,
    [
      ...[who.id, one(['woman', 'man', 'nonbinary', null]), some(['woman', 'man', 'nonbinary'])],
      ...[Math.floor(random() * 15_000), one([40, 60, 99]), one([5, 10, 25, 50, 100, null])],
      ...[some(['relationship', 'dating']), one([null, 'have', 'want']), one([null, 'never', 'often'])],
      ...[some(['de', 'en', 'fr']), JSON.stringify(preferences), one([null, 150, 170, 190]), random() < 0.5],
    ],
  )
  return who
}

describe('among random people, half of whom hide their distance', () => {
  it('a person may like exactly the people who may like them', async () => {
    const random = seededRandom(20_261_129)
    const all: Person[] = []
    for (let n = 0; n < 36; n += 1) all.push(await drawPerson(random))
    const searchers = await Promise.all(all.map(({ id }) => getSearcher(app.platform, id)))
    const fits = await Promise.all(
      searchers.map((searcher) => Promise.all(all.map(({ id }) => fitsWith(app.platform, searcher, id)))),
    )
    const transposed = fits.map((_, row) => fits.map((answers) => answers[row]))
    expect(transposed).toEqual(fits)
    expect(fits.flat().filter(Boolean).length).toBeGreaterThan(10)
  })
})
