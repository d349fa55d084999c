import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** A position in the search order: time in microseconds, conversation, seq. */
export interface HitPosition {
  at: number
  pairId: string
  seq: number
}

/** Limits: messages per search, and messages and bytes of text per response. */
const mostMessages = 30_000
const mostAtOnce = { messages: 5_000, bytes: 2_000_000 }
/**
 * Statement timeout in ms: longer than the query takes on a busy machine, and short enough not to block other requests.
 */
const patience = 1_500

export type SearchedText = HitPosition & { body: string }

interface Texts {
  /** Newest first. */
  rows: SearchedText[]
  goesOn: boolean
}

/**
 * The texts that one response searches: the newest messages before `from` in the given conversations. The query reads
 * conversations one by one, newest message first, up to the limits. PostgreSQL cancels it if it is too slow.
 */
export async function findTexts(db: Db, ids: readonly string[], from: HitPosition | undefined): Promise<Texts> {
  const before = from
    ? sql`where (x.at, x.id, x.seq) < (${from.at}::bigint, ${from.pairId}::uuid, ${from.seq}::bigint)`
    : sql``
  const texts = sql<SearchedText & { goes_on: boolean }>`
    with looked as materialized (
      select x.* from (
        select s.conversation_id as id, s.seq, (extract(epoch from s.created_at) * 1000000)::bigint as at, bytes
        from unnest(${ids}::uuid[]) with ordinality as given (id, place)
        cross join lateral (
          select conversation_id, seq, created_at, octet_length(body) as bytes from messages
          where conversation_id = given.id and body <> '' order by seq desc limit ${mostMessages}) s
        limit ${mostMessages}) x
      ${before} order by x.at desc, x.id desc, x.seq desc limit ${mostAtOnce.messages}),
    summed as (select *, count(*) over () as count, row_number() over newest as place, sum(bytes) over newest as sum
      from looked window newest as (order by at desc, id desc, seq desc))
    select s.at, s.id as "pairId", s.seq, m.body,
      s.count = ${mostAtOnce.messages} or (select max(sum) from summed) > ${mostAtOnce.bytes} as goes_on
    from summed s join messages m on m.conversation_id = s.id and m.seq = s.seq
    where s.sum <= ${mostAtOnce.bytes} or s.place = 1
    order by s.at desc, s.id desc, s.seq desc`
  const rows = await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(patience)}`.execute(trx)
    return (await texts.execute(trx)).rows
  })
  return { rows, goesOn: rows[0]?.goes_on ?? false }
}
