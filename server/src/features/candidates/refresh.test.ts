import { cellToLatLng, latLngToCell } from 'h3-js'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { person } from '../../test/people.ts'
import { standstillMs } from '../../test/standstill.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const here = { latitude: 52.52, longitude: 13.405 }
const elsewhere = latLngToCell(52.4, 13.1, 7)
const place = [elsewhere, ...cellToLatLng(elsewhere)]

const publish: Change = [
  'update locations set cell = $2, published_cell = $2, latitude = $3, longitude = $4, published_at = now() where user_id = $1',
  place,
]
const withdraw: Change = ['delete from locations where user_id = $1', []]
const arrive: Change = [
  `insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
    values ($1, $2, $2, $3, $4, 'Somewhere', now())`,
  place,
]
const profiles: Record<string, Change> = {
  'an older age': [`update profiles set birth_date = '1970-02-03' where user_id = $1`, []],
  'a pause': ['update profiles set paused = true where user_id = $1', []],
  'the end of a pause': ['update profiles set paused = false where user_id = $1', []],
  'the first visit of a day': [`update profiles set last_active_at = now() + interval '2 days' where user_id = $1`, []],
}
type Change = [text: string, values: unknown[]]

/** Whether a person's candidate row equals what the source tables yield. */
async function isInStep(id: string): Promise<boolean> {
  const { rows } = await app.platform.pool.query(
    `select (select to_jsonb(c) from candidates c where c.user_id = $1)
      is not distinct from (select to_jsonb(s) - 'visible' from searchable s where s.user_id = $1 and s.visible) as same`,
    [id],
  )
  return rows[0].same
}

/** Makes both changes in overlapping transactions: the second starts while the first is open. */
async function makeAtOnce(id: string, first: Change, second: Change): Promise<void> {
  const { pool } = app.platform
  const [one, other] = [await pool.connect(), await pool.connect()]
  const make = (client: pg.PoolClient, [text, values]: Change) => client.query(text, [id, ...values])
  try {
    const { rows } = await other.query('select pg_backend_pid() as pid')
    await one.query('begin')
    await make(one, first)
    await other.query('begin')
    let isMade = false
    const making = make(other, second).then(() => {
      isMade = true
    })
    await vi.waitFor(async () => {
      const { rows: found } = await pool.query('select cardinality(pg_blocking_pids($1)) > 0 as waits', [rows[0].pid])
      expect(isMade || found[0].waits).toBe(true)
    }, standstillMs)
    await one.query('commit')
    await making
    await other.query('commit')
  } finally {
    for (const client of [one, other]) {
      await client.query('rollback')
      client.release()
    }
  }
}

describe("a person's row after two concurrent changes", () => {
  for (const [place, [name, change]] of Object.entries(profiles).entries())
    for (const [kind, moved] of Object.entries({
      'a move': publish,
      'a withdrawn place': withdraw,
      'a first place': arrive,
    }))
      for (const isPlaceFirst of [true, false])
        it(`the row of a person matches the tables after ${kind} and ${name}, the place first: ${isPlaceFirst}`, {
          tags: isPlaceFirst === (place % 2 === 0) ? [] : ['long'],
        }, async () => {
          const { id } = await person(app, { at: here })
          if (moved === arrive) await app.platform.pool.query('delete from locations where user_id = $1', [id])
          if (name === 'the end of a pause')
            await app.platform.pool.query('update profiles set paused = true where user_id = $1', [id])
          expect(await isInStep(id)).toBe(true)
          await makeAtOnce(id, isPlaceFirst ? moved : change, isPlaceFirst ? change : moved)
          expect(await isInStep(id)).toBe(true)
        })
})
