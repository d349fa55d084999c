import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface FactorRow {
  secret: Buffer
  confirmed_at: Date | null
  last_step: number
}

/** A person's second factor, locked until the transaction ends: of two codes at once, one is looked at after the other. */
export async function lockFactor(db: Db, userId: string): Promise<FactorRow | undefined> {
  return db
    .selectFrom('second_factors')
    .select(['secret', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

const keyMark = 'secretKeyMark'

/** What tells the SECRET_KEY that this database was last used with; undefined before the first start. */
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

/** Every second factor as it is sealed: administrators are few. */
export async function findSealed(db: Db): Promise<{ user_id: string; secret: Buffer }[]> {
  return db.selectFrom('second_factors').select(['user_id', 'secret']).execute()
}

/** Puts what was sealed anew in the place of what it was made of, unless that has changed. */
export async function replaceSealed(db: Db, userId: string, before: Buffer, secret: Buffer): Promise<void> {
  await db
    .updateTable('second_factors')
    .set({ secret })
    .where('user_id', '=', userId)
    .where('secret', '=', before)
    .execute()
}

/** Keeps a new secret that waits for its first code; false when there is a confirmed one. */
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

/** Uses a recovery code up; false when it is none, or used. */
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

/** Whether it is set up, when this session passed it, and how many recovery codes are unused. */
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

/** Removes the second factor of an address and what sessions passed with it. Gives whose it was; undefined without one. */
export async function deleteFactor(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    delete from second_factors where user_id = (select id from accounts where email = ${email})
    returning user_id`.execute(db)
  const userId = rows[0]?.user_id
  // The authenticator may be in wrong hands, and what it opened with it.
  if (userId) await db.updateTable('passkeys').set({ is_second_factor: false }).where('user_id', '=', userId).execute()
  if (userId) await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  return userId
}
