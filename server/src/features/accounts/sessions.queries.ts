import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'

export type SessionRow = Omit<Selectable<DB['sessions']>, 'token_hash' | 'second_factor_at' | 'stays'>

interface NewSession {
  tokenHash: Buffer
  userId: string
  device: string
  stays: boolean
  now: Date
  idleExpiresAt: Date
  expiresAt: Date
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      device: session.device,
      stays: session.stays,
      created_at: session.now,
      authenticated_at: session.now,
      last_seen_at: session.now,
      idle_expires_at: session.idleExpiresAt,
      expires_at: session.expiresAt,
    })
    .execute()
}

export async function deleteOldest(db: Db, userId: string, keep: number): Promise<void> {
  await sql`delete from sessions where id in (
    select id from sessions where user_id = ${userId} order by last_seen_at desc, created_at desc offset ${keep})`.execute(
    db,
  )
}

export function listSessionsOf(db: Db, userId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'user_id',
      'device',
      'created_at',
      'authenticated_at',
      'last_seen_at',
      'idle_expires_at',
      'expires_at',
    ])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .execute()
}

/** Stores a device that signs in, forgetting all but the `keep` most recent ones. Returns whether it is new. */
export async function noteDevice(
  db: Db,
  { userId, hash, now, keep }: { userId: string; hash: Buffer; now: Date; keep: number },
): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into known_devices (user_id, device_hash, seen_at) values (${userId}, ${hash}, ${now})
    on conflict (user_id, device_hash) do update set seen_at = excluded.seen_at returning xmax = 0 as is_new`.execute(
    db,
  )
  await sql`delete from known_devices where user_id = ${userId} and device_hash in (
    select device_hash from known_devices where user_id = ${userId} order by seen_at desc offset ${keep})`.execute(db)
  return rows[0]?.is_new ?? false
}

export async function forgetDevices(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('known_devices').where('user_id', '=', userId).execute()
}

export async function deleteSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql<string>`id::text`, '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function hasSession(db: Db, sessionId: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst()
  return row !== undefined
}

/** Ends all sessions of a person, except `except`. Returns their ids. */
export async function deleteSessionsOf(db: Db, userId: string, except?: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except as string))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function renewAuthentication(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ authenticated_at: now }).where('id', '=', sessionId).execute()
}
