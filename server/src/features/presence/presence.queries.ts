import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'

export interface ContactRow {
  user_id: string
  peer_id: string
  /**
   * Whether the user's list shows the conversation, and whether the peer has it, even if the peer's list doesn't show
   * it.
   */
  mine: boolean
  theirs: boolean
  /** The peer isn't told of the user, and the user doesn't know that. */
  held: boolean
}

/**
 * These people's contacts, as far as the two see each other and neither hides their presence. A suspended or otherwise
 * hidden person still gets others' presence, but the others don't get theirs. `offset 0` fixes the join order: planning
 * the order of eleven tables takes longer than reading them.
 */
export async function findContacts(db: Db, userIds: readonly string[]): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`${named('contacts')}
    select me.user_id, me.peer_id, me.listed as mine,
      me.theirs_listed or c.held_from is not null or c.last_seq > 0 or s.id is not null as theirs,
      c.held_from is not null or own.hidden as held
    from unnest((select ${userIds}::uuid[])) as asked (user_id)
    cross join lateral (
      select me.*, them.listed as theirs_listed from conversation_members me
        join conversation_members them on them.user_id = me.peer_id and them.conversation_id = me.conversation_id
      where me.user_id = asked.user_id and (me.listed or them.listed) offset 0) me
    cross join lateral (
      select held_from, last_seq from conversations
      where id = me.conversation_id and (held_from is null or held_from = me.user_id) offset 0) c
    left join lateral (select id, ended_at from matches where id = me.conversation_id offset 0) s on true
    cross join lateral (
      select hidden, is_open_to(profiles, me.peer_id, s.id is not null) as open from profiles
      where user_id = me.user_id and not hide_presence offset 0) own
    cross join lateral (
      select is_visible_to(profiles, me.user_id, s.id is not null) as visible from profiles
      where user_id = me.peer_id and not hide_presence offset 0) other
    where s.ended_at is null and own.open and other.visible
      and not exists (select from blocks where (blocker_id, blocked_id) in ((me.user_id, me.peer_id), (me.peer_id, me.user_id)))`.execute(
    db,
  )
  return rows
}

export async function findQuiet(db: Db, userIds: readonly string[]): Promise<Quiet[]> {
  const { rows } = await sql<Quiet>`
    select user_id, hide_presence, incognito from profiles
    where user_id = any(${userIds}::uuid[]) and (hide_presence or incognito)`.execute(db)
  return rows
}

export interface Quiet {
  user_id: string
  hide_presence: boolean
  incognito: boolean
}
