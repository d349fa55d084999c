import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * Whether a person can be blocked: if they can be seen, and have not blocked the viewer. Who talked to them, was matched
 * with them, or blocked them before knows of them anyway, and can block them whyever they are not there: so the answer
 * does not say which it is.
 */
export async function canBeBlocked(db: Db, viewerId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from profiles p
    where p.user_id = ${id}
      and (may_see(${viewerId}, ${id})
          and not exists (select from blocks where blocker_id = ${id} and blocked_id = ${viewerId})
        or exists (select from conversations where id = conversation_id(${viewerId}, ${id})
          and last_seq > 0 and (held_from is distinct from ${id} or held_seq > 0))
        or exists (select from matches where id = conversation_id(${viewerId}, ${id})) and not is_unheard(${id}, ${viewerId})
        or exists (select from blocks where blocker_id = ${viewerId} and blocked_id = ${id}))`.execute(db)
  return rows.length > 0
}

/** Waits for decisions between the two that are under way: they come before the block, or not at all. */
export async function insertBlock(db: Db, blockerId: string, blockedId: string, now: Date): Promise<void> {
  await sql`
    with alone as materialized (select lock_pair(${blockerId}, ${blockedId}))
    insert into blocks (blocker_id, blocked_id, created_at) select ${blockerId}, ${blockedId}, ${now} from alone
    on conflict (blocker_id, blocked_id) do update set linked_to = null`.execute(db)
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
    .orderBy('blocks.created_at', 'desc')
    .execute()
}
