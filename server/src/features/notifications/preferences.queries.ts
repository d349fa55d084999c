import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'

export type PreferencesRow = Selectable<DB['notification_preferences']>

export function findPreferences(db: Db, userId: string): Promise<PreferencesRow | undefined> {
  return db.selectFrom('notification_preferences').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Quiet hours are calculated in the database, so it has to know the zone. */
export async function isKnownZone(db: Db, zone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${zone}`.execute(db)
  return rows.length > 0
}

export function putPreferences(db: Db, row: Insertable<DB['notification_preferences']>): Promise<PreferencesRow> {
  const { user_id: _, ...chosen } = row
  return db
    .insertInto('notification_preferences')
    .values(row)
    .onConflict((on) => on.column('user_id').doUpdateSet(chosen))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function moveZone(db: Db, userId: string, zone: string): Promise<void> {
  await sql`update notification_preferences set time_zone = ${zone} where user_id = ${userId} and time_zone <> ${zone}
    and exists (select from pg_timezone_names where name = ${zone})`.execute(db)
}

export async function findQuietUntil(db: Db, userId: string, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select quiet_until(${now}, time_zone, quiet_from, quiet_to) as until
    from notification_preferences where user_id = ${userId}`.execute(db)
  return rows[0]?.until ?? null
}
