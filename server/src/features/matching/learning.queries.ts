import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'

export interface Tally {
  user_id: string
  says_yes: number
  is_liked: number
  made_weight: number
  received_weight: number
  made: number
  received: number
}

export interface Heard {
  actorId: string
  targetId: string
  yes: boolean
  at: Date
}

/** Creates rows for the people among `ids` who allow learning, and locks them in order of their ids. */
export async function lockTallies(db: Db, ids: readonly string[]): Promise<Tally[]> {
  await sql`
    insert into standings (user_id)
    select user_id from profiles where user_id = any(${ids}::uuid[]) and learn_from_me order by user_id
    on conflict do nothing`.execute(db)
  const { rows } = await sql<Tally>`
    select s.user_id, s.says_yes, s.is_liked, s.made_weight, s.received_weight, s.made, s.received
    from standings s join profiles p on p.user_id = s.user_id and p.learn_from_me
    where s.user_id = any(${ids}::uuid[]) order by s.user_id for update of s`.execute(db)
  return rows
}

/** Writes all tallies in one statement. `until`, if given, is the time up to which they include all decisions. */
export async function putTallies(db: Db, rows: readonly Tally[], until: Date | null = null): Promise<void> {
  const column = <Name extends keyof Tally>(name: Name) => rows.map((row) => row[name])
  await sql`
    update standings s set says_yes = n.says_yes, is_liked = n.is_liked, made_weight = n.made_weight,
      received_weight = n.received_weight, made = n.made, received = n.received,
      counted_until = coalesce(${until}::timestamptz, s.counted_until)
    from unnest(${column('user_id')}::uuid[], ${column('says_yes')}::real[], ${column('is_liked')}::real[],
      ${column('made_weight')}::real[], ${column('received_weight')}::real[], ${column('made')}::int[],
      ${column('received')}::int[]) as n (user_id, says_yes, is_liked, made_weight, received_weight, made, received)
    where s.user_id = n.user_id`.execute(db)
}

export async function findInterests(db: Db, ids: readonly string[]): Promise<Map<string, [number, number]>> {
  const { rows } = await sql<{ user_id: string; first: number; second: number }>`
    select user_id, interest_bits(interests, 1) as first, interest_bits(interests, 31) as second
    from profiles where user_id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ user_id, first, second }) => [user_id, [first, second]]))
}

export interface NewLesson {
  actorId: string
  targetId: string
  first: boolean
  dueAt: Date
}

/**
 * Queues a pair's first decision for learning, or postpones it if it is queued. Later decisions only mark the pair as
 * learned from. Queues nothing for actors who opted out.
 */
export async function putLesson(db: Db, { actorId, targetId, first, dueAt }: NewLesson): Promise<void> {
  await sql`${named('put-lesson')}
    insert into lessons (actor_id, target_id, due_at)
    select ${actorId}::uuid, ${targetId}::uuid, case when ${first} then ${dueAt}::timestamptz end
    from profiles where user_id = ${actorId} and (learn_from_me or not ${first})
    on conflict (actor_id, target_id) do update set due_at = ${dueAt} where lessons.due_at is not null`.execute(db)
}

export interface Pair {
  actor_id: string
  target_id: string
}

export async function findDueLessons(db: Db, now: Date, most: number): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select actor_id, target_id from lessons where due_at <= ${now} order by due_at limit ${most}`.execute(db)
  return rows
}

/**
 * Removes the due lessons of these pairs from the queue, and returns the pairs' current decisions without retracted
 * ones.
 */
export async function takeLessons(db: Db, pairs: readonly Pair[], now: Date): Promise<Heard[]> {
  const { rows } = await sql<Heard>`
    with due as materialized (
      select l.actor_id, l.target_id
      from unnest(${pairs.map((one) => one.actor_id)}::uuid[], ${pairs.map((one) => one.target_id)}::uuid[]) as p (actor_id, target_id)
      join lessons l using (actor_id, target_id) where l.due_at <= ${now} for update of l skip locked),
    taken as (delete from lessons l using due where (l.actor_id, l.target_id) = (due.actor_id, due.target_id))
    select d.actor_id as "actorId", d.target_id as "targetId", d.decision = 'like' as yes, d.decided_at as at from due join decisions d using (actor_id, target_id)
    where d.decision <> 'later' order by d.decided_at, d.actor_id, d.target_id`.execute(db)
  return rows
}

/** By or about people among `ids`, oldest first. */
export async function findHeardBetween(db: Db, ids: readonly string[], since: Date, until: Date): Promise<Heard[]> {
  const decided = sql`select actor_id, target_id, decision, decided_at from decisions
    where decision in ('like', 'pass') and decided_at > ${since} and decided_at <= ${until}`
  const { rows } = await sql<Heard>`
    select actor_id as "actorId", target_id as "targetId", decision = 'like' as yes, decided_at as at from (
      ${decided} and actor_id = any(${ids}::uuid[]) union ${decided} and target_id = any(${ids}::uuid[])) d
    order by decided_at, actor_id, target_id`.execute(db)
  return rows
}

