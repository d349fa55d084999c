import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { type Person, person } from './people.ts'
import { connect } from './sockets.ts'
import { outgoing } from './talk.ts'

/** After five custom plans, a connection may switch to a generic one (PREPARE, plan_cache_mode). */
const rounds = 16

let app: TestApp
beforeAll(async () => {
  // Bypasses any pooler, because it may not support prepared statements.
  app = await startTestApp({}, { login: () => undefined })
  // Uses a single connection, so that it prepares all statements.
  app.platform.pool.options.max = 1
})
afterAll(() => app.close())

interface Prepared {
  name: string
  generic: number
  custom: number
}

/** How often a connection ran its prepared statements with generic and custom plans. */
async function preparedOn(pool: pg.Pool): Promise<Prepared[]> {
  const { rows } = await pool.query<Prepared>(
    'select name, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements',
  )
  return rows
}

it('Frequent statements are planned once, whatever their values.', async () => {
  const at = { latitude: 41.39, longitude: 2.17 }
  const ana = await person(app, { gender: 'woman', at })
  const others: Person[] = []
  for (let nth = 0; nth < 12; nth++) others.push(await person(app, { gender: 'man', at }))
  const live = await connect(app, ana)
  for (let round = 0; round < rounds; round++) {
    for (const path of ['/api/user/myDetails', '/api/deck', '/api/user/nearBy', '/api/likes', '/api/messages/history'])
      expect((await ana.send('GET', path)).status).toBe(200)
    const [ben] = others.slice(round % others.length) as [Person]
    expect((await ana.send('GET', `/api/user/${ben.id}`)).status).toBe(200)
    for (const decision of ['like', 'pass'])
      expect((await ana.send('PUT', `/api/decisions/${ben.id}`, { decision })).status).toBe(200)
    expect(await live.ask('send_message', outgoing(ana, ben, `Hello ${round}`))).toMatchObject({ ok: true })
  }
  const prepared = await preparedOn(app.platform.pool)
  const often = prepared.filter(({ generic, custom }) => generic + custom >= rounds / 2)
  expect(often.length).toBeGreaterThan(20)
  expect(often.filter(({ generic }) => generic === 0)).toEqual([])
})
