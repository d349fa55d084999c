import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * Blocks a person, if they exist. Waits for concurrent decisions of the pair, which either commit before the block or
 * fail.
 */
export async function insertBlock(db: Db, blockerId: string, blockedId: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with alone as materialized (select lock_pair(${blockerId}, ${blockedId}))
    insert into blocks (blocker_id, blocked_id, created_at, listed)
    select ${blockerId}, id, ${now}, may_see(${blockerId}, id) from alone, accounts where id = ${blockedId}
    for key share of accounts
    on conflict (blocker_id, blocked_id) do update set linked_to = null,
      listed = excluded.listed or (blocks.listed and blocks.linked_to is null)`.execute(db)
  return numAffectedRows === 1n
}

/** Also ends the blocks linked to it. Works even if the blocked account has been erased. */
export async function deleteBlock(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from blocks where blocker_id = ${blockerId}
      and (linked_to = ${blockedId} or (linked_to is null and blocked_id = ${blockedId}))`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

interface BlockedRow {
  id: string
  /**
   * Null if the account is erased and the block continues against another account that seems to belong to the same
   * person.
   */
  name: string | null
  since: Date
}

export async function blockedBy(db: Db, blockerId: string): Promise<BlockedRow[]> {
  const { rows } = await sql<BlockedRow>`
    select coalesce(b.linked_to, b.blocked_id) as id, p.name, max(b.created_at) as since
    from blocks b left join profiles p on p.user_id = b.blocked_id and b.linked_to is null
    where b.blocker_id = ${blockerId} and b.listed
      and (b.linked_to is null or not exists (select from accounts where id = b.linked_to))
    group by 1, 2 order by since desc`.execute(db)
  return rows
}
