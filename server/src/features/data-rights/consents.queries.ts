import type { ConsentPurpose } from '@duet/contract/data-rights.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

export interface ConsentRow {
  purpose: ConsentPurpose
  version: string
  granted_at: Date
  withdrawn_at: Date | null
}

/** The latest word of somebody on each purpose. */
export async function findConsents(db: Db, userId: string): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select distinct on (purpose) purpose, version, granted_at, withdrawn_at from consents
    where user_id = ${userId} order by purpose, id desc`.execute(db)
  return rows
}

/** Notes what somebody agrees to, or does not any more; what holds already is not noted again. */
export async function putConsent(
  db: Db,
  userId: string,
  { purpose, granted, now }: { purpose: ConsentPurpose; granted: boolean; now: Date },
): Promise<void> {
  const change = granted ? sql`grant_consent` : sql`withdraw_consent`
  await sql`select ${change}(${userId}, ${purpose}, ${now})`.execute(db)
}

/** Takes away where somebody is: nobody finds them any more. */
export async function removePlace(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('locations').where('user_id', '=', userId).execute()
}

/** Takes away what somebody says about gender, orientation and faith, and what they answered to questions. */
export async function removeSensitive(db: Db, userId: string): Promise<void> {
  await sql`
    update profiles set gender = null, gender_text = '', pronouns = '', interested_in = '{}', faith = null,
      diet = case when diet in ('halal', 'kosher') then null else diet end
    where user_id = ${userId}`.execute(db)
  await db.deleteFrom('answer_sheets').where('user_id', '=', userId).execute()
}

export async function setLearning(db: Db, userId: string, isOn: boolean): Promise<void> {
  await db.updateTable('profiles').set({ learn_from_me: isOn }).where('user_id', '=', userId).execute()
}
