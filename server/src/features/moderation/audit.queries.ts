import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

export interface NewEntry {
  at: Date
  actorId: string | null
  action: string
  target: object
  reason: string
  details: object
  requestId: string | null
}

/** Appends an entry; the database numbers and seals it. */
export async function insertEntry(db: Db, entry: NewEntry): Promise<void> {
  // The trigger fills in what is null here.
  await sql`insert into audit_log (at, actor_id, action, target, reason, details, request_id)
    values (${entry.at}, ${entry.actorId}, ${entry.action}, ${JSON.stringify(entry.target)}::jsonb, ${entry.reason},
      ${JSON.stringify(entry.details)}::jsonb, ${entry.requestId})`.execute(db)
}

export interface ChainRow {
  seq: number
  /** What the entry says, in the one form that is hashed. */
  text: string
  prev_hash: Buffer
  hash: Buffer
}

/**
 * Entries behind a number, in order. Their text is put together here and not by the function that seals them: whoever
 * can change entries could change that function, too.
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
}

/** Entries before a number, newest first. */
export async function findEntries(db: Db, before: number | undefined, limit: number): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select seq, at, actor_id, p.name as actor_name, action, target, reason, details, hash
    from audit_log left join profiles p on p.user_id = actor_id
    where seq < ${before ?? Number.MAX_SAFE_INTEGER}::bigint order by seq desc limit ${limit}`.execute(db)
  return rows
}
