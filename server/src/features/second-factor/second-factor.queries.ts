import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface FactorRow {
  secret: Buffer
  confirmed_at: Date | null
  last_step: number
}

/** Locks the second factor until the transaction ends, so that simultaneous codes are checked one at a time. */
export async function lockFactor(db: Db, userId: string): Promise<FactorRow | undefined> {
  return db
    .selectFrom('second_factors')
    .select(['secret', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

const keyMark = 'secretKeyMark'

/** A mark that identifies the SECRET_KEY last used with this database; undefined before the first start. */
export async function findKeyMark(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', keyMark).executeTakeFirst()
  return row && String(row.value)
}

export async function putKeyMark(db: Db, mark: string, now: Date): Promise<void> {
  const row = { value: JSON.stringify(mark), changed_at: now }
  await db
    .insertInto('settings')
    .values({ key: keyMark, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
}

/** Only administrators have a second factor, so there are few. */
export async function findSealed(db: Db): Promise<{ user_id: string; secret: Buffer }[]> {
  return db.selectFrom('second_factors').select(['user_id', 'secret']).execute()
}

/** Does nothing if the secret has changed since. */
export async function replaceSealed(db: Db, userId: string, before: Buffer, secret: Buffer): Promise<void> {
  await db
    .updateTable('second_factors')
    .set({ secret })
    .where('user_id', '=', userId)
    .where('secret', '=', before)
    .execute()
}

/** The first code confirms the new secret. False if the person already has a confirmed one. */
export async function putSecret(db: Db, userId: string, secret: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factors (user_id, secret, created_at) values (${userId}, ${secret}, ${now})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
    where second_factors.confirmed_at is null returning 1`.execute(db)
  return rows.length > 0
}

export async function confirmFactor(db: Db, userId: string, now: Date): Promise<void> {
  await db.updateTable('second_factors').set({ confirmed_at: now }).where('user_id', '=', userId).execute()
}

export async function insertRecoveryCodes(db: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}

/** False if the code is unknown or already used. */
export async function useRecoveryCode(db: Db, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function noteStep(db: Db, userId: string, step: number): Promise<void> {
  await db.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
}

export async function markSession(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ second_factor_at: now }).where('id', '=', sessionId).execute()
}

export async function findState(db: Db, userId: string, sessionId: string) {
  const { rows } = await sql<{
    enrolled: boolean
    passed_at: Date | null
    codes_left: number
    has_passkey: boolean
    email: string
  }>`
    select a.email, f.confirmed_at is not null as enrolled,
      (select second_factor_at from sessions where id = ${sessionId}) as passed_at,
      (select count(*)::int from recovery_codes c where c.user_id = a.id and c.used_at is null) as codes_left,
      exists (select from passkeys p where p.user_id = a.id and p.is_second_factor) as has_passkey
    from accounts a left join second_factors f on f.user_id = a.id where a.id = ${userId}`.execute(db)
  return rows[0]
}

/**
 * Removes the second factor of the account with this address, and everything that sessions unlocked with it. Returns
 * the account's id, if it had a second factor.
 */
export async function deleteFactor(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    delete from second_factors where user_id = (select id from accounts where email = ${email})
    returning user_id`.execute(db)
  const userId = rows[0]?.user_id
  // Someone else may have the authenticator, so passkeys and sessions that it unlocked are removed too.
  if (userId) await db.updateTable('passkeys').set({ is_second_factor: false }).where('user_id', '=', userId).execute()
  if (userId) await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  return userId
}
