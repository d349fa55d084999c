import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'

/** Creates a match of two people; false if they already have one, even an ended one. */
export async function insertMatch(db: Db, a: string, b: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into matches (id, user_lo, user_hi, matched_at)
    values (conversation_id(${a}, ${b}), least(${a}::uuid, ${b}::uuid), greatest(${a}::uuid, ${b}::uuid), ${now})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/** Ends a match; false if there is no current one, the other person is hidden, or either has blocked the other. */
export async function endMatch(db: Db, enderId: string, otherId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update matches set ended_at = ${now}, ended_by = ${enderId}
    where id = conversation_id(${enderId}, ${otherId}) and ended_at is null
      and not is_blocked(${enderId}, ${otherId})
      and exists (select from profiles where user_id = ${otherId} and not hidden)
    returning 1`.execute(db)
  return rows.length > 0
}

/** Ends a match that the ender doesn't know of yet. */
export async function endUnheard(db: Db, enderId: string, otherId: string, now: Date): Promise<void> {
  await sql`update matches set ended_at = ${now}, ended_by = ${enderId}
    where id = conversation_id(${enderId}, ${otherId}) and ended_at is null`.execute(db)
}

export interface MatchRow {
  peer_id: string
  name: string
  matched_at: Date
  has_messages: boolean
  interests: string[]
  own_interests: string[]
  intents: string[]
  own_intents: string[]
  prompts: { prompt: string; answer: string }[]
  own_prompts: { prompt: string }[]
  my_liked: LikedRow | null
  their_liked: LikedRow | null
}

export interface LikedRow {
  kind: 'photo' | 'prompt'
  id: string
  text: string | null
}

const likedOf = (like: string) =>
  sql.raw(`case when ${like}.item_kind is not null
  then jsonb_build_object('kind', ${like}.item_kind, 'id', ${like}.item_id, 'text', ${like}.item_text) end`)

/**
 * The viewer's current matches, newest first; with `peerId`, only the match with that person. Leaves out blocked
 * people, hidden people, and matches that the viewer isn't told of yet.
 */
export async function findMatches(db: Db, viewerId: string, limit: number, peerId?: string): Promise<MatchRow[]> {
  // A single match is read by its key. The query for the list is planned for each viewer.
  const [name, lasting] =
    peerId === undefined
      ? [
          sql``,
          sql`select user_hi as peer_id, id, matched_at from matches where user_lo = ${viewerId} and ended_at is null
            union all select user_lo, id, matched_at from matches where user_hi = ${viewerId} and ended_at is null`,
        ]
      : [
          named('match'),
          sql`select ${peerId}::uuid as peer_id, id, matched_at from matches
            where id = conversation_id(${viewerId}, ${peerId}) and ended_at is null`,
        ]
  const { rows } = await sql<MatchRow>`${name}
    select m.peer_id, p.name, m.matched_at, coalesce(c.last_seq, 0) > 0 and (c.held_from is null or c.held_from = ${viewerId}) as has_messages, p.interests, p.intents, p.prompts,
      me.interests as own_interests, me.intents as own_intents, me.prompts as own_prompts,
      ${likedOf('mine')} as my_liked, ${likedOf('theirs')} as their_liked
    from (${lasting}) m
    join profiles p on p.user_id = m.peer_id join profiles me on me.user_id = ${viewerId}
    left join conversations c on c.id = m.id
    left join decisions mine on mine.actor_id = ${viewerId} and mine.target_id = m.peer_id and mine.decision = 'like'
    left join decisions theirs on theirs.actor_id = m.peer_id and theirs.target_id = ${viewerId}
      and theirs.decision = 'like'
    where theirs.held is not true and is_visible_to(p, ${viewerId}, true) and not is_blocked(${viewerId}, m.peer_id)
    order by m.matched_at desc, m.peer_id limit ${limit}`.execute(db)
  return rows
}
