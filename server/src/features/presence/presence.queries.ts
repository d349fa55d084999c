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
    from unnest(${userIds}::uuid[]) as asked (user_id)
    join conversation_members me on me.user_id = asked.user_id
    join conversation_members them on them.user_id = me.peer_id and them.conversation_id = me.conversation_id
    join profiles p on p.user_id = me.peer_id
    left join matches s on s.id = me.conversation_id
    left join blocks own on own.blocker_id = me.user_id and own.blocked_id = me.peer_id
    left join blocks others on others.blocker_id = me.peer_id and others.blocked_id = me.user_id
    where (me.listed or them.listed) and not p.hidden
      and s.ended_at is null and own.blocker_id is null and others.blocker_id is null`.execute(db)
  return rows
}
