import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export async function replaceAccountCodes(db: Db, userId: string, hashes: readonly Buffer[], now: Date): Promise<void> {
  await deleteAccountCodes(db, userId)
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: now }))
  await db.insertInto('account_recovery_codes').values(rows).execute()
}

/** Deletes a used code. Of several concurrent calls, exactly one returns the owner's id. */
export async function consumeAccountCode(db: Db, email: string, hash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    delete from account_recovery_codes c using accounts a
    where a.email = ${email} and c.user_id = a.id and c.code_hash = ${hash} returning c.user_id`.execute(db)
  return rows[0]?.user_id
}

export async function countAccountCodes(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from account_recovery_codes where user_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function deleteAccountCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('account_recovery_codes').where('user_id', '=', userId).execute()
}
