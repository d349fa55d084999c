import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'
import type { Answered } from './ceremony.ts'

export type PasskeyRow = Selectable<DB['passkeys']>

export function findPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Locks the passkey until the transaction ends, so that simultaneous proofs are verified one at a time. */
export function lockPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).forUpdate().executeTakeFirst()
}

interface NewRow {
  userId: string
  sessionId: string
  credentialId: string
  publicKey: Uint8Array
  counter: number
  transports: string[]
  name: string
  isSynced: boolean
  now: Date
  most: number
}

/**
 * Stores a new passkey if the session that created it still exists. Undefined if anyone has this passkey already, or
 * the person has the maximum number. The passkey counts as a second factor if that session has passed one since
 * `passedSince`.
 */
export async function insertPasskey(db: Db, row: NewRow & { passedSince: Date }): Promise<PasskeyRow | undefined> {
  // Simultaneous inserts wait for each other, so that all of them are counted.
  await sql`select from accounts where id = ${row.userId} for no key update`.execute(db)
  const { rows } = await sql<PasskeyRow>`
    insert into passkeys (user_id, credential_id, public_key, counter, transports, name, is_synced, is_second_factor, created_at)
    select s.user_id, ${row.credentialId}, ${Buffer.from(row.publicKey)}, ${row.counter}, ${row.transports}, ${row.name},
      ${row.isSynced}, s.second_factor_at > ${row.passedSince} is true and exists (
        select from second_factors f where f.user_id = s.user_id and f.confirmed_at is not null), ${row.now}
    from sessions s where s.id = ${row.sessionId} and s.user_id = ${row.userId}
      and (select count(*) from passkeys p where p.user_id = s.user_id) < ${row.most}
    on conflict (credential_id) do nothing returning *`.execute(db)
  return rows[0]
}

export async function noteUse(
  db: Db,
  id: string,
  { counter, isSynced, now }: { counter: number; isSynced: boolean; now: Date },
): Promise<void> {
  await db
    .updateTable('passkeys')
    .set({ counter: String(counter), is_synced: isSynced, last_used_at: now })
    .where('id', '=', id)
    .execute()
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deletePasskeys(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

export async function takeChallenge(db: Db, { hash, expiresAt }: Answered): Promise<boolean> {
  const { rows } = await sql`
    insert into passkey_challenges (hash, expires_at) values (${hash}, ${expiresAt}) on conflict do nothing returning 1`.execute(
    db,
  )
  return rows.length > 0
}

export async function deleteEndedChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}
