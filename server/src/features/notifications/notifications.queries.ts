import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import type { DB } from '../../platform/database/schema.ts'

export type NotificationRow = Selectable<DB['notifications']>

/** A stored notification, with the person's choice of topics to show in the app. */
export type PutRow = NotificationRow & { in_app: unknown }

export interface NewNotification {
  userId: string
  kind: string
  params: Record<string, string>
  link: string | null
  collapseKey: string | null
  now: Date
}

// The push job is stored together with the notification, if the person has a browser to push to. A renewed unread
// notification isn't pushed again. Each job queue serves a share of the people, so that an unresponsive push service
// delays only a few, and queue names don't identify anyone.
const pushed = sql`select put.*,
    (select p.in_app from notification_preferences p where p.user_id = put.user_id) as in_app, case when put.pushed_at is null
    and exists (select from push_subscriptions s where s.user_id = put.user_id)
  then add_job_later('push', json_build_object('id', put.id), 'push:' || put.id, 'push:' || (hashtext(put.user_id::text) & 63), '6 seconds') end
  from put`

// If the kind changes, the wait before it is pushed or emailed starts again.
const renewed = sql`do update set kind = excluded.kind, params = excluded.params, link = excluded.link,
        created_at = excluded.created_at, first_at = case when notifications.kind = excluded.kind
          then coalesce(notifications.first_at, notifications.created_at) end`

export async function putNotification(db: Db, n: NewNotification): Promise<PutRow> {
  const { rows } = await sql<PutRow>`${named('put-notification')}
    with put as (
      insert into notifications (user_id, kind, params, link, collapse_key, created_at)
      values (${n.userId}, ${n.kind}, ${JSON.stringify(n.params)}, ${n.link}, ${n.collapseKey}, ${n.now})
      on conflict (user_id, collapse_key) where not read
      ${renewed}
      returning *)
    ${pushed}`.execute(db)
  return rows[0] as PutRow
}

/**
 * Like `putNotification`, for many. Of several with the same person and key, the last one counts. Ordered by person and
 * key.
 */
export async function putNotifications(db: Db, all: readonly NewNotification[]): Promise<PutRow[]> {
  const { rows } = await sql<PutRow>`
    with put as (
      insert into notifications (user_id, kind, params, link, collapse_key, created_at)
      select distinct on (user_id, coalesce(collapse_key, place::text)) user_id, kind, params, link, collapse_key, created_at
      from unnest(${all.map((n) => n.userId)}::uuid[], ${all.map((n) => n.kind)}::text[],
        ${all.map((n) => JSON.stringify(n.params))}::jsonb[], ${all.map((n) => n.link)}::text[],
        ${all.map((n) => n.collapseKey)}::text[], ${all.map((n) => n.now.toISOString())}::timestamptz[]) with ordinality
        as given (user_id, kind, params, link, collapse_key, created_at, place)
      order by user_id, coalesce(collapse_key, place::text), place desc
      on conflict (user_id, collapse_key) where not read
      ${renewed}
      returning *)
    ${pushed}`.execute(db)
  return rows
}

// The person a notification is about, from its link or its key. Patterns would take longer than the rest of the query.
const about = sql`case when link like '/chat/%' or link like '/profile/%' then right(link, 36)
  when collapse_key like 'pair:%' then right(collapse_key, 36) end::uuid`

// Leaves out notifications about people whom the recipient no longer sees: blocked, unmatched or gone. Joins blocks and
// matches, because each notification may be about another person.
const shownOf = (condition: RawBuilder<unknown>) => sql`
    from (select *, ${about} as person from notifications where ${condition} offset 0) n
    left join profiles p on p.user_id = n.person
    left join blocks mine on mine.blocker_id = n.user_id and mine.blocked_id = n.person
    left join blocks theirs on theirs.blocker_id = n.person and theirs.blocked_id = n.user_id
    left join matches m on m.id = conversation_id(n.user_id, n.person)
    where (n.person is null or n.person = n.user_id
      or mine.blocker_id is null and theirs.blocker_id is null and m.ended_at is null
        and is_visible_to(p, n.user_id, m.id is not null))`

const columns = sql`n.id, n.user_id, n.kind, n.params, n.link, n.collapse_key, n.read, n.created_at, n.pushed_at, n.mailed_at,
  n.first_at, n.claimed_until`

