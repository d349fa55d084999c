import { promised } from '@duet/contract/promised.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { TimedPosition } from '../../platform/http/cursor.ts'

export interface PastContactRow {
  id: string
  /** The name by which the viewer knew the person. */
  name: string
  since: Date
  matched: boolean
  /** The number of the last message that the viewer could see; 0 without messages. */
  last_seq: number
}

/**
 * The people whom a person matched or exchanged messages with, as far as that person knows: without matches and
 * messages that moderation holds back. The result is the same whatever the reason they no longer see someone, and
 * doesn't change afterwards.
 */
const contactsOf = (viewerId: string, now: Date, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select *, coalesce(name_after(id, last_at), now_named) as name
  from (
    select m.peer_id as id, p.name as now_named, s.matched, m.listed,
      case when h.held then c.held_seq else c.last_seq end as last_seq,
      -- As exact as the cursor of the list.
      date_trunc('milliseconds', least(s.matched_at,
        (select created_at from messages where conversation_id = c.id and seq = 1))) as since,
      greatest(s.matched_at, case when h.held
        then (select created_at from messages where conversation_id = c.id and seq = c.held_seq)
        else c.last_message_at end) as last_at,
      s.matched and s.ended_at is null as matched_now
    from conversation_members m join conversations c on c.id = m.conversation_id join profiles p on p.user_id = m.peer_id
    cross join lateral (select c.held_from is not null and c.held_from <> m.user_id as held) h
    left join lateral (select matched_at, ended_at, true as matched from matches
      where id = c.id and not is_unheard(m.peer_id, m.user_id)) s on true
    where m.user_id = ${viewerId} and ${which}) known
  where (matched or last_seq > 0)
    and last_at > ${now}::timestamptz - make_interval(months => ${promised.pastContactMonths})`

/**
 * A person whom the viewer matched or exchanged messages with in the last twelve months, visible or not; undefined for
 * everyone else.
 */
export async function findContact(
  db: Db,
  viewerId: string,
  personId: string,
  now: Date,
): Promise<PastContactRow | undefined> {
  const { rows } = await sql<PastContactRow>`
    select id, name, since, coalesce(matched, false) as matched, last_seq
    from (${contactsOf(viewerId, now, sql`m.peer_id = ${personId}`)}) contact`.execute(db)
  return rows[0]
}

/**
 * Contacts whom a person no longer sees or no longer has in a list, newest first. The twelve months count from the last
 * message or the match, so they reveal neither when nor why someone is gone.
 */
export async function findPastContacts(
  db: Db,
  viewerId: string,
  { now, after, limit }: { now: Date; after: TimedPosition | undefined; limit: number },
): Promise<PastContactRow[]> {
  const behind = after ? sql`and (since, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<PastContactRow>`
    select id, name, since, coalesce(matched, false) as matched, last_seq
    from (${contactsOf(viewerId, now, sql`true`)}) contact
    where (not (listed or coalesce(matched_now, false)) or not may_see(${viewerId}, id)) ${behind}
    order by since desc, id desc limit ${limit}`.execute(db)
  return rows
}
