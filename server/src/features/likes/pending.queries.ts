import { by } from '@duet/contract/order.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'

/** A like that starts (1) or stops (-1) waiting for an answer from `id`. */
export interface PendingChange {
  id: string
  by: 1 | -1
  since: Date
}

/** The current weight of a like that has waited since a time. It halves every 7 days. */
const leftOf = (since: ReturnType<typeof sql>, now: Date) =>
  sql`power(2, -greatest(0, extract(epoch from ${now}::timestamptz - ${since}))::float8 / 604800)`

const byId = by<PendingChange>(({ id }) => id)

/** Adjusts people's counts of pending likes. Locks rows in order of their ids, to avoid deadlocks. */
export async function addPending(db: Db, changes: readonly PendingChange[], now: Date): Promise<void> {
  for (const { id, by, since } of changes.toSorted(byId)) {
    const change = sql`${by} * ${leftOf(sql`${since}::timestamptz`, now)}`
    await sql`${named('add-pending')}
      insert into standings as s (user_id, pending, pending_at) values (${id}, greatest(0, ${change}), ${now})
      on conflict (user_id) do update set pending_at = excluded.pending_at,
        pending = greatest(0, ${change} + s.pending * ${leftOf(sql`s.pending_at`, now)})`.execute(db)
  }
}

export async function findCounted(db: Db, afterId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from standings where user_id > ${afterId} order by user_id limit ${most}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

export async function lockStandings(db: Db, ids: readonly string[]): Promise<void> {
  await sql`select from standings where user_id = any(${ids}::uuid[]) order by user_id for update`.execute(db)
}

/**
 * Recounts the pending likes of these people. Counts only senders whom a search could find, who aren't held and who
 * have no block with the receiver. Writes only changed counts, because every write updates the search index.
 */
export async function recountPending(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update standings s set pending = counted.pending, pending_at = ${now}
    from unnest(${ids}::uuid[]) as receiver (id) cross join lateral (
      select coalesce(sum(${leftOf(sql`d.decided_at`, now)}), 0) as pending
      from decisions d join candidates sender on sender.user_id = d.actor_id
      where d.target_id = receiver.id and d.decision = 'like' and not d.held and d.decided_at > ${now}::timestamptz - interval '70 days'
        and not is_held_back(d.actor_id, ${now}) and not is_blocked(d.actor_id, receiver.id)
        and not exists (select from decisions mine
          where mine.actor_id = receiver.id and mine.target_id = d.actor_id and mine.decision <> 'later')) counted
    where s.user_id = receiver.id and abs(counted.pending - s.pending * ${leftOf(sql`s.pending_at`, now)}) > 0.01`.execute(
    db,
  )
}
