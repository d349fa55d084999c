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

/** The same for many at once; of those to one person under one key, the last. In the order of person and key. */
export async function putNotifications(db: Db, all: readonly NewNotification[]): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    insert into notifications (user_id, kind, params, link, collapse_key, created_at)
    select distinct on (user_id, coalesce(collapse_key, place::text)) user_id, kind, params, link, collapse_key, created_at
    from unnest(${all.map((n) => n.userId)}::uuid[], ${all.map((n) => n.kind)}::text[],
      ${all.map((n) => JSON.stringify(n.params))}::jsonb[], ${all.map((n) => n.link)}::text[],
      ${all.map((n) => n.collapseKey)}::text[], ${all.map((n) => n.now.toISOString())}::timestamptz[]) with ordinality
      as given (user_id, kind, params, link, collapse_key, created_at, place)
    order by user_id, coalesce(collapse_key, place::text), place desc
    on conflict (user_id, collapse_key) where not read
    do update set kind = excluded.kind, params = excluded.params, link = excluded.link, created_at = excluded.created_at
    returning *`.execute(db)
  return rows
}

// What a notification says of somebody stands in its link, or in its key.
const about = sql`coalesce(substring(link from '^/(?:chat|profile)/([0-9a-f-]{36})$'),
  substring(collapse_key from '^(?:chat|pair):([0-9a-f-]{36})$'))::uuid`
/** Nothing is told of whom its reader does not see any more: they are blocked, unmatched or gone. */
const isTold = sql<boolean>`coalesce(${about} = user_id or may_see(user_id, ${about}), true)`

export function newestNotifications(db: Db, userId: string, limit: number): Promise<NotificationRow[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isTold)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The words whose texts somebody does not want to read. */
export async function findHiddenWords(db: Db, userId: string): Promise<string[]> {
  const row = await db.selectFrom('profiles').select('hidden_words').where('user_id', '=', userId).executeTakeFirst()
  return row?.hidden_words ?? []
}

export function markRead(db: Db, userId: string, id: string): Promise<NotificationRow | undefined> {
  return db
    .updateTable('notifications')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(isTold)
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

/** Keeps the newest `keep` of each person. */
export async function trimNotifications(db: Db, userIds: readonly string[], keep: number): Promise<void> {
  await sql`delete from notifications where id in (
    select n.id from unnest(${userIds}::uuid[]) as given (user_id) cross join lateral (
      select id from notifications where user_id = given.user_id order by created_at desc, id desc offset ${keep}) n)`.execute(
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
