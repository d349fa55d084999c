import type { ConsentPurpose } from '@duet/contract/data-rights.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface ConsentRow {
  purpose: ConsentPurpose
  version: string
  granted_at: Date
  withdrawn_at: Date | null
}

export async function findConsents(db: Db, userId: string): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select distinct on (purpose) purpose, version, granted_at, withdrawn_at from consents
    where user_id = ${userId} order by purpose, id desc`.execute(db)
  return rows
}

/** Records that a person gave or withdrew consent. Does nothing if that doesn't change anything. */
export async function putConsent(
  db: Db,
  userId: string,
  { purpose, granted, now }: { purpose: ConsentPurpose; granted: boolean; now: Date },
): Promise<void> {
  const change = granted ? sql`grant_consent` : sql`withdraw_consent`
  await sql`select ${change}(${userId}, ${purpose}, ${now})`.execute(db)
}

/** Deletes a person's location and all recorded distances between them and others. Nobody can find them anymore. */
export async function removePlace(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('locations').where('user_id', '=', userId).execute()
  await sql`update impressions set distance_km = null
    where (viewer_id = ${userId} or target_id = ${userId}) and distance_km is not null`.execute(db)
}

/**
 * Deletes a person's gender, orientation, faith and answers to questions, including texts that a moderator removed.
 * Updates the profile first: a concurrent answer waits for its lock, so it is stored entirely before or after the
 * deletion. Returns whether there were answers.
 */
export async function removeSensitive(db: Db, userId: string): Promise<boolean> {
  await sql`
    update profiles set gender = null, gender_text = '', pronouns = '', interested_in = '{}', faith = null,
      diet = case when diet in ('halal', 'kosher') then null else diet end,
      preferences = case when wants_diet_of_faith(preferences) then preferences - 'diet' else preferences end
    where user_id = ${userId}`.execute(db)
  await sql`update sanctions set item = item - array['genderText', 'pronouns']
    where user_id = ${userId} and item ?| array['genderText', 'pronouns']`.execute(db)
  const { numDeletedRows } = await db.deleteFrom('answer_sheets').where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows > 0
}

export async function setLearning(db: Db, userId: string, isOn: boolean): Promise<void> {
  await db.updateTable('profiles').set({ learn_from_me: isOn }).where('user_id', '=', userId).execute()
}
