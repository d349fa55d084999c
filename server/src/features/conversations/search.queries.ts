import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type MessageRow, wholeRows } from './messages.queries.ts'

/** A place in the order of a search: microseconds, conversation, seq. */
export interface HitPosition {
  at: number
  pairId: string
  seq: number
}

export type HitRow = MessageRow & { at: number }

/** How many messages are looked through at most, and how many of them for one answer. */
const mostMessages = 30_000
const mostAtOnce = 5_000
/** Longer than a search takes on a machine that is busy, and too short to keep others waiting. */
const patience = 1_500

/** `%`, `_` and the backslash stand for themselves. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

interface Wanted {
  query: string
  from?: HitPosition | undefined
  limit: number
}

export interface Looked {
  hits: HitRow[]
  /** The oldest message that was looked at, when there are more behind it. */
  end: HitPosition | undefined
}

interface Ending {
  end_at: number | null
  end_id: string
  end_seq: number
}

/** The messages of one answer: the newest before `from`, of those that are looked through at all. No text is read yet. */
function lookedAt(ids: readonly string[], from: HitPosition | undefined) {
  const before = from
    ? sql`where (x.at, x.id, x.seq) < (${from.at}::bigint, ${from.pairId}::uuid, ${from.seq}::bigint)`
    : sql``
  return sql`
    select x.* from (
      select s.conversation_id as id, s.seq, (extract(epoch from s.created_at) * 1000000)::bigint as at
      from unnest(${ids}::uuid[]) with ordinality as given (id, place)
      cross join lateral (
        select conversation_id, seq, created_at from messages where conversation_id = given.id and body <> ''
        order by seq desc limit ${mostMessages}) s
      limit ${mostMessages}) x
    ${before} order by x.at desc, x.id desc, x.seq desc limit ${mostAtOnce}`
}

/**
 * Messages of the given conversations that contain a text, whatever its case and accents, newest first. Bounded: the
 * conversations are looked through in their order, each from its newest message on, until so many were seen; and of those
 * a part for one answer, which the next goes on from. PostgreSQL ends what takes too long.
 */
export async function findHits(db: Db, ids: readonly string[], { query, from, limit }: Wanted): Promise<Looked> {
  // What has capital letters and nothing else is not kept twice; to fold those takes no time.
  const hits = sql`
    select m.*, looked.at from looked join messages m on m.conversation_id = looked.id and m.seq = looked.seq
    where coalesce(m.plain, lower(m.body collate "C")) like '%' || plain_text(${literally(query)}) || '%'
    order by looked.at desc, m.conversation_id desc, m.seq desc limit ${limit}`
  const search = sql<HitRow & Ending>`
    with looked as materialized (${lookedAt(ids, from)})
    select hit.*, ending.at as end_at, ending.id as end_id, ending.seq as end_seq
    from (select) one
    left join (${wholeRows(hits, sql`, m.at`)}) hit on true
    left join (select at, id, seq from looked where (select count(*) from looked) = ${mostAtOnce}
      order by at, id, seq limit 1) ending on true
    order by hit.at desc, hit.conversation_id desc, hit.seq desc`
  const rows = await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(patience)}`.execute(trx)
    return (await search.execute(trx)).rows
  })
  const [first] = rows
  const end =
    first && first.end_at !== null ? { at: first.end_at, pairId: first.end_id, seq: first.end_seq } : undefined
  return { hits: rows.filter(({ conversation_id }) => conversation_id !== null), end }
}
