import { promised } from '@duet/contract/promised.ts'
import { type Selectable, sql } from 'kysely'
import { after, days } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { DB } from '../../platform/database/schema.ts'
import { eachStep } from '../../platform/jobs/each-one.ts'

export type AccountRow = Selectable<DB['accounts']>

export function findAccount(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst()
}

export function accountOf(db: Db, id: string): Promise<AccountRow> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function findLanguage(db: Db, email: string): Promise<string | undefined> {
  const row = await db.selectFrom('accounts').select('language').where('email', '=', email).executeTakeFirst()
  return row?.language
}

export function findReader(db: Db, id: string): Promise<Pick<AccountRow, 'email' | 'language'> | undefined> {
  return db.selectFrom('accounts').select(['email', 'language']).where('id', '=', id).executeTakeFirst()
}

/** A null hash removes the password. Returns false if there was none to remove. */
export async function setPasswordHash(db: Db, id: string, hash: string | null, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ password_hash: hash, password_set_at: hash && now })
    .where('id', '=', id)
    .$if(hash === null, (query) => query.where('password_hash', 'is not', null))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the password hash is unchanged. Locks the account until the transaction ends. */
export async function lockPassword(db: Db, id: string, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function setLanguage(db: Db, id: string, language: string): Promise<void> {
  await db.updateTable('accounts').set({ language }).where('id', '=', id).where('language', '!=', language).execute()
}

/** Returns undefined if the address already has an account. */
export async function insertAccount(db: Db, account: { email: string; passwordHash: string | null; now: Date }) {
  const row = await db
    .insertInto('accounts')
    .values({
      email: account.email,
      password_hash: account.passwordHash,
      terms_accepted_at: account.now,
      created_at: account.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Replaces an address's code. The new code allows five attempts. */
export async function putCode(
  db: Db,
  code: { email: string; hash: string; now: Date; expiresAt: Date },
): Promise<void> {
  const values = { code_hash: code.hash, tries: 0, known_tries: 0, created_at: code.now, expires_at: code.expiresAt }
  await db
    .insertInto('sign_in_codes')
    .values({ email: code.email, ...values })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(values))
    .execute()
}

export async function hasFreshCode(db: Db, email: string, since: Date, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_codes')
    .select('email')
    .where('email', '=', email)
    .where('created_at', '>', since)
    .where('expires_at', '>', now)
    .where('tries', '<', 5)
    .executeTakeFirst()
  return row !== undefined
}

export async function hasLiveCode(db: Db, email: string, hash: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_codes')
    .select('email')
    .where('email', '=', email)
    .where('code_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Uses one attempt at a code, counted separately for known devices and strangers (five each), and returns the hash to
 * compare with. Undefined if there is no valid code or no attempt is left.
 */
export async function takeTry(db: Db, email: string, now: Date, isKnown: boolean): Promise<string | undefined> {
  const tries = isKnown ? 'known_tries' : 'tries'
  const row = await db
    .updateTable('sign_in_codes')
    .set({ [tries]: sql`${sql.ref(tries)} + 1` })
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .where(tries, '<', 5)
    .returning('code_hash')
    .executeTakeFirst()
  return row?.code_hash
}

export async function returnTry(db: Db, email: string, hash: string, isKnown: boolean): Promise<void> {
  const tries = isKnown ? 'known_tries' : 'tries'
  await db
    .updateTable('sign_in_codes')
    .set({ [tries]: sql`${sql.ref(tries)} - 1` })
    .where('email', '=', email)
    .where('code_hash', '=', hash)
    .where(tries, '>', 0)
    .execute()
}

/** Deletes a used code. Of several concurrent calls, exactly one returns true. */
export async function consumeCode(db: Db, email: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_codes')
    .where('email', '=', email)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** `idle_expires_at` is never later than the end of the session's maximum lifetime, so this condition covers both. */
const expiredSessions = (now: Date, most: number) => sql`
  delete from sessions where idle_expires_at < ${now} and token_hash in (
    select token_hash from sessions where idle_expires_at < ${now} order by idle_expires_at limit ${most})`

/** A device is forgotten when its cookie expires. */
const expiredDevices = (now: Date, most: number) => sql`
  delete from known_devices where ctid = any(array(
    select ctid from known_devices where seen_at < ${after(now, -days(promised.deviceDays))} order by seen_at limit ${most}))`

const expiredCounters = (now: Date, most: number) => sql`
  delete from rate_limits where expire < ${now.getTime()} and key in (
    select key from rate_limits where expire < ${now.getTime()} order by expire limit ${most})`

export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const tables = ['sign_in_codes', 'address_changes', 'address_undos'] as const
  await eachStep(
    ...tables.map((table) => () => db.deleteFrom(table).where('expires_at', '<', now).execute()),
    ...[expiredSessions, expiredDevices, expiredCounters].map(
      (expired) => () => inBatches(async (most) => Number((await expired(now, most).execute(db)).numAffectedRows)),
    ),
  )
}
