import type { Decision } from '@duet/contract/profiles.ts'
import { CompiledQuery, type Selectable, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/database.ts'
import { named } from '../../platform/database/named-client.ts'
import type { DB } from '../../platform/database/schema.ts'

export type DecisionRow = Omit<Selectable<DB['decisions']>, 'decision'> & { decision: Decision }

/** One at a time for a pair, until the transaction ends. */
export async function lockPair(db: Db, a: string, b: string): Promise<void> {
  await sql`${named('lock-pair')} select lock_pair(${a}, ${b})`.execute(db)
}

const likesLock = (userId: string) => sql`pg_advisory_xact_lock(hashtextextended('likes' || ${userId}::text, 0))`

/** One like at a time for a person, so that a day's count cannot be overrun. Taken before the pair's lock. */
export async function lockLikes(db: Db, userId: string): Promise<void> {
  await sql`select ${likesLock(userId)}`.execute(db)
}

/** Both locks, in this order: the pair's is asked for with the row that the first one gives. */
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
  my_comment: string | null
  my_item_kind: string | null
  my_item_id: string | null
  theirs: Decision | null
  their_held: boolean
  their_comment: string | null
  my_decided_at: Date | null
  their_decided_at: Date | null
}

// Who matched has a conversation, which each of the two knows: only with one is their match looked up.
const pair = `/* pair */
  select blocking.blocker_id is not null or blocked.blocker_id is not null or m.ended_at is not null as apart,
    m.ended_at is not null as unmatched, coalesce(is_visible_to(p, $1, false), false) as there,
    coalesce(a.unseen, false) as unseen, m.id is not null and m.ended_at is null as matched, coalesce(own.name, '') as my_name,
    mine.decision as mine, mine.comment as my_comment, mine.item_kind as my_item_kind, mine.item_id as my_item_id,
    coalesce(mine.held, false) as my_held, theirs.decision as theirs, coalesce(theirs.held, false) as their_held,
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
 * What is known of two people before a decision: whether nothing keeps them apart, whether a person has to look at the
 * actor first, the actor's name, and what each decided.
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
  /** A person has to look at the actor first: the target does not hear of it. */
  held: boolean
  now: Date
}

/** Keeps a decision in the place of an earlier one. It was decided when it was first said: another comment is not news. */
export async function putDecision(db: Db, d: NewDecision): Promise<void> {
  await sql`${named('put-decision')}
    insert into decisions (actor_id, target_id, decision, item_kind, item_id, item_text, comment, held, decided_at)
    values (${d.actorId}, ${d.targetId}, ${d.decision}, ${d.item?.kind ?? null}, ${d.item?.id ?? null},
      ${d.item?.text ?? null}, ${d.comment}, ${d.held}, ${d.now})
    on conflict (actor_id, target_id) do update set (decision, item_kind, item_id, item_text, comment, held, decided_at)
      = (excluded.decision, excluded.item_kind, excluded.item_id, excluded.item_text, excluded.comment, excluded.held,
        case decisions.decision when excluded.decision then decisions.decided_at else excluded.decided_at end)`.execute(
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

/** The people an actor liked whose likes are still unheard. */
export async function findUnheard(db: Db, actorId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select target_id as id from decisions where actor_id = ${actorId} and held order by target_id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function setHeard(db: Db, actorId: string, targetId: string): Promise<void> {
  await db
    .updateTable('decisions')
    .set({ held: false })
    .where('actor_id', '=', actorId)
    .where('target_id', '=', targetId)
    .execute()
}

// Neither a match nor a former one: those are ended, not undone. An unheard match counts as none.
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
 * Of the actor $1 in their time zone $2 (IANA) at the moment $3: the day that their likes were last counted in; once that
 * is over, the day that it is. Where midnight comes twice, or not at all, a day begins a second after 23:59:59.
 */
const day = `with clock as (select date_trunc('day', $3::timestamptz at time zone $2) - interval '1 second' as eve),
  day as (
    select coalesce(kept.starts_at, eve at time zone $2 + interval '1 second') as starts_at,
      coalesce(kept.ends_at, (eve + interval '1 day') at time zone $2 + interval '1 second') as ends_at
    from clock left join like_days kept on kept.user_id = $1 and kept.ends_at > $3)`
const likesOfDay = `(select count(*) from decisions
  where actor_id = $1 and decision = 'like' and decided_at >= starts_at) as likes`

/** A person's likes of their day, which is kept until it ends: who moves on begins no other one. */
export async function beginDay(db: Db, actorId: string, zone: string, now: Date): Promise<Day> {
  const text = `/* begin-day */ ${day}, begun as (
      insert into like_days as kept (user_id, starts_at, ends_at) select $1, starts_at, ends_at from day
      on conflict (user_id) do update set (starts_at, ends_at) = (excluded.starts_at, excluded.ends_at)
        where kept.ends_at <> excluded.ends_at)
    select starts_at, ends_at, ${likesOfDay} from day`
  const { rows } = await db.executeQuery<Day>(CompiledQuery.raw(text, [actorId, zone, now]))
  return rows[0] as Day
}

/** The same; and how many decisions the actor made since `since`, matches aside, with the person of the latest. */
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
// Held like messages: those of a suspected spammer, until a moderator clears them.
const heldComment = `d.comment is not null and exists (select from sanctions s
  where s.user_id = d.actor_id and s.kind = 'shadow' and coalesce(s.lifted_as, 'ended') = 'ended'
    and coalesce(s.lifted_at, s.ends_at, 'infinity') > d.decided_at)`

interface Page {
  after: { at: string; id: string } | undefined
  limit: number
}

export interface Liker {
  id: string
  decided_at: Date
}

/**
 * Who likes a person and has no answer but perhaps "later", newest first. `offset 0` keeps the look for an answer a look-up
 * per like: joined, a generic plan compares every like with every decision.
 */
export async function findLikers(pool: pg.Pool, userId: string, limit: number): Promise<Liker[]> {
  const { rows } = await pool.query<Liker>({
    name: 'likes-likers',
    text: `select d.actor_id as id, d.decided_at from decisions d
      where d.target_id = $1 and d.decision = 'like' and not exists (select from decisions mine
        where mine.actor_id = $1 and mine.target_id = d.actor_id and mine.decision <> 'later' offset 0)
      order by d.decided_at desc, d.actor_id limit $2`,
    values: [userId, limit],
  })
  return rows
}

/** The likes of a person by `ids`, newest first. */
export async function findReceived(pool: pg.Pool, userId: string, ids: readonly string[]): Promise<LikeRow[]> {
  const { rows } = await pool.query<LikeRow>({
    name: 'likes-received',
    text: `select ${about}, case when ${heldComment} then null else d.comment end as comment from decisions d
      where d.target_id = $1 and d.decision = 'like' and d.actor_id = any((select $2)::uuid[])
      order by d.decided_at desc, d.actor_id`,
    values: [userId, ids],
  })
  return rows
}

/**
 * The people an actor liked, passed or saved for later, newest first; without matches, ended ones too. People they may not
 * see leave no gap in a page.
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

/** A person's photos and prompts, one of which may be liked. */
export async function findLikedItems(db: Db, userId: string) {
  const { rows } = await sql<{ photos: string[]; prompts: { prompt: string; answer: string }[] }>`
    select array(select file_name from photos where user_id = ${userId} and state <> 'rejected') as photos, prompts
    from profiles where user_id = ${userId}`.execute(db)
  return rows[0]
}
