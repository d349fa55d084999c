import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Locks the profile before the photos of a person are changed. */
export async function holdProfile(db: Db, userId: string): Promise<void> {
  await sql`select from profiles where user_id = ${userId} for no key update`.execute(db)
}

/** Hides a photo from all but its owner; false when it is gone or hidden already, or not theirs. */
export async function hidePhoto(
  db: Db,
  ownerId: string,
  fileName: string,
  review: { by: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ state: 'rejected', reviewed_by: review.by, reviewed_at: review.now })
    .where('file_name', '=', fileName)
    .where('user_id', '=', ownerId)
    .where('state', '<>', 'rejected')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Shows a photo again that was hidden; false when it is gone. */
export async function showPhoto(db: Db, fileName: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photos')
    .set({ state: 'approved' })
    .where('file_name', '=', fileName)
    .where('state', '=', 'rejected')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Empties what a person wrote about themselves and returns what it was; undefined when there is nothing, or they are gone. */
export async function clearWords(db: Db, userId: string): Promise<{ bio: string; prompts: unknown[] } | undefined> {
  const { rows } = await sql<{ bio: string; prompts: unknown[] }>`
    with before as (select user_id, bio, prompts from profiles
      where user_id = ${userId} and (bio <> '' or prompts <> '[]') for no key update)
    update profiles p set bio = '', prompts = '[]' from before where p.user_id = before.user_id
    returning before.bio, before.prompts`.execute(db)
  return rows[0]
}

/** Puts words back that were taken away, unless there are others by now, or they were kept for long enough. */
export async function restoreWords(
  db: Db,
  userId: string,
  words: { bio: string; prompts: unknown[] },
): Promise<boolean> {
  if (words.bio === '' && words.prompts.length === 0) return false
  const { numAffectedRows } =
    await sql`update profiles set bio = ${words.bio}, prompts = ${JSON.stringify(words.prompts)}::jsonb
    where user_id = ${userId} and bio = '' and prompts = '[]'`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
