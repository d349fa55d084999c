import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

interface Reworded {
  receiverId: string
  collapseKey: string
  since: Date
  from: string
  to: string
}

/** Replaces the quoted text in a message's notification. Returns whether there was such a notification. */
export async function rewordPreviews(db: Db, { receiverId, collapseKey, since, from, to }: Reworded): Promise<boolean> {
  const { rows } = await sql`
    update notifications set params = params || jsonb_build_object('preview', ${to}::text)
    where user_id = ${receiverId} and kind = 'message' and collapse_key = ${collapseKey}
      and created_at > ${since}::timestamptz - interval '1 second' and params ->> 'preview' = ${from}
    returning id`.execute(db)
  return rows.length > 0
}

export async function hasUnread(db: Db, senderId: string, receiverId: string): Promise<boolean> {
  const { rows } = await sql`
    select from conversations c join messages m on m.conversation_id = c.id
    where c.id = conversation_id(${senderId}, ${receiverId}) and m.sender_id = ${senderId} and m.deleted_at is null
      and m.seq > case when c.user_lo = ${receiverId}::uuid then c.read_lo else c.read_hi end
    limit 1`.execute(db)
  return rows.length > 0
}
