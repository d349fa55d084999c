import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { AccountRow } from './accounts.queries.ts'

interface NewChange {
  userId: string
  email: string
  hash: string
  now: Date
  expiresAt: Date
}

/** Stores the address that a person wants to move to and a code with five attempts, replacing an earlier request. */
export async function putChange(db: Db, { userId, email, hash, now, expiresAt }: NewChange): Promise<void> {
  const values = { email, code_hash: hash, tries: 0, created_at: now, expires_at: expiresAt }
  await db
    .insertInto('address_changes')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export async function hasFreshChange(db: Db, userId: string, email: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('address_changes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('created_at', '>', since)
    .executeTakeFirst()
  return row !== undefined
}

export async function hasLiveChange(db: Db, userId: string, hash: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('address_changes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses one of a request's five attempts and returns the hash to compare with; undefined if none is left. */
export async function takeChangeTry(db: Db, userId: string, email: string, now: Date): Promise<string | undefined> {
  const row = await db
    .updateTable('address_changes')
    .set({ tries: sql`tries + 1` })
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .where('tries', '<', 5)
    .returning('code_hash')
    .executeTakeFirst()
  return row?.code_hash
}

/** Deletes a used request. Of several concurrent calls, exactly one returns true. */
export async function consumeChange(db: Db, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('address_changes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteAddressChange(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('address_changes').where('user_id', '=', userId).execute()
}

export function lockOwnAccount(db: Db, userId: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', userId).forUpdate().executeTakeFirst()
}

/**
 * Changes an account's address and deletes sign-in codes sent to the old one. Throws a duplicate error if the address
 * is taken.
 */
export async function setAddress(db: Db, account: Pick<AccountRow, 'id' | 'email'>, email: string): Promise<void> {
  await db.updateTable('accounts').set({ email }).where('id', '=', account.id).execute()
  await db.deleteFrom('sign_in_codes').where('email', '=', account.email).execute()
}

/** Whether another account has left this address and can still undo that. */
export async function isReserved(db: Db, email: string, now: Date, userId?: string): Promise<boolean> {
  const row = await db
    .selectFrom('address_undos')
    .select('id')
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .$if(userId !== undefined, (query) => query.where('user_id', '!=', userId as string))
    .executeTakeFirst()
  return row !== undefined
}

/** Records the address that an account has left. Returns the id of the undo. */
export async function insertUndo(
  db: Db,
  undo: { userId: string; email: string; now: Date; expiresAt: Date },
): Promise<string> {
  const { userId, email, now, expiresAt } = undo
  const { id } = await db
    .insertInto('address_undos')
    .values({ user_id: userId, email, created_at: now, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function findUndo(db: Db, id: string, now: Date) {
  return db
    .selectFrom('address_undos')
    .select(['user_id', 'email', 'created_at'])
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Deletes an undo and the undos of all later changes. Of several concurrent calls, exactly one returns true. */
export async function consumeUndo(db: Db, id: string, userId: string, since: Date): Promise<boolean> {
  const rows = await db
    .deleteFrom('address_undos')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .returning('id')
    .execute()
  return rows.some((row) => row.id === id)
}