export async function findUnchanged(db: Db, ids: readonly string[], since: Date): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from standings where user_id = any(${ids}::uuid[]) and coalesce(learns_since <= ${since}, true)`.execute(
    db,
  )
  return new Set(rows.map(({ user_id }) => user_id))
}

interface Both {
  says: number
  receives: number
}

/** In logits, weighted with the prior's `precisions`. */
export async function findOffCentre(db: Db, precisions: Both): Promise<Both> {
  const { rows } = await sql<Both>`
    select coalesce(sum(says_yes) / nullif(sum(made_weight / (made_weight + ${precisions.says}::float8)), 0), 0) as says,
      coalesce(sum(is_liked) / nullif(sum(received_weight / (received_weight + ${precisions.receives}::float8)), 0), 0) as receives
    from standings`.execute(db)
  return rows[0] as Both
}

/**
 * Subtracts `off` from the effects of the next `most` people after `last`, in proportion to how much is known of each.
 * Returns the last id.
 */
export async function centreSome(
  db: Db,
  precisions: Both,
  off: Both,
  last: string,
  most: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    with page as (select user_id from standings where user_id > ${last}::uuid and (made_weight > 0 or received_weight > 0)
      order by user_id limit ${most} for update),
    moved as (update standings s set
        says_yes = s.says_yes - ${off.says}::float8 * s.made_weight / (s.made_weight + ${precisions.says}::float8),
        is_liked = s.is_liked - ${off.receives}::float8 * s.received_weight / (s.received_weight + ${precisions.receives}::float8)
      from page where s.user_id = page.user_id returning s.user_id)
    select user_id from moved order by user_id desc limit 1`.execute(db)
  return rows[0]?.user_id
}

/** The change of a person's prior mean, in logits. */
export interface Shift extends Both {
  userId: string
}

/** Subtracts the change of the prior mean from each person's effects, in proportion to how much is known of them. */
export async function shiftSome(db: Db, precisions: Both, shifts: readonly Shift[]): Promise<void> {
  await sql`
    update standings s set
      says_yes = s.says_yes - n.says * s.made_weight / (s.made_weight + ${precisions.says}::float8),
      is_liked = s.is_liked - n.receives * s.received_weight / (s.received_weight + ${precisions.receives}::float8)
    from (select s.user_id, n.says, n.receives
      from unnest(${shifts.map(({ userId }) => userId)}::uuid[], ${shifts.map(({ says }) => says)}::float8[],
        ${shifts.map(({ receives }) => receives)}::float8[]) as n (user_id, says, receives)
      join standings s using (user_id) order by s.user_id for update of s) n
    where s.user_id = n.user_id`.execute(db)
}

export async function findLearnedOf(db: Db, last: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from standings where user_id > ${last}::uuid and (made_weight > 0 or received_weight > 0)
    order by user_id limit ${most}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Whether a decision may teach us about the actor, the target, both or neither. */
export interface Lesson extends Heard {
  countsForActor: boolean
  countsForTarget: boolean
}

/**
 * The decisions that may be learned from, in order: the actor had been shown the target, both people allow learning now
 * and did at the time, and neither has reset it since. A decision that a person's effects already include doesn't count
 * for that person.
 */
export async function findLessons(db: Db, heard: readonly Heard[]): Promise<Lesson[]> {
  const { rows } = await sql<{ place: number; counts_for_actor: boolean; counts_for_target: boolean }>`
    select h.place::int as place, h.at > coalesce(one.counted_until, '-infinity') as counts_for_actor,
      h.at > coalesce(other.counted_until, '-infinity') as counts_for_target
    from unnest(${heard.map(({ actorId }) => actorId)}::uuid[], ${heard.map(({ targetId }) => targetId)}::uuid[],
      ${heard.map(({ at }) => at)}::timestamptz[]) with ordinality as h (actor, target, at, place)
    join profiles p on p.user_id = h.actor and p.learn_from_me and not p.hidden
    join profiles q on q.user_id = h.target and q.learn_from_me and not q.hidden
    left join standings one on one.user_id = h.actor
    left join standings other on other.user_id = h.target
    where h.at >= coalesce(greatest(one.learns_since, other.learns_since), '-infinity') and exists (
      select from impressions i where i.viewer_id = h.actor and i.target_id = h.target and i.shown_at <= h.at)
    order by h.place`.execute(db)
  return rows.map(({ place, counts_for_actor, counts_for_target }) => ({
    ...(heard[place - 1] as Heard),
    countsForActor: counts_for_actor,
    countsForTarget: counts_for_target,
  }))
}

/**
 * Resets everything learned about a person. Earlier decisions by or about them, including queued ones, are never
 * learned from again.
 */
export async function clearLearned(db: Db, userId: string): Promise<void> {
  await sql`delete from lessons where (actor_id = ${userId} or target_id = ${userId}) and due_at is not null`.execute(
    db,
  )
  await sql`
    insert into standings (user_id, learns_since) values (${userId}, clock_timestamp())
    on conflict (user_id) do update set says_yes = 0, is_liked = 0, made_weight = 0, received_weight = 0, made = 0,
      received = 0, learns_since = excluded.learns_since`.execute(db)
}
