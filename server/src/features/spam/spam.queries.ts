import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface Attempt {
  senderId: string
  receiverId: string
  /** The message id that the sender's client chose. */
  id: string
  body: string
}

export interface Before {
  place: number
  name: string | null
  /** When the sender joined; null when their account is gone. */
  since: Date | null
  messages: number
  answered: boolean
  matched: boolean
  kept: boolean
}

export async function isHeldBack(db: Db, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select is_held_back(${userId}, ${now}) as held`.execute(db)
  return rows[0]?.held ?? false
}

export async function findSendersToRelease(db: Db, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with senders as (select distinct held_from as id from conversations where held_from is not null)
    select s.id from senders s where not is_held_back(s.id, ${now}) and exists (
      select from conversations c where c.held_from = s.id and is_releasable(c))
    order by random() limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The state before each attempt; `place` is the attempt's index. Messages that stayed held after their sender's hold
 * ended don't count, because the next message is the first that reaches the receiver.
 */
export async function findBefore(db: Db, attempts: readonly Attempt[], now: Date): Promise<Before[]> {
  const { rows } = await sql<Before>`
    select (given.place - 1)::integer as place, p.name, a.created_at as since, 
      case when c.held_from = sender and not is_held_back(sender, ${now}) then 0 else coalesce(c.last_seq, 0) end as messages,
      coalesce(case when sender < receiver then c.wrote_hi else c.wrote_lo end, false) as answered,
      exists (select from matches m where m.id = conversation_id(sender, receiver) and m.ended_at is null) as matched,
      exists (select from messages k
        where k.conversation_id = c.id and k.sender_id = sender and k.client_id = given.id) as kept
    from unnest(${attempts.map((one) => one.senderId)}::uuid[], ${attempts.map((one) => one.receiverId)}::uuid[],
      ${attempts.map((one) => one.id)}::text[]) with ordinality as given (sender, receiver, id, place)
    left join accounts a on a.id = sender
    left join profiles p on p.user_id = receiver
    left join conversations c on c.id = conversation_id(sender, receiver)
    order by given.place`.execute(db)
  return rows
}
