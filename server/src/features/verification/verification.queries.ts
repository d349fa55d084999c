import type { Pose, VerificationReason } from '@duet/contract/verification.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'
import { mayDecide } from '../claims/parties.queries.ts'

export type VerificationRow = Selectable<DB['verifications']>

/** Locks a person's photos and badge until the transaction ends. */
export async function lockPerson(db: Db, userId: string): Promise<void> {
  await db.selectFrom('profiles').select('user_id').where('user_id', '=', userId).forNoKeyUpdate().execute()
}

/** Prevents an erasure of the account until the transaction ends. Waits for one that is running. */
export async function holdAccount(db: Db, userId: string): Promise<void> {
  await sql`select from accounts where id = ${userId} for key share`.execute(db)
}

export function findVerification(db: Db, userId: string): Promise<VerificationRow | undefined> {
  return db.selectFrom('verifications').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

export function findById(db: Db, id: string): Promise<VerificationRow | undefined> {
  return db.selectFrom('verifications').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findMainPhoto(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ photo: string | null }>`select main_photo(${userId}) as photo`.execute(db)
  return rows[0]?.photo ?? null
}

interface Asked {
  userId: string
  pose: Pose
  fileName: string
  now: Date
  expiresAt: Date
}

export async function putAsked(db: Db, { userId, pose, fileName, now, expiresAt }: Asked): Promise<void> {
  await deleteVerification(db, userId)
  await db
    .insertInto('verifications')
    .values({ user_id: userId, pose, state: 'asked', file_name: fileName, asked_at: now, expires_at: expiresAt })
    .execute()
}

export async function setWaiting(db: Db, userId: string, photo: string, now: Date): Promise<void> {
  await db
    .updateTable('verifications')
    .set({ state: 'waiting', photo, submitted_at: now })
    .where('user_id', '=', userId)
    .execute()
}

interface Decided {
  state: 'approved' | 'rejected'
  reason: VerificationReason | null
  now: Date
}

export async function setDecided(db: Db, userId: string, { state, reason, now }: Decided): Promise<void> {
  await db.updateTable('verifications').set({ state, reason, decided_at: now }).where('user_id', '=', userId).execute()
}

export async function setVerified(db: Db, userId: string, verified: boolean): Promise<void> {
  await db.updateTable('profiles').set({ verified }).where('user_id', '=', userId).execute()
}

/** Keeps a lost or revoked badge on record, so that it can be restored. False if there was none. */
export async function setRevoked(
  db: Db,
  userId: string,
  from: readonly string[] = ['approved', 'lost', 'revoked'],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('verifications')
    .set({ state: 'revoked' })
    .where('user_id', '=', userId)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Restores a stored badge; false if there is none, or another photo is first now. */
export async function setRestored(db: Db, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('verifications')
    .set({ state: 'approved' })
    .where('user_id', '=', userId)
    .where('state', '=', 'revoked')
    .where('photo', '=', sql<string>`main_photo(user_id)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteVerification(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('user_id', '=', userId).execute()
}

export async function deleteLost(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('verifications')
    .where('user_id', '=', userId)
    .where('state', '=', 'lost')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface WaitingVerification {
  id: string
  user_id: string
  name: string
  pose: Pose
  submitted_at: Date
}

export async function findWaitingVerifications(
  db: Db,
  reviewerId: string,
  after: { at: string; id: string } | undefined,
  limit: number,
): Promise<WaitingVerification[]> {
  const behind = after ? sql`and (v.submitted_at, v.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<WaitingVerification>`
    select v.id, v.user_id, p.name, v.pose, v.submitted_at
    from verifications v join profiles p on p.user_id = v.user_id
    where v.state = 'waiting' and ${mayDecide('verification', sql`v.id::text`, reviewerId)} ${behind}
    order by v.submitted_at, v.id limit ${limit}`.execute(db)
  return rows
}

interface Over {
  /** Unanswered poses that expired before this. */
  asked: Date
  waiting: Date
  rejected: Date
}

/**
 * People whose request is over: an unanswered pose, a selfie without a decision, or an old rejection; and people who
 * haven't been told yet that they lost a badge. `one` limits the search to one person.
 */
export async function findLapsed(
  db: Db,
  { asked, waiting, rejected }: Over,
  of: { one?: string } = {},
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from verifications
    where (state = 'asked' and expires_at < ${asked} or state = 'waiting' and submitted_at < ${waiting}
      or state = 'rejected' and decided_at < ${rejected} or state = 'lost') and user_id = coalesce(${of.one ?? null}::uuid, user_id)`.execute(
    db,
  )
  return rows.map((row) => row.user_id)
}
