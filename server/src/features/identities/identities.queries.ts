import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'

export type ProofRow = Omit<Selectable<DB['identity_proofs']>, 'code_hash' | 'browser_hash'>
type IdentityRow = Selectable<DB['identities']>

type Subject = Pick<IdentityRow, 'issuer' | 'subject'>

/** Hashes of the code and of the browser's name. Using a proof requires both. */
export interface ProofKey {
  codeHash: Buffer
  browserHash: Buffer
}

export async function insertProof(db: Db, { codeHash, browserHash }: ProofKey, proof: ProofRow): Promise<void> {
  await db
    .insertInto('identity_proofs')
    .values({ code_hash: codeHash, browser_hash: browserHash, ...proof })
    .execute()
}

export function findProof(db: Db, { codeHash, browserHash }: ProofKey, now: Date): Promise<ProofRow | undefined> {
  return db
    .selectFrom('identity_proofs')
    .select(['issuer', 'subject', 'email', 'stays', 'expires_at'])
    .where('code_hash', '=', codeHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Consumes a proof. Of several concurrent calls, exactly one gets it. */
export function takeIdentityProof(
  db: Db,
  { codeHash, browserHash }: ProofKey,
  now: Date,
): Promise<ProofRow | undefined> {
  return db
    .deleteFrom('identity_proofs')
    .where('code_hash', '=', codeHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .returning(['issuer', 'subject', 'email', 'stays', 'expires_at'])
    .executeTakeFirst()
}

export function findIdentity(db: Db, { issuer, subject }: Subject): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function hasAccount(db: Db, email: string): Promise<boolean> {
  const row = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

/**
 * Locks an account until the transaction ends, so that its address can't change and it can't become an administrator's.
 */
export function lockIdentityOwner(db: Db, id: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'is_super_admin'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function lockOwnerByAddress(db: Db, email: string | null) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'is_super_admin'])
    .where('email', '=', email ?? '')
    .forUpdate()
    .executeTakeFirst()
}

/** Links an identity to an account. Returns false if either is already linked. */
export async function insertIdentity(db: Db, { issuer, subject }: Subject, userId: string, now: Date) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('identities')
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export function listIdentitiesOf(db: Db, userId: string): Promise<IdentityRow[]> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Marks an identity as removed. Returns false if it belongs to someone else or is already removed. */
export async function markRemoved(db: Db, userId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('identities')
    .set({ removed_at: now })
    .where('user_id', '=', userId)
    .where(sql<string>`id::text`, '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteRemoved(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where(sql<string>`id::text`, '=', id)
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the identities linked to an account, except removed ones, which must stay blocked. */
export async function deleteLinked(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('identities').where('user_id', '=', userId).where('removed_at', 'is', null).execute()
}

export async function deleteExpiredProofs(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('identity_proofs').where('expires_at', '<', now).execute()
}
