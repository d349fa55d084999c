import type { Decision } from '@duet/contract/profiles.ts'
import { type Selectable, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database.ts'
import type { DB } from '../../platform/schema.ts'

export type DecisionRow = Omit<Selectable<DB['decisions']>, 'decision'> & { decision: Decision }

/** One at a time for a pair, until the transaction ends. */
export async function lockPair(db: Db, a: string, b: string): Promise<void> {
  await sql`select lock_pair(${a}, ${b})`.execute(db)
}

/** One like at a time for a person, so that a day's count cannot be overrun. Taken before the pair's lock. */
export async function lockLikes(db: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('likes' || ${userId}::text, 0))`.execute(db)
}

/** What is known of two people before a decision: whether nothing keeps them apart, and what each decided. */
export async function findPair(db: Db, actorId: string, targetId: string) {
  const { rows } = await sql<{
    apart: boolean
    unmatched: boolean
    there: boolean
    matched: boolean
    mine: Decision | null
    my_comment: string | null
    my_item_kind: string | null
    my_item_id: string | null
    theirs: Decision | null
    their_comment: string | null
  }>`select is_blocked(${actorId}, ${targetId}) or is_unmatched(${actorId}, ${targetId}) as apart,
      is_unmatched(${actorId}, ${targetId}) as unmatched,
      may_see(${actorId}, ${targetId}) as there,
      is_matched(${actorId}, ${targetId}) as matched,
      mine.decision as mine, mine.comment as my_comment, mine.item_kind as my_item_kind, mine.item_id as my_item_id,
      theirs.decision as theirs, theirs.comment as their_comment
    from (select 1) one
    left join decisions mine on mine.actor_id = ${actorId} and mine.target_id = ${targetId}
    left join decisions theirs on theirs.actor_id = ${targetId} and theirs.target_id = ${actorId}`.execute(db)
  return rows[0] as (typeof rows)[number]
}

export interface NewDecision {
  actorId: string
  targetId: string
  decision: Decision
  item: { kind: 'photo' | 'prompt'; id: string; text: string | null } | null
  comment: string | null
  now: Date
}

/** Keeps a decision in the place of an earlier one. */
export async function putDecision(db: Db, d: NewDecision): Promise<void> {
  await sql`
    insert into decisions (actor_id, target_id, decision, item_kind, item_id, item_text, comment, decided_at)
    values (${d.actorId}, ${d.targetId}, ${d.decision}, ${d.item?.kind ?? null}, ${d.item?.id ?? null},
      ${d.item?.text ?? null}, ${d.comment}, ${d.now})
    on conflict (actor_id, target_id) do update set (decision, item_kind, item_id, item_text, comment, decided_at)
      = (excluded.decision, excluded.item_kind, excluded.item_id, excluded.item_text, excluded.comment, excluded.decided_at)`.execute(
    db,
  )
}

export async function deleteDecision(db: Db, actorId: string, targetId: string): Promise<Decision | undefined> {
  const row = await db
    .deleteFrom('decisions')
    .where('actor_id', '=', actorId)
    .where('target_id', '=', targetId)
    .returning('decision')
    .executeTakeFirst()
  return row?.decision as Decision | undefined
}

// Neither a match nor what was one: those are ended, not undone.
const neverMatched = sql`not exists (select from matches m
  where m.user_lo = least(d.actor_id, d.target_id) and m.user_hi = greatest(d.actor_id, d.target_id))`

/** Whom the actor decided on last since `since`, matches aside. */
export async function findLatest(db: Db, actorId: string, since: Date): Promise<string | undefined> {
  const { rows } = await sql<{ target_id: string }>`
    select d.target_id from decisions d where d.actor_id = ${actorId} and d.decided_at > ${since} and ${neverMatched}
    order by d.decided_at desc, d.target_id limit 1`.execute(db)
  return rows[0]?.target_id
}

export async function countSince(db: Db, actorId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from decisions d where d.actor_id = ${actorId} and d.decided_at > ${since} and ${neverMatched}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** The likes of a person's day in their time zone (IANA), and when it ends. */
export async function countToday(db: Db, actorId: string, zone: string, now: Date) {
  const { rows } = await sql<{ likes: number; resets_at: Date }>`
    with day as (select date_trunc('day', ${now}::timestamptz at time zone ${zone}) as start)
    select (select count(*) from decisions where actor_id = ${actorId} and decision = 'like'
        and decided_at >= day.start at time zone ${zone}) as likes,
      (day.start + interval '1 day') at time zone ${zone} as resets_at from day`.execute(db)
  return rows[0] as { likes: number; resets_at: Date }
}

export type LikeRow = Pick<
  DecisionRow,
  'actor_id' | 'target_id' | 'item_kind' | 'item_id' | 'item_text' | 'comment' | 'decided_at'
>
const about = sql`d.actor_id, d.target_id, d.item_kind, d.item_id, d.item_text, d.decided_at`
// As messages are: of somebody held back as a spammer, until a person says they are none.
const heldComment = sql`d.comment is not null and exists (select from sanctions s
  where s.user_id = d.actor_id and s.kind = 'shadow' and coalesce(s.lifted_as, 'ended') = 'ended'
    and coalesce(s.lifted_at, s.ends_at, 'infinity') > d.decided_at)`

interface Page {
  after: { at: string; id: string } | undefined
  limit: number
}

/** Who likes a person and has no answer but perhaps "later", newest first. */
export async function findReceived(db: Db, userId: string, limit: number): Promise<LikeRow[]> {
  const { rows } = await sql<LikeRow>`
    select ${about}, case when ${heldComment} then null else d.comment end as comment from decisions d
    where d.target_id = ${userId} and d.decision = 'like' and not exists (select from decisions mine
      where mine.actor_id = ${userId} and mine.target_id = d.actor_id and mine.decision <> 'later')
    order by d.decided_at desc, d.actor_id limit ${limit}`.execute(db)
  return rows
}

/** The ids alone. */
export async function findLikers(pool: pg.Pool, userId: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'likes-likers',
    text: `select d.actor_id as id from decisions d
      where d.target_id = $1 and d.decision = 'like' and not exists (select from decisions mine
        where mine.actor_id = $1 and mine.target_id = d.actor_id and mine.decision <> 'later')
      order by d.decided_at desc, d.actor_id limit $2`,
    values: [userId, limit],
  })
  return rows.map(({ id }) => id)
}

/**
 * Whom a person liked, passed or put off, newest first; without matches, ended ones too. Who is not there for them (as
 * may_see says it, in line) leaves no gap in a page either.
 */
export async function findMade(db: Db, userId: string, decision: Decision, page: Page): Promise<LikeRow[]> {
  const { after, limit } = page
  const { rows } = await sql<LikeRow>`
    select ${about}, d.comment from decisions d join profiles p on p.user_id = d.target_id
    where d.actor_id = ${userId} and d.decision = ${decision} and ${neverMatched}
      and not p.hidden and (not p.incognito or shows_to(p.user_id, d.actor_id))
      and not exists (select from blocks b where b.blocker_id = d.actor_id and b.blocked_id = d.target_id)
      and not exists (select from blocks b where b.blocker_id = d.target_id and b.blocked_id = d.actor_id)
      and (${after?.at ?? null}::timestamptz is null or (d.decided_at, d.target_id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by d.decided_at desc, d.target_id desc limit ${limit}`.execute(db)
  return rows
}

/** A person's photos and prompts, one of which may be liked. */
export async function findLikedItems(db: Db, userId: string) {
  const { rows } = await sql<{ photos: string[]; prompts: { prompt: string; answer: string }[]; name: string }>`
    select array(select file_name from photos where user_id = ${userId} and state <> 'rejected') as photos, prompts, name
    from profiles where user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Adds to the likes that wait for each person's answer; halves what is older every 7 days. Rows are locked in id order. */
export async function addPending(db: Db, changes: { id: string; by: number }[], now: Date): Promise<void> {
  const sorted = [...changes].sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id, by } of sorted) {
    await sql`
      insert into standings as s (user_id, pending, pending_at) values (${id}, ${Math.max(0, by)}, ${now})
      on conflict (user_id) do update set pending_at = excluded.pending_at, pending = greatest(0, ${by} + s.pending
        * power(2, -greatest(0, extract(epoch from ${now}::timestamptz - s.pending_at))::float8 / 604800))`.execute(db)
  }
}