export async function newestNotifications(db: Db, userId: string, limit: number): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select ${columns} ${shownOf(sql`user_id = ${userId}`)}
    order by n.created_at desc, n.id desc limit ${limit}`.execute(db)
  return rows
}

const isListening = sql`exists (select from accounts a where a.id = n.user_id and a.standing in ('good', 'restricted'))
  and not (n.kind = 'message' and exists (select from conversation_members own
    where own.user_id = n.user_id and own.conversation_id = conversation_id(n.user_id, n.person) and own.muted))`

/** An unread notification that wasn't pushed, if its person would see it now and has turned its topic on. */
export async function findUntold(db: Db, id: string): Promise<NotificationRow | undefined> {
  const { rows } = await sql<NotificationRow>`
    select ${columns} ${shownOf(sql`id = ${id} and not read and pushed_at is null`)} and ${isListening}`.execute(db)
  return rows[0]
}

interface Claim {
  /** Pushed notifications aren't emailed, but emailed ones may be pushed. */
  by: 'push' | 'mail'
  now: Date
  /** When another process may claim the notification, unless it was delivered by then. */
  until: Date
}

/**
 * Claims notifications to push or email them. Returns the claimed ids, without those read, delivered, withdrawn or
 * claimed in the meantime.
 */
export async function claimUntold(db: Db, ids: readonly string[], { by, now, until }: Claim): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update notifications set claimed_until = ${until}
    where id = any(${ids}::uuid[]) and not read and pushed_at is null and (mailed_at is null or ${by} = 'push')
      and (claimed_until is null or claimed_until <= ${now})
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function releaseClaims(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update notifications set claimed_until = null where id = any(${ids}::uuid[])`.execute(db)
}

export async function markPushed(db: Db, id: string, now: Date): Promise<void> {
  await sql`update notifications set pushed_at = ${now}, claimed_until = null where id = ${id}`.execute(db)
}

/**
 * A person's undelivered notifications of these kinds that happened after `since`, have waited since `until` and are
 * still visible; oldest first.
 */
export async function findMailable(
  db: Db,
  { userId, kinds, since, until }: { userId: string; kinds: readonly string[]; since: Date; until: Date },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select ${columns} ${shownOf(sql`user_id = ${userId} and not read and pushed_at is null and mailed_at is null
      and kind = any(${kinds}::text[]) and created_at >= ${since} and coalesce(first_at, created_at) <= ${until}`)} and ${isListening}
    order by n.created_at, n.id`.execute(db)
  return rows
}

export async function markMailed(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await sql`update notifications set mailed_at = ${now}, claimed_until = null where id = any(${ids}::uuid[])`.execute(
    db,
  )
}

export async function markKeyMailed(db: Db, userId: string, collapseKey: string, now: Date): Promise<void> {
  await sql`update notifications set mailed_at = ${now}
    where user_id = ${userId} and collapse_key = ${collapseKey} and not read`.execute(db)
}

export async function findPushed(db: Db, userId: string, limit: number): Promise<NotificationRow[]> {
  return db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('read', '=', false)
    .where('pushed_at', 'is not', null)
    .orderBy('pushed_at', 'desc')
    .limit(limit)
    .execute()
}

export async function findReading(db: Db, userId: string): Promise<{ hidden_words: string[]; in_app: unknown }> {
  const row = await db
    .selectFrom('profiles')
    .leftJoin('notification_preferences as chosen', 'chosen.user_id', 'profiles.user_id')
    .select(['hidden_words', 'chosen.in_app'])
    .where('profiles.user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { hidden_words: [], in_app: null }
}

/** Only of these kinds, because others aren't in the person's list. */
export function markRead(
  db: Db,
  userId: string,
  id: string,
  kinds: readonly string[],
): Promise<NotificationRow | undefined> {
  return db
    .updateTable('notifications')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('kind', 'in', kinds)
    .where(sql<boolean>`coalesce(${about} = user_id or may_see(user_id, ${about}), true)`)
    .returningAll()
    .executeTakeFirst()
}

export async function markAllRead(db: Db, userId: string, listed: readonly string[]): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('read', '=', false)
    .where(sql<boolean>`kind = any(${listed}::text[])`)
    .execute()
}

export async function markKeyRead(db: Db, userId: string, collapseKey: string): Promise<boolean> {
  const { numAffectedRows } = await sql`${named('mark-key-read')}
    update notifications set read = true
    where user_id = ${userId} and collapse_key = ${collapseKey} and not read`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export async function deleteNotifications(db: Db, userId: string, listed: readonly string[]): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where(sql<boolean>`kind = any(${listed}::text[])`)
    .execute()
}

export async function trimNotifications(db: Db, userIds: readonly string[], keep: number): Promise<void> {
  await sql`${named('trim-notifications')} delete from notifications where id in (
    select n.id from unnest((select ${userIds}::uuid[])) as given (user_id) cross join lateral (
      select id from notifications where user_id = given.user_id order by created_at desc, id desc offset ${keep}) n)`.execute(
    db,
  )
}

export async function deleteUnread(db: Db, userId: string, collapseKey: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('collapse_key', '=', collapseKey)
    .where('read', '=', false)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
