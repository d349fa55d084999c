import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { type MessageRow, wholeRows } from './messages.queries.ts'

/** A place in the order of a search: microseconds, conversation, seq. */
export interface HitPosition {
  at: number
  conversationId: string
  seq: number
}

export type HitRow = MessageRow & { at: number }

/** How many conversations, the latest, and how many of their newest messages are looked through. */
const mostConversations = 500
const mostMessages = 50_000

/** `%`, `_` and the backslash stand for themselves. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/**
 * Messages of the given conversations that contain a text, whatever its case and accents, newest first. Bounded: of very
 * much, only the newest is looked through.
 */
export async function findHits(
  db: Db,
  viewerId: string,
  {
    query,
    peerId,
    from,
    limit,
  }: { query: string; peerId?: string | undefined; from?: HitPosition | undefined; limit: number },
): Promise<HitRow[]> {
  const source = sql`
    select x.* from (
      select s.*, (extract(epoch from s.created_at) * 1000000)::bigint as at from (
        select c.id, coalesce(c.last_message_at, c.created_at) as newest
        from conversation_members m
        join conversations c on c.id = m.conversation_id
        where m.user_id = ${viewerId} and m.listed and ${peerId === undefined ? sql`true` : sql`m.peer_id = ${peerId}`}
          and refusal_to_write(m.user_id, m.peer_id, false) is null
        order by newest desc limit ${mostConversations}) c
      cross join lateral (
        select * from messages where conversation_id = c.id and body <> '' order by seq desc limit ${mostMessages}) s
      limit ${mostMessages}) x
    where plain_text(x.body) like '%' || plain_text(${literally(query)}) || '%'
      ${from ? sql`and (x.at, x.conversation_id, x.seq) < (${from.at}::bigint, ${from.conversationId}::uuid, ${from.seq}::bigint)` : sql``}
    order by x.at desc, x.conversation_id desc, x.seq desc limit ${limit}`
  const { rows } =
    await sql<HitRow>`${wholeRows(source, sql`, m.at`)} order by m.at desc, m.conversation_id desc, m.seq desc`.execute(
      db,
    )
  return rows
}
