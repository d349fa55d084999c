import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { firstOfDay, lockedProfile } from './told-sheets.queries.ts'

export async function findSheets(
  pool: pg.Pool,
  userIds: readonly string[],
): Promise<{ user_id: string; sheet: Buffer }[]> {
  const { rows } = await pool.query<{ user_id: string; sheet: Buffer }>({
    name: 'answer-sheets',
    text: 'select user_id, sheet from answer_sheets where user_id = any((select $1)::uuid[])',
    values: [userIds],
  })
  return rows
}

/**
 * Writes `entry` over the sheet's bytes from `offset` on, whatever the sheet's length. A single statement that waits
 * for the row's lock, so that no concurrent answer is lost. It also waits for a withdrawal of the consent, which
 * deletes the answers.
 */
export async function putEntry(
  db: Db,
  { userId, day }: { userId: string; day: string },
  offset: number,
  entry: Uint8Array,
): Promise<void> {
  const bytes = Buffer.from(entry)
  const before = Buffer.alloc(offset)
  await sql`
    with me as (${lockedProfile(userId)}), told as (${firstOfDay(day)})
    insert into answer_sheets as s (user_id, sheet) select user_id, ${Buffer.concat([before, bytes])}::bytea from me
    on conflict (user_id) do update set sheet =
      overlay(s.sheet || substring(${before}::bytea from octet_length(s.sheet) + 1) placing ${bytes}::bytea from ${offset + 1}::int)`.execute(
    db,
  )
}

/** Blanks `length` bytes from `offset` on, if the sheet is that long. */
export async function clearEntry(
  db: Db,
  { userId, day }: { userId: string; day: string },
  offset: number,
  length: number,
): Promise<void> {
  await sql`
    with me as (${lockedProfile(userId)}), told as (${firstOfDay(day)})
    update answer_sheets s set sheet = overlay(sheet placing ${Buffer.alloc(length)}::bytea from ${offset + 1}::int)
    from me where s.user_id = me.user_id and octet_length(sheet) >= ${offset + length}::int`.execute(db)
}
