import { randomUUID } from 'node:crypto'
import { publishMoves } from '../../../features/places/places.ts'
import { after, minutes } from '../../../platform/clock.ts'
import { hashToken, newToken } from '../../../platform/session.ts'
import { startTestApp, type TestApp, type TestClock } from '../../app.ts'
import { person } from '../../people.ts'
import { type Rows, rowsOf } from '../rows.ts'

/** Somebody who is in both worlds, under the same id and token. */
export interface Twin {
  id: string
  token: string
}

/** Two worlds that differ in nothing but what is done differently in them. */
export interface Twins {
  worlds: readonly [TestApp, TestApp]
  /** Puts somebody new into both worlds. */
  join(name: string): Promise<Twin>
  /** Puts the time forward in both, and publishes the moves that are due. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

function stoppedClock(): TestClock {
  let now = new Date('2026-07-01T12:00:00Z')
  return {
    now: () => now,
    advance: (ms) => {
      now = after(now, ms)
    },
  }
}

const accountColumns = 'id, email, terms_accepted_at, created_at'
const sessionColumns =
  'token_hash, id, user_id, device, created_at, authenticated_at, last_seen_at, idle_expires_at, expires_at'

async function insert(rows: Rows, clock: TestClock, { id, token }: Twin, name: string, session: string): Promise<void> {
  const [now, later] = [clock.now(), after(clock.now(), minutes(60 * 24 * 7))]
  await rows.query(`insert into accounts (${accountColumns}) values ($1, $2, $3, $3)`, [id, `${id}@example.com`, now])
  await rows.query(
    `insert into profiles select (jsonb_populate_record(p, jsonb_build_object(
       'user_id', $1::text, 'name', $2::text, 'created_at', $3::timestamptz, 'last_active_at', $3::timestamptz))).*
     from profiles p where name = 'Model'`,
    [id, name, now],
  )
  await rows.query(`insert into sessions (${sessionColumns}) values ($1, $2, $3, 'Twin', $4, $4, $4, $5, $5)`, [
    hashToken(token),
    session,
    id,
    now,
    later,
  ])
}

/** Starts both worlds at the same moment of a clock that stands still, with the same secrets. */
export async function startTwins(): Promise<Twins> {
  const clock = stoppedClock()
  const worlds = [await startTestApp({}, { clock }), await startTestApp({}, { clock })] as const
  const rows = [await rowsOf(worlds[0]), await rowsOf(worlds[1])] as const
  for (const world of worlds) await person(world, { name: 'Model' })
  return {
    worlds,
    join: async (name) => {
      const [twin, session] = [{ id: randomUUID(), token: newToken() }, randomUUID()]
      await Promise.all(rows.map((world) => insert(world, clock, twin, name, session)))
      return twin
    },
    pass: async (ms) => {
      clock.advance(ms)
      await Promise.all(worlds.map(({ platform }) => publishMoves(platform)))
    },
    close: async () => {
      await Promise.all(rows.map((world) => world.close()))
      await Promise.all(worlds.map((world) => world.close()))
    },
  }
}
