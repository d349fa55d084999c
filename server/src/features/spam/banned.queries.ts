import type { Db } from '../../platform/database.ts'

/** When the ban of a mailbox ends, under any of the values that it may be kept as; undefined where there is none. */
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
    .executeTakeFirst()
}

/** Keeps a ban under the value of today's key. */
export async function renewBan(db: Db, from: Buffer, to: Buffer): Promise<void> {
  await db.updateTable('banned_addresses').set({ value: to }).where('value', '=', from).execute()
}

export async function deleteBansBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('banned_addresses').where('until', '<=', now).execute()
}
