import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface UntoldRow {
  user_id: string
  /** The time (ISO 8601) of the latest notification of each kind that hasn't reached them. */
  latest: Record<string, string>
  /** When they want each topic by email; null if they never chose. */
  email: unknown
  lock_screen: string | null
  /** Their time zone (IANA) and coordinates in degrees; null when unknown. */
  time_zone: string | null
  latitude: number | null
  longitude: number | null
  quiet_from: number | null
  quiet_to: number | null
  is_pushed_to: boolean
  mailed_at: Date | null
}

/**
 * People with notifications of these kinds that happened after `since`, have waited since `until` and haven't reached
 * them. Ordered by id, after the id `after`. Includes what determines their local time. Leaves out people who get no
 * news, and people whose mailbox is gone.
 */
export async function findUntoldPeople(
  db: Db,
  {
    kinds,
    since,
    until,
    after,
    limit,
    now,
  }: { kinds: readonly string[]; since: Date; until: Date; after: string; limit: number; now: Date },
): Promise<UntoldRow[]> {
  const { rows } = await sql<UntoldRow>`
    select u.*, p.email, p.lock_screen, p.quiet_from, p.quiet_to, p.time_zone, l.latitude, l.longitude,
      exists (select from push_subscriptions s where s.user_id = u.user_id) as is_pushed_to
    from (select n.user_id, jsonb_object_agg(n.kind, n.latest) as latest, max(a.news_mailed_at) as mailed_at
      from (select user_id, kind, max(created_at) as latest from notifications
        where not read and pushed_at is null and mailed_at is null and user_id > ${after}
          and created_at > ${since} and coalesce(first_at, created_at) <= ${until} and kind = any(${kinds}::text[])
        group by user_id, kind) n
      join accounts a on a.id = n.user_id
      where a.standing in ('good', 'restricted') and a.erase_at is null
        and not exists (select from mail_stops s where s.user_id = a.id and s.mail_group = 'all')
        and not exists (select from unreachable_mailboxes m
          where m.user_id = a.id and m.email = a.email and m.again_at > ${now})
      group by n.user_id order by n.user_id limit ${limit}) u
    left join notification_preferences p on p.user_id = u.user_id
    left join locations l on l.user_id = u.user_id
    order by u.user_id`.execute(db)
  return rows
}

export async function putNewsMailed(db: Db, userId: string, now: Date): Promise<void> {
  await db.updateTable('accounts').set({ news_mailed_at: now }).where('id', '=', userId).execute()
}
