import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'

export interface ToldRow {
  user_id: string
  nth: number
  since: Date
  sheet: Buffer | null
}

export async function findToldSheets(pool: pg.Pool, userIds: readonly string[], day: string): Promise<ToldRow[]> {
  const { rows } = await pool.query<ToldRow>({
    name: 'told-sheets',
    text: `select user_id, nth, since, sheet from told_sheets where user_id = any((select $1)::uuid[]) and day = $2
      order by user_id, nth`,
    values: [userIds, day],
  })
  return rows
}

/** Locks a person's profile in a statement that changes their answers, so that it waits for a concurrent withdrawal. */
export const lockedProfile = (userId: string): RawBuilder<unknown> =>
  sql`select user_id from profiles where user_id = ${userId} for share`

/** Stores the sheet from before the day's first change. For a statement in which `me` is the locked profile. */
export const firstOfDay = (day: string): RawBuilder<unknown> => sql`
  insert into told_sheets (user_id, day, nth, since, sheet)
    select user_id, ${day}::date, 0, ${day}::date::timestamp at time zone 'UTC',
      coalesce((select sheet from answer_sheets a where a.user_id = me.user_id), '') from me
    on conflict do nothing`

/**
 * Adds a person's next sheet of a day for showing agreement, unless another request has added it or the person has
 * withdrawn their answers.
 */
export async function addToldSheet(db: Db, row: ToldRow & { day: string }): Promise<void> {
  await sql`
    insert into told_sheets (user_id, day, nth, since, sheet)
      select user_id, ${row.day}::date, ${row.nth}, ${row.since}, ${row.sheet}
      from answer_sheets where user_id = ${row.user_id} for share
      on conflict do nothing`.execute(db)
}

/**
 * Deletes a person's sheets for showing agreement, after their answers were deleted. If they had answers, no agreement
 * is shown for the rest of the day.
 */
export async function withdrawToldSheets(db: Db, userId: string, day: string, hadAnswers: boolean): Promise<void> {
  await db.deleteFrom('told_sheets').where('user_id', '=', userId).where('sheet', 'is not', null).execute()
  if (!hadAnswers) return
  await sql`
    insert into told_sheets (user_id, day, nth, since)
      values (${userId}, ${day}::date, 0, ${day}::date::timestamp at time zone 'UTC') on conflict do nothing`.execute(
    db,
  )
}

export function deleteToldBefore(db: Db, day: string): Promise<void> {
  return inBatches(async (most) => {
    const { numAffectedRows } = await sql`
      delete from told_sheets where ctid = any(array(
        select ctid from told_sheets where day < ${day} order by day limit ${most}))`.execute(db)
    return Number(numAffectedRows)
  })
}
