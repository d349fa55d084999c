import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'

let app: TestApp
let operator: Person
beforeAll(async () => {
  app = await startTestApp()
  operator = await person(app, { name: 'Olga' })
  await app.platform.grantSuperAdmin(operator.email)
})
afterAll(() => app.close())

const at = { latitude: 38.72, longitude: -9.14 }
const yearsAgo = (years: number) => `${app.clock.now().getUTCFullYear() - years}-01-01`

async function some(count: number, gender: 'woman' | 'man' | 'nonbinary', years: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await person(app, { gender, birthDate: yearsAgo(years), at })).id)
  return ids
}
const show = (ids: string[], times: number) =>
  app.platform.pool.query(
    `insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version)
      select $1, id, $2::timestamptz - n * interval '1 minute', $2::timestamptz - n * interval '1 minute', 0, 'regular', 1, 0
      from unnest($3::uuid[]) id, generate_series(1, $4) n`,
    [operator.id, app.clock.now(), ids, times],
  )

it('insights show which groups of at least five people are shown more or less than others', {
  tags: 'long',
}, async () => {
  const women = await some(6, 'woman', 25)
  const men = await some(6, 'man', 64)
  await show([...women, ...(await some(2, 'nonbinary', 45))], 3)
  await show(men, 1)
  // The men joined long ago.
  await app.platform.pool.query(
    `update profiles set created_at = created_at - interval '400 days' where user_id = any($1)`,
    [men],
  )
  await app.platform.pool.query(`select refresh_candidates($1)`, [men])
  const { week } = (await operator.call('GET /api/admin/insights')).body
  // 14 people were on 30 cards in total.
  const [more, less] = [expect.closeTo((3 * 14) / 30), expect.closeTo(14 / 30)]
  expect(week.groups).toEqual([
    { by: 'gender', group: 'woman', people: 6, ratio: more },
    { by: 'gender', group: 'man', people: 6, ratio: less },
    { by: 'age', group: '18', people: 6, ratio: more },
    { by: 'age', group: '60', people: 6, ratio: less },
    { by: 'tenure', group: '7', people: 8, ratio: more },
    { by: 'tenure', group: 'longer', people: 6, ratio: less },
  ])
})
