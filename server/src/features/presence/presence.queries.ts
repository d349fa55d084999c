import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

export interface ContactRow {
  user_id: string
  peer_id: string
  /** Whether the user lists the conversation, and whether the peer does. */
  mine: boolean
  theirs: boolean
  /** The peer does not hear of the user, who does not know. */
  held: boolean
}

/**
 * Whom these people talk to: both see each other, as may_see says it (in line), and neither keeps it to themselves when
 * they are here.
 */
export async function findContacts(db: Db, userIds: readonly string[]): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select me.user_id, me.peer_id, me.listed as mine, them.listed or c.held_from is not null as theirs,
      c.held_from is not null as held
    from unnest(${userIds}::uuid[]) as asked (user_id)
    join conversation_members me on me.user_id = asked.user_id
    join conversation_members them on them.user_id = me.peer_id and them.conversation_id = me.conversation_id
    join conversations c on c.id = me.conversation_id and (c.held_from is null or c.held_from = me.user_id)
    join profiles p on p.user_id = me.peer_id
    join profiles own_profile on own_profile.user_id = me.user_id
    left join matches s on s.id = me.conversation_id
    left join blocks own on own.blocker_id = me.user_id and own.blocked_id = me.peer_id
    left join blocks others on others.blocker_id = me.peer_id and others.blocked_id = me.user_id
    where (me.listed or them.listed) and not p.hidden
      and s.ended_at is null and own.blocker_id is null and others.blocker_id is null
      and not p.hide_presence and not own_profile.hide_presence
      and (not p.incognito or shows_to(me.peer_id, me.user_id))
      and (not own_profile.incognito or shows_to(me.user_id, me.peer_id))`.execute(db)
  return rows
}

/** Those of these people who keep it to themselves when they are here, and those whom not everybody may see. */
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
