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

interface Wish {
  accepts: string[]
  dealbreaker: boolean
}

interface Drawn {
  who: Person
  gender: string | null
  interestedIn: string[]
  age: number
  ageMin: number
  ageMax: number
  facts: { children: string | null; smoking: string | null }
  wishes: { children: Wish | undefined; smoking: Wish | undefined }
}

async function drawPerson(random: () => number): Promise<Drawn> {
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
  const [gender, interestedIn] = [one(['woman', 'man', 'nonbinary', null]), some(['woman', 'man', 'nonbinary'])]
  const [age, ageMin, ageMax] = [18 + Math.floor(random() * 40), one([18, 18, 25, 35]), one([40, 60, 99])]
  const facts = { children: one([null, 'have', 'want']), smoking: one([null, 'never', 'often']) }
  await app.platform.pool.query(
    `update profiles set gender = $2, interested_in = $3, birth_date = $4::date - make_interval(years => $5, days => 1),
      age_min = $6, age_max = $7, max_distance_km = $8, intents = $9, children = $10, smoking = $11, languages = $12,
      preferences = $13, height_cm = $14, hide_distance = $15 where user_id = $1`,
    [
      ...[who.id, gender, interestedIn, app.clock.now(), age, ageMin, ageMax, one([5, 10, 25, 50, 100, null])],
      ...[some(['relationship', 'dating']), facts.children, facts.smoking, some(['de', 'en', 'fr'])],
      ...[JSON.stringify(preferences), one([null, 150, 170, 190]), random() < 0.5],
    ],
  )
  const wishes = { children: preferences.children, smoking: preferences.smoking }
  return { who, gender, interestedIn, age, ageMin, ageMax, facts, wishes }
}

function exclusions(one: Drawn, other: Drawn): string[] {
  const isRefused = (fact: 'children' | 'smoking') => {
    const [value, wish] = [other.facts[fact], one.wishes[fact]]
    return value !== null && wish?.dealbreaker === true && wish.accepts.length > 0 && !wish.accepts.includes(value)
  }
  return [
    ...(one.interestedIn.length > 0 && !one.interestedIn.includes(other.gender ?? '') ? ['gender'] : []),
    ...(other.age < one.ageMin || (other.age > one.ageMax && one.ageMax < 99) ? ['age'] : []),
    ...(isRefused('children') || isRefused('smoking') ? ['dealbreaker'] : []),
  ]
}

async function shownTo({ who }: Drawn): Promise<Set<string>> {
  const shown = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const { body } = await who.call('GET /api/user/nearBy', { query: { limit: 50, ...(cursor && { cursor }) } })
    for (const { id } of body.users) shown.add(id)
    if (!body.nextCursor) break
    cursor = body.nextCursor
  }
  for (const { id } of (await who.call('GET /api/deck')).body.cards) shown.add(id)
  return shown
}

describe('among random people, half of whom hide their distance', () => {
  let all: Drawn[]
  beforeAll(async () => {
    const random = seededRandom(20_261_129)
    all = []
    for (let n = 0; n < 36; n += 1) all.push(await drawPerson(random))
  })

  it('a person may like exactly the people who may like them', async () => {
    const searchers = await Promise.all(all.map(({ who }) => getSearcher(app.platform, who.id)))
    const fits = await Promise.all(
      searchers.map((searcher) => Promise.all(all.map(({ who }) => fitsWith(app.platform, searcher, who.id)))),
    )
    const transposed = fits.map((_, row) => fits.map((answers) => answers[row]))
    expect(transposed).toEqual(fits)
    expect(fits.flat().filter(Boolean).length).toBeGreaterThan(10)
  })

  it('neither of two people is shown to the other if a gender, an age or a dealbreaker of one excludes the other', async () => {
    const wrong: string[] = []
    const alone = new Map<string, number>()
    let met = 0
    for (const one of all) {
      const shown = await shownTo(one)
      met += shown.size
      for (const other of all.filter((person) => person !== one)) {
        const reasons = [...exclusions(one, other), ...exclusions(other, one)]
        const [only, ...more] = reasons
        if (only && more.length === 0) alone.set(only, (alone.get(only) ?? 0) + 1)
        if (only && shown.has(other.who.id)) wrong.push(reasons.join(', '))
      }
    }
    expect(wrong).toEqual([])
    expect(met).toBeGreaterThan(10)
    expect([...alone.keys()].sort()).toEqual(['age', 'dealbreaker', 'gender'])
  })
})
