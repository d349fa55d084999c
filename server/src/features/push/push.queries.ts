import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'
import type { Subscription } from '../../platform/web-push.ts'

export interface SubscriptionRow extends Subscription {
  id: string
  public_key: string
  private_key: Buffer
  language: string
}

export interface DeviceRow {
  id: string
  device: string
  created_at: Date
  session_id: string
}

export function findKeys(db: Db): Promise<Selectable<DB['push_keys']>[]> {
  return db.selectFrom('push_keys').selectAll().orderBy('created_at', 'desc').execute()
}

/** Lets one node at a time create keys, until the transaction ends. The other nodes then find the new keys. */
export async function lockKeys(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('push-keys'))`.execute(db)
}

export async function insertKeys(
  db: Db,
  { publicKey, privateKey, now }: { publicKey: string; privateKey: Buffer; now: Date },
): Promise<void> {
  await db.insertInto('push_keys').values({ public_key: publicKey, private_key: privateKey, created_at: now }).execute()
}

export async function deleteUnusedKeys(db: Db, current: string): Promise<void> {
  await sql`delete from push_keys k where public_key <> ${current}
    and not exists (select from push_subscriptions s where s.public_key = k.public_key)`.execute(db)
}

/**
 * Stores a browser's subscription until its session ends, replacing any earlier one of this browser or session. Call it
 * in a transaction. If two sessions claim an endpoint, the later one gets it.
 */
export async function putSubscription(
  db: Db,
  s: Subscription & { userId: string; sessionId: string; publicKey: string; now: Date },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${s.endpoint}))`.execute(db)
  await sql`delete from push_subscriptions
    where endpoint = ${s.endpoint} and session_id <> ${s.sessionId}`.execute(db)
  await sql`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, public_key, created_at)
    select user_id, id, ${s.endpoint}, ${s.p256dh}, ${s.auth}, ${s.publicKey}, ${s.now}
    from sessions where id = ${s.sessionId} and user_id = ${s.userId} for key share
    on conflict (session_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
      public_key = excluded.public_key`.execute(db)
}

const living = (now: Date) => sql<boolean>`s.expires_at > ${now} and s.idle_expires_at > ${now}`

export async function findDevices(db: Db, userId: string, now: Date): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select p.id, s.device, p.created_at, p.session_id from push_subscriptions p join sessions s on s.id = p.session_id
    where p.user_id = ${userId} and ${living(now)} order by p.created_at, p.id`.execute(db)
  return rows
}

export async function findSubscriptions(
  db: Db,
  { userId, sessionId, now }: { userId: string; sessionId?: string; now: Date },
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select p.id, p.endpoint, p.p256dh, p.auth, p.public_key, k.private_key, a.language
    from push_subscriptions p join sessions s on s.id = p.session_id join accounts a on a.id = p.user_id
    join push_keys k on k.public_key = p.public_key
    where p.user_id = ${userId} and ${living(now)}
      and (${sessionId ?? null}::uuid is null or p.session_id = ${sessionId ?? null})
    order by p.id`.execute(db)
  return rows
}

export async function deleteSubscription(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
