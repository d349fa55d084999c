import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import type { DB } from '../../platform/database/schema.ts'

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
  const { rows } = await sql<NotificationRow>`${named('put-notification')}
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

// The person a notification is about is in its link, or in its key. Patterns would take longer than all the rest.
const about = sql`case when link like '/chat/%' or link like '/profile/%' then right(link, 36)
  when collapse_key like 'pair:%' then right(collapse_key, 36) end::uuid`

/**
 * A person's newest notifications, without those about people they no longer see: blocked, unmatched or gone. Blocks and
 * matches are joined: there may be as many people as notifications.
 */
export async function newestNotifications(db: Db, userId: string, limit: number): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select n.id, n.user_id, n.kind, n.params, n.link, n.collapse_key, n.read, n.created_at
    from (select *, ${about} as person from notifications where user_id = ${userId} offset 0) n
    left join profiles p on p.user_id = n.person
    left join blocks mine on mine.blocker_id = n.user_id and mine.blocked_id = n.person
    left join blocks theirs on theirs.blocker_id = n.person and theirs.blocked_id = n.user_id
    left join matches m on m.user_lo = least(n.user_id, n.person) and m.user_hi = greatest(n.user_id, n.person)
    where n.person is null or n.person = n.user_id
      or mine.blocker_id is null and theirs.blocker_id is null and m.ended_at is null
        and is_visible_to(p, n.user_id, m.id is not null)
    order by n.created_at desc, n.id desc limit ${limit}`.execute(db)
  return rows
}

/** The hidden words of a person. */
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
    .where(sql<boolean>`coalesce(${about} = user_id or may_see(user_id, ${about}), true)`)
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
  const { numAffectedRows } = await sql`${named('mark-key-read')}
    update notifications set read = true
    where user_id = ${userId} and collapse_key = ${collapseKey} and not read`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export async function deleteNotifications(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('notifications').where('user_id', '=', userId).execute()
}

/** Keeps the newest `keep` of each person. */
export async function trimNotifications(db: Db, userIds: readonly string[], keep: number): Promise<void> {
  await sql`${named('trim-notifications')} delete from notifications where id in (
    select n.id from unnest((select ${userIds}::uuid[])) as given (user_id) cross join lateral (
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
