import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { DB } from '../../platform/schema.ts'

export type NotificationRow = Selectable<DB['notifications']>

export interface NewNotification {
  userId: string
  kind: string
  params: Record<string, string>
  link: string | null
  collapseKey: string | null
  now: Date
}

/** Inserts a notification, or renews the unread one that has the same key. */
export async function putNotification(db: Db, n: NewNotification): Promise<NotificationRow> {
  const { rows } = await sql<NotificationRow>`
    insert into notifications (user_id, kind, params, link, collapse_key, created_at)
    values (${n.userId}, ${n.kind}, ${JSON.stringify(n.params)}, ${n.link}, ${n.collapseKey}, ${n.now})
    on conflict (user_id, collapse_key) where not read
    do update set kind = excluded.kind, params = excluded.params, link = excluded.link, created_at = excluded.created_at
    returning *`.execute(db)
  return rows[0] as NotificationRow
}

export function newestNotifications(db: Db, userId: string, limit: number): Promise<NotificationRow[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function markRead(db: Db, userId: string, id: string): Promise<NotificationRow | undefined> {
  return db
    .updateTable('notifications')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function markAllRead(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('read', '=', false)
    .execute()
}

/** Marks what carries this key read; true when something was unread. */
export async function markKeyRead(db: Db, userId: string, collapseKey: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('collapse_key', '=', collapseKey)
    .where('read', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteNotifications(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('notifications').where('user_id', '=', userId).execute()
}

/** Keeps the newest `keep` of a person. */
export async function trimNotifications(db: Db, userId: string, keep: number): Promise<void> {
  await sql`delete from notifications where id in (
    select id from notifications where user_id = ${userId} order by created_at desc, id desc offset ${keep})`.execute(
    db,
  )
}

/** Deletes what is unread under this key; true when there was something. */
export async function deleteUnread(db: Db, userId: string, collapseKey: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('collapse_key', '=', collapseKey)
    .where('read', '=', false)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
