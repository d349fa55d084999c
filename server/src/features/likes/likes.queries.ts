import type { Decision } from '@duet/contract/profiles.ts'
import { CompiledQuery, type Selectable, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { named } from '../../platform/database/named-client.ts'
import type { DB } from '../../platform/database/schema.ts'
import { waits } from '../candidates/waiting-likes.queries.ts'

export type DecisionRow = Omit<Selectable<DB['decisions']>, 'decision'> & { decision: Decision }

export async function lockPair(db: Db, a: string, b: string): Promise<void> {
  await sql`${named('lock-pair')} select lock_pair(${a}, ${b})`.execute(db)
}

const likesLock = (userId: string) => sql`pg_advisory_xact_lock(hashtextextended('likes' || ${userId}::text, 0))`

/**
 * Serialises a person's likes, so that concurrent likes can't exceed the daily limit. Take this lock before the pair's
 * lock.
 */
export async function lockLikes(db: Db, userId: string): Promise<void> {
  await sql`select ${likesLock(userId)}`.execute(db)
}

/** Takes both locks in order: the pair's lock is computed from the row that the first lock returns. */
export async function lockLike(db: Db, userId: string, targetId: string): Promise<void> {
  await sql`${named('lock-like')}
    with own as materialized (select ${likesLock(userId)}) select lock_pair(${userId}, ${targetId}) from own`.execute(
    db,
  )
}

interface PairRow {
  apart: boolean
  unmatched: boolean
  there: boolean
  unseen: boolean
  matched: boolean
  my_name: string
  mine: Decision | null
  my_held: boolean
  my_wait_for_place: boolean
  my_comment: string | null
  my_item_kind: string | null
  my_item_id: string | null
  theirs: Decision | null
  their_held: boolean
  their_comment: string | null
  my_decided_at: Date | null
  their_decided_at: Date | null
}

// A match always has a conversation that both people know of, so the match is looked up only if there is a
// conversation.
const pair = `/* pair */
  select blocking.blocker_id is not null or blocked.blocker_id is not null or m.ended_at is not null as apart,
    m.ended_at is not null as unmatched, coalesce(is_visible_to(p, $1, false), false) as there,
    coalesce(a.unseen, false) as unseen, m.id is not null and m.ended_at is null as matched, coalesce(own.name, '') as my_name,
    mine.decision as mine, mine.comment as my_comment, mine.item_kind as my_item_kind, mine.item_id as my_item_id,
    coalesce(mine.held, false) as my_held, coalesce(mine.waits_for_place, false) as my_wait_for_place,
     theirs.decision as theirs, coalesce(theirs.held, false) as their_held,
    theirs.comment as their_comment, mine.decided_at as my_decided_at, theirs.decided_at as their_decided_at
  from (values (1)) one
  left join profiles p on p.user_id = $2
  left join accounts a on a.id = $1 left join profiles own on own.user_id = $1
  left join blocks blocking on blocking.blocker_id = $1 and blocking.blocked_id = $2
  left join blocks blocked on blocked.blocker_id = $2 and blocked.blocked_id = $1
  left join conversation_members o on o.user_id = $1 and o.conversation_id = conversation_id($1, $2)
  left join lateral (select id, ended_at from matches where id = o.conversation_id and o.user_id is not null offset 0) m on true
  left join decisions mine on mine.actor_id = $1 and mine.target_id = $2
  left join decisions theirs on theirs.actor_id = $2 and theirs.target_id = $1`

/**
 * Reads everything a decision depends on: both people's decisions, whether a block or an ended match separates them,
 * whether the actor awaits a review, and the actor's name.
 */
export async function findPair(db: Db, actorId: string, targetId: string): Promise<PairRow> {
  const { rows } = await db.executeQuery<PairRow>(CompiledQuery.raw(pair, [actorId, targetId]))
  return rows[0] as PairRow
}

export interface NewDecision {
  actorId: string
  targetId: string
  decision: Decision
  item: { kind: 'photo' | 'prompt'; id: string; text: string | null } | null
  comment: string | null
  /**
   * The target doesn't see the like yet, because a moderator must review the actor first, or because of
   * `waitsForPlace`.
   */
  held: boolean
  /** The like is held until the actor's location is published. */
  waitsForPlace: boolean
  now: Date
}

/** Stores a decision, replacing an earlier one. Changing only the comment keeps the time of the decision. */
export async function putDecision(db: Db, d: NewDecision): Promise<void> {
  await sql`${named('put-decision')}
    insert into decisions (actor_id, target_id, decision, item_kind, item_id, item_text, comment, held,
      waits_for_place, decided_at)
    values (${d.actorId}, ${d.targetId}, ${d.decision}, ${d.item?.kind ?? null}, ${d.item?.id ?? null},
      ${d.item?.text ?? null}, ${d.comment}, ${d.held}, ${d.waitsForPlace},
      ${d.now})
    on conflict (actor_id, target_id) do update set
      (decision, item_kind, item_id, item_text, comment, held, waits_for_place, decided_at, comment_at)
      = (excluded.decision, excluded.item_kind, excluded.item_id, excluded.item_text, excluded.comment, excluded.held,
        excluded.waits_for_place, case decisions.decision when excluded.decision then decisions.decided_at else excluded.decided_at end,
        case when decisions.comment is distinct from excluded.comment then excluded.decided_at
          else decisions.comment_at end)`.execute(db)
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

// Held likes that nothing holds anymore: the actor is visible, and no block or ended match separates the two people.
const releasable = sql`from decisions d join accounts a on a.id = d.actor_id and not a.unseen
  join profiles mine on mine.user_id = d.actor_id and not mine.hidden
  join profiles theirs on theirs.user_id = d.target_id and not theirs.hidden
  where d.held and not d.waits_for_place and not is_apart(d.actor_id, d.target_id)`

/** The targets of an actor's likes that are held until the actor's location is published. */
export async function findWaitingForPlace(db: Db, actorId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select target_id as id from decisions where actor_id = ${actorId} and held and waits_for_place`.execute(db)
  return rows.map(({ id }) => id)
}

/** Actors whose likes are held for their location although it has been published. */
export async function findArrived(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select distinct d.actor_id as id from decisions d
      join accounts a on a.id = d.actor_id and not a.unseen
      join profiles p on p.user_id = d.actor_id and not p.hidden and not p.paused
      join locations l on l.user_id = d.actor_id and l.published_at is not null and l.publish_at is null
      where d.held and d.waits_for_place) actors order by random() limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The targets of an actor's held likes that can be released. */
export async function findUnheard(db: Db, actorId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.target_id as id ${releasable} and d.actor_id = ${actorId} order by d.target_id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Actors with held likes that can be released. */
export async function findUnheardActors(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select distinct d.actor_id as id ${releasable}) actors order by random() limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function setHeard(db: Db, actorId: string, targetId: string): Promise<void> {
  await db
    .updateTable('decisions')
    .set({ held: false, waits_for_place: false })
    .where('actor_id', '=', actorId)
    .where('target_id', '=', targetId)
    .execute()
}

// A like that led to a match can't be undone, even if the match has ended. A match that the actor hasn't been told of
// doesn't count.
const neverMatched = (
  actor: string,
) => `not exists (select from conversation_members o join matches m on m.id = o.conversation_id
  where o.user_id = ${actor} and o.conversation_id = conversation_id(d.actor_id, d.target_id)
    and not is_unheard(d.target_id, d.actor_id))`

export interface Day {
  likes: number
  starts_at: Date
  ends_at: Date
}

/**
 * The like day of actor $1, in time zone $2 (IANA), at time $3: the current one until it ends, then the next one. It
 * begins at local midnight, or at the end of the previous like day if the actor moved and that is later, so each like
 * counts in one day only. It ends at the first local midnight at least 12 hours later: otherwise someone moving west
 * would start a new day every hour. On days when midnight occurs twice or not at all, it begins a second after
 * 23:59:59.
 */
const eveOf = (moment: string) => `date_trunc('day', ${moment} at time zone $2) - interval '1 second'`
const day = `with last as (
    select coalesce(kept.ends_at > $3, false) as lasts, kept.starts_at, kept.ends_at,
      greatest((${eveOf('$3::timestamptz')}) at time zone $2 + interval '1 second', kept.ends_at) as next_at
    from (values (1)) one left join like_days kept on kept.user_id = $1),
  day as (
    select case when lasts then starts_at else next_at end as starts_at, case when lasts then ends_at else
      (${eveOf("(next_at + interval '12 hours')")} + interval '1 day') at time zone $2 + interval '1 second' end as ends_at
    from last)`
const likesOfDay = `(select count(*) from decisions
  where actor_id = $1 and decision = 'like' and decided_at >= starts_at) as likes`

/** Returns a person's like day and its likes. Stores when the day ends, so that moving doesn't start another. */
export async function beginDay(db: Db, actorId: string, zone: string, now: Date): Promise<Day> {
  const text = `/* begin-day */ ${day}, begun as (
      insert into like_days as kept (user_id, starts_at, ends_at) select $1, starts_at, ends_at from day
      on conflict (user_id) do update set (starts_at, ends_at) = (excluded.starts_at, excluded.ends_at)
        where kept.ends_at <> excluded.ends_at)
    select starts_at, ends_at, ${likesOfDay} from day`
  const { rows } = await db.executeQuery<Day>(CompiledQuery.raw(text, [actorId, zone, now]))
  return rows[0] as Day
}

/**
 * Like `beginDay`, but stores nothing. Also counts the decisions made since `since` that the actor can undo, and
 * returns the person of the latest one.
 */
export async function findCounts(
  pool: pg.Pool,
  actorId: string,
  { zone, now, since }: { zone: string; now: Date; since: Date },
): Promise<Day & { count: number; latest: string | null }> {
  const { rows } = await pool.query<Day & { count: number; latest: string | null }>({
    name: 'deck-counts',
    text: `${day} select starts_at, ends_at, ${likesOfDay}, undoable.* from day cross join (
      select count(*) as count, (array_agg(d.target_id order by d.decided_at desc, d.target_id))[1] as latest
      from decisions d where d.actor_id = $1 and d.decided_at > (select $4::timestamptz) and ${neverMatched('$1')}) undoable`,
    values: [actorId, zone, now, since],
  })
  return rows[0] as (typeof rows)[number]
}

export type LikeRow = Pick<
  DecisionRow,
  'actor_id' | 'target_id' | 'item_kind' | 'item_id' | 'item_text' | 'comment' | 'decided_at'
>
const about = 'd.actor_id, d.target_id, d.item_kind, d.item_id, d.item_text, d.decided_at'
// A comment is held under the same conditions, and for as long, as a suspected spammer's messages.
const heldComment = `d.comment is not null
  and (is_held_back(d.actor_id, $3) or is_withheld(d.actor_id, coalesce(d.comment_at, d.decided_at)))`

interface Page {
  after: { at: string; id: string } | undefined
  limit: number
}

export interface Liker {
  id: string
  decided_at: Date
}

/**
 * People whose likes a person hasn't answered, except perhaps with "later", newest first. `offset 0` forces one lookup
 * per like: a generic plan with a join would compare all likes with all decisions.
 */
export async function findLikers(pool: pg.Pool, userId: string, limit: number): Promise<Liker[]> {
  const { rows } = await pool.query<Liker>({
    name: 'likes-likers',
    text: `select d.actor_id as id, d.decided_at from decisions d
      where d.target_id = $1 and d.decision = 'like' and ${waits}
      order by d.decided_at desc, d.actor_id limit $2`,
    values: [userId, limit],
  })
  return rows
}

/**
 * Records that a person is notified of a like. Returns false if they were notified about the same actor within a day.
 */
export async function beginNews(db: Db, actorId: string, targetId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`${named('begin-like-news')}
    insert into like_news as known (actor_id, target_id, told_at) values (${actorId}, ${targetId}, ${now})
    on conflict (actor_id, target_id) do update set told_at = excluded.told_at
      where known.told_at <= excluded.told_at - interval '1 day'
    returning 1`.execute(db)
  return rows.length > 0
}

export function deleteNews(db: Db, until: Date): Promise<void> {
  return inBatches(async (most) => {
    const { numAffectedRows } = await sql`
      delete from like_news where ctid = any(array(
        select ctid from like_news where told_at < ${until} order by told_at limit ${most}))`.execute(db)
    return Number(numAffectedRows)
  })
}

/** The people among `ids` with likes that are held until their location is published. */
export async function findHolding(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from unnest(${ids}::uuid[]) as moved (id)
    where exists (select from decisions d where d.actor_id = moved.id and d.held and d.waits_for_place)`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findReceived(
  pool: pg.Pool,
  userId: string,
  ids: readonly string[],
  now: Date,
): Promise<LikeRow[]> {
  const { rows } = await pool.query<LikeRow>({
    name: 'likes-received',
    text: `select ${about}, case when ${heldComment} then null else d.comment end as comment from decisions d
      where d.target_id = $1 and d.decision = 'like' and d.actor_id = any((select $2)::uuid[])
      order by d.decided_at desc, d.actor_id`,
    values: [userId, ids, now],
  })
  return rows
}

/**
 * The people an actor liked, passed or saved for later, newest first, without current and former matches. People the
 * actor may not see are filtered out before the limit applies, so that pages are full.
 */
export async function findMade(db: Db, userId: string, decision: Decision, page: Page): Promise<LikeRow[]> {
  const { after, limit } = page
  const { rows } = await sql<LikeRow>`
    select ${sql.raw(about)}, d.comment from decisions d join profiles p on p.user_id = d.target_id
    where d.actor_id = ${userId} and d.decision = ${decision} and ${sql.raw(neverMatched('d.actor_id'))}
      and is_visible_to(p, d.actor_id, false)
      and not exists (select from blocks b where b.blocker_id = d.actor_id and b.blocked_id = d.target_id)
      and not exists (select from blocks b where b.blocker_id = d.target_id and b.blocked_id = d.actor_id)
      and (${after?.at ?? null}::timestamptz is null or (d.decided_at, d.target_id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by d.decided_at desc, d.target_id desc limit ${limit}`.execute(db)
  return rows
}

export async function findLikedItems(db: Db, userId: string) {
  const { rows } = await sql<{ photos: string[]; prompts: { prompt: string; answer: string }[] }>`
    select array(select file_name from photos where user_id = ${userId} and state = any(shown_states())) as photos, prompts
    from profiles where user_id = ${userId}`.execute(db)
  return rows[0]
}
