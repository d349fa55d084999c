import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** When the longest ban of a mailbox ends, under any of the values that it may be kept as; undefined where there is none. */
export async function findBan(
  db: Db,
  values: readonly Buffer[],
  now: Date,
): Promise<{ value: Buffer; until: Date | null } | undefined> {
  return db
    .selectFrom('banned_addresses')
    .select(['value', 'until'])
    .where('value', 'in', values)
    .where((or) => or.or([or('until', 'is', null), or('until', '>', now)]))
    .orderBy(sql`until desc nulls first`)
    .executeTakeFirst()
}

/** Keeps the longest ban of a mailbox under the value of today's key, in the place of all others. */
export async function renewBan(db: Db, values: readonly Buffer[], to: Buffer, until: Date | null): Promise<void> {
  await db.deleteFrom('banned_addresses').where('value', 'in', values).execute()
  await db.insertInto('banned_addresses').values({ value: to, until }).execute()
}

export async function deleteBansBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('banned_addresses').where('until', '<=', now).execute()
}
