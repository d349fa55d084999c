import { after } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import { hashToken, lifeOf, newToken } from '../platform/security/session.ts'
import { analyze, insertBatch, insertSessions } from './population.queries.ts'
import { idOf, madeUp } from './population-people.ts'

const batchSize = 5_000

/** Inserts `count` generated people, always the same for a `seed` and day. Existing ones are skipped. */
export async function seedPeople(
  db: Db,
  count: number,
  seed: number,
  onBatch: (done: number) => void,
  now = new Date(),
): Promise<void> {
  let written = Promise.resolve()
  for (let start = 0; start < count; start += batchSize) {
    const size = Math.min(batchSize, count - start)
    const batch = Array.from({ length: size }, (_, i) => madeUp(seed, start + i, now))
    await written
    written = insertBatch(db, batch, now).then(() => onBatch(start + size))
  }
  await written
  await analyze(db)
}

export async function seedSessions(db: Db, count: number, seed: number) {
  const now = new Date()
  const tokens = Array.from({ length: count }, (_, number) => ({ id: idOf(seed, number), token: newToken() }))
  const rows = tokens.map(({ id, token }) => ({ id, tokenHash: hashToken(token) }))
  const found = await insertSessions(db, rows, now, after(now, lifeOf(false).idle))
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return tokens.map(({ id, token }) => ({ id, name: names.get(id) ?? '', token }))
}
