import pg from 'pg'
import { expect } from 'vitest'
import type { Pools } from '../../platform/database/database.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { type Person, people } from '../../test/people.ts'
import type { Client } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { eraseAccount } from '../data-rights/erasure.ts'

/** Two processes on one database: `open` has no limits, so that people can sign up; `limited` has production limits. */
export async function startLimited(database: TestDatabase): Promise<{ open: TestApp; limited: TestApp }> {
  const open = await startTestApp({}, { database })
  const limited = await startTestApp({ RATE_LIMIT_SCALE: '1' }, { database, clock: open.clock })
  return { open, limited }
}

/** Like `startLimited` on a new database, with a function that closes everything. */
export async function startBoth() {
  const database = await createTestDatabase()
  const { open, limited } = await startLimited(database)
  const close = async () => {
    await limited.close()
    await open.close()
    await database.drop()
  }
  return { database, open, limited, close }
}

export async function peopleSince(
  app: TestApp,
  database: TestDatabase,
  count: number,
  hoursAgo: number,
): Promise<Person[]> {
  const came = await people(app, count)
  const owner = new pg.Client(database.config)
  await owner.connect()
  await owner.query(`update accounts set created_at = created_at - $2 * interval '1 hour' where id = any($1::uuid[])`, [
    came.map(({ id }) => id),
    hoursAgo,
  ])
  await owner.end()
  return came
}

/** `code` in the result is the reason for a refusal. */
export async function send(client: Client, from: { id: string }, to: { id: string }, text = 'Hello', id?: string) {
  const answer = await client.ask('send_message', outgoing(from, to, text, id ? { id } : {}))
  return answer as { ok: boolean; code?: string; retryAfterMs?: number; message?: { seq: number } }
}

export function erase({ platform }: TestApp, owner: Pools, { id }: Pick<Person, 'id'>): Promise<void> {
  return expect.poll(() => eraseAccount({ ...platform, db: owner.db }, id)).toBe(true)
}
