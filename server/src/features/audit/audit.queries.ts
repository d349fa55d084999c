import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface NewEntry {
  at: Date
  actorId: string | null
  action: string
  target: object
  reason: string
  details: object
  requestId: string | null
}

/** Appends an entry. A trigger numbers and seals it. */
export async function insertEntry(db: Db, entry: NewEntry): Promise<void> {
  await sql`insert into audit_log (at, actor_id, action, target, reason, details, request_id)
    values (${entry.at}, ${entry.actorId}, ${entry.action}, ${JSON.stringify(entry.target)}::jsonb, ${entry.reason},
      ${JSON.stringify(entry.details)}::jsonb, ${entry.requestId})`.execute(db)
}

export interface ChainRow {
  seq: number
  /** The entry's content in the canonical form that its seal hashes. */
  text: string
  prev_hash: Buffer
  hash: Buffer
}

/**
 * The entries after a number, in order. Builds the hashed text here instead of calling the database function that seals
 * entries: an attacker who can change entries could also change that function.
 */
export async function findChain(db: Db, after: number, limit: number): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select seq, prev_hash, hash,
      jsonb_build_array(seq, (extract(epoch from at) * 1000000)::bigint, actor_id, action, target, reason, details,
        request_id)::text as text
    from audit_log where seq > ${after}::bigint order by seq limit ${limit}`.execute(db)
  return rows
}

export interface EntryRow {
  seq: number
  at: Date
  actor_id: string | null
  actor_name: string | null
  action: string
  target: Record<string, unknown>
  reason: string
  details: Record<string, unknown>
  hash: Buffer
  /** Whether the entry is about the viewer, or about a case that the viewer is involved in. */
  own: boolean
}

export interface EntryFilter {
  /** Null selects entries without an administrator. */
  actor?: string | null | undefined
  action?: string | undefined
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
}

function fitting({ actor, action, from, to }: EntryFilter) {
  return sql.join(
    [
      ...(actor === undefined ? [] : [actor === null ? sql`and actor_id is null` : sql`and actor_id = ${actor}::uuid`]),
      ...(action === undefined ? [] : [sql`and action = ${action}`]),
      ...(from === undefined ? [] : [sql`and at >= ${from}`]),
      ...(to === undefined ? [] : [sql`and at < ${to}`]),
    ],
    sql` `,
  )
}

/**
 * Matches entries that would reveal reports about the viewer: someone viewed the viewer's dossier, or viewed only
 * reports about the viewer.
 */
const isLookAt = (viewerId: string) => sql`coalesce(action = 'dossier_viewed' and target ->> 'id' = ${viewerId}
  or target ->> 'kind' = 'reports' and details ? 'ids' and not exists (select from jsonb_array_elements_text(details -> 'ids') shown
    where not exists (select from reports r where r.receipt = shown and r.reported_id = ${viewerId}::uuid)), false)`

export async function findEntries(
  db: Db,
  viewerId: string,
  filter: EntryFilter,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select seq, at, actor_id, p.name as actor_name, action, target, reason, details, hash,
      case when target ->> 'kind' = 'review' then ${viewerId}::uuid = any(review_parties((target ->> 'id')::uuid))
        else coalesce(${viewerId} in (target ->> 'person', target ->> 'id'), false) end as own
    from audit_log left join profiles p on p.user_id = actor_id
    where seq < ${before ?? Number.MAX_SAFE_INTEGER}::bigint and not ${isLookAt(viewerId)} ${fitting(filter)}
    order by seq desc limit ${limit}`.execute(db)
  return rows
}

export async function findReceiptsAbout(db: Db, userId: string, receipts: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select('receipt')
    .where('reported_id', '=', userId)
    .where(sql<boolean>`receipt = any(${receipts}::text[])`)
    .execute()
  return rows.map(({ receipt }) => receipt)
}

/** All actors and actions in the log. Jumps from one distinct value to the next in the index, because there are few. */
export async function findChoices(db: Db): Promise<{ actors: { id: string; name: string }[]; actions: string[] }> {
  const { rows: actors } = await sql<{ id: string; name: string }>`
    select id, coalesce(p.name, '') as name from (${distinct('actor_id')}) found (id)
    left join profiles p on p.user_id = id order by name, id`.execute(db)
  const { rows: actions } = await sql<{ action: string }>`select action from (${distinct('action')}) found (action)
    order by action`.execute(db)
  return { actors, actions: actions.map(({ action }) => action) }
}

function distinct(column: 'actor_id' | 'action') {
  const name = sql.ref(column)
  return sql`with recursive found as (
      (select ${name} as value from audit_log where ${name} is not null order by ${name} limit 1)
      union all
      select next.value from found cross join lateral (
        select ${name} as value from audit_log where ${name} > found.value order by ${name} limit 1) next)
    select value from found`
}
