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

/** How many messages are looked through at most. */
const mostMessages = 30_000

/** `%`, `_` and the backslash stand for themselves. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

interface Wanted {
  query: string
  from?: HitPosition | undefined
  limit: number
}

/**
 * Messages of the given conversations that contain a text, whatever its case and accents, newest first. Bounded: the
 * conversations are looked through in their order, each from its newest message on, until so many were seen.
 */
export async function findHits(db: Db, ids: readonly string[], { query, from, limit }: Wanted): Promise<HitRow[]> {
  const source = sql`
    select x.* from (
      select s.*, (extract(epoch from s.created_at) * 1000000)::bigint as at
      from unnest(${ids}::uuid[]) with ordinality as given (id, place)
      cross join lateral (
        select * from messages where conversation_id = given.id and body <> '' order by seq desc limit ${mostMessages}) s
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
