import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * Blocks a person, if there is one. Waits for decisions between the two that are under way: they come before the block, or
 * not at all.
 */
export async function insertBlock(db: Db, blockerId: string, blockedId: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with alone as materialized (select lock_pair(${blockerId}, ${blockedId}))
    insert into blocks (blocker_id, blocked_id, created_at, listed)
    select ${blockerId}, id, ${now}, may_see(${blockerId}, id) from alone, accounts where id = ${blockedId}
    on conflict (blocker_id, blocked_id) do update set linked_to = null,
      listed = excluded.listed or (blocks.listed and blocks.linked_to is null)`.execute(db)
  return numAffectedRows === 1n
}

export async function deleteBlock(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('blocks')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .where('linked_to', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function blockedBy(db: Db, blockerId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('blocks')
    .innerJoin('profiles', 'profiles.user_id', 'blocks.blocked_id')
    .select(['profiles.user_id as id', 'profiles.name'])
    .where('blocker_id', '=', blockerId)
    .where('linked_to', 'is', null)
    .where('listed', '=', true)
    .orderBy('blocks.created_at', 'desc')
    .execute()
}
