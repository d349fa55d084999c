import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

export interface ContactRow {
  user_id: string
  peer_id: string
  /** Whether the user lists the conversation, and whether the peer does. */
  mine: boolean
  theirs: boolean
}

/** Whom these people talk to, without the blocked, unmatched and hidden. */
export async function findContacts(db: Db, userIds: readonly string[]): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select me.user_id, me.peer_id, me.listed as mine, them.listed as theirs
    from conversation_members me
    join conversation_members them on them.conversation_id = me.conversation_id and them.user_id = me.peer_id
    join profiles p on p.user_id = me.peer_id
    where me.user_id = any(${userIds}::uuid[]) and (me.listed or them.listed) and not p.hidden
      and not is_blocked(me.user_id, me.peer_id) and not is_unmatched(me.user_id, me.peer_id)`.execute(db)
  return rows
}
