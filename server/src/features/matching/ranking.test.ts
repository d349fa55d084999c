import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { after, days } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { findShares } from './ranking.queries.ts'

let app: TestApp
let everybody: Person[]
beforeAll(async () => {
  app = await startTestApp()
  const at = { latitude: 52.52, longitude: 13.405 }
  // Each person has a different interest, which identifies them in a sample.
  everybody = await Promise.all(
    ['tea', 'wine', 'chess', 'cats', 'dogs', 'books'].map((interest) =>
      person(app, { at, interests: [interest] } as never),
    ),
  )
})
afterAll(() => app.close())

const now = () => app.clock.now()

it('older pending likes count less in the average, as they do in the order', async () => {
  const [ana] = everybody as [Person]
  await sql`insert into standings (user_id, pending, pending_at) values (${ana.id}, 12, ${after(now(), -days(14))})`.execute(
    app.platform.db,
  )
  const { people, mean_pending } = await findShares(app.platform.db, ana.id, now())
  expect([people, mean_pending]).toEqual([6, expect.closeTo(0.5, 3)])
})

it('a sample starts with the given person and wraps around', async () => {
  const inOrder = everybody.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const found = new Set<string>()
  for (const { id } of inOrder) {
    const { people, interests } = await findShares(app.platform.db, id, now(), 2)
    expect(people).toBe(2)
    for (const interest of Object.keys(interests)) found.add(interest)
  }
  expect(found.size).toBe(6)
})
