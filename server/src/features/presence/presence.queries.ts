import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'

export interface ContactRow {
  user_id: string
  peer_id: string
  /** Whether the user lists the conversation, and whether it is one for the peer, who may have taken it off their list. */
  mine: boolean
  theirs: boolean
  /** The peer does not hear of the user, who does not know. */
  held: boolean
}

/**
 * The contacts of these people: both see each other, and neither hides their presence.
 * A hidden person goes on getting the presence of others, who get nothing of theirs.
 */
export async function findContacts(db: Db, userIds: readonly string[]): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`${named('contacts')}
    select me.user_id, me.peer_id, me.listed as mine,
      them.listed or c.held_from is not null or c.last_seq > 0 or s.id is not null as theirs,
      c.held_from is not null or own_profile.hidden as held
    from unnest(${userIds}::uuid[]) as asked (user_id)
    join conversation_members me on me.user_id = asked.user_id
    join conversation_members them on them.user_id = me.peer_id and them.conversation_id = me.conversation_id
    join conversations c on c.id = me.conversation_id and (c.held_from is null or c.held_from = me.user_id)
    join profiles p on p.user_id = me.peer_id
    join profiles own_profile on own_profile.user_id = me.user_id
    left join matches s on s.id = me.conversation_id
    left join blocks own on own.blocker_id = me.user_id and own.blocked_id = me.peer_id
    left join blocks others on others.blocker_id = me.peer_id and others.blocked_id = me.user_id
    where (me.listed or them.listed) and is_visible_to(p, me.user_id, s.id is not null)
      and s.ended_at is null and own.blocker_id is null and others.blocker_id is null
      and not p.hide_presence and not own_profile.hide_presence
      and is_open_to(own_profile, me.peer_id, s.id is not null)`.execute(db)
  return rows
}

/** Those of these people who hide their presence, and those who are incognito. */
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
