import type { LinkedAccount } from '@duet/contract/moderation.ts'
import type { Standing } from '@duet/contract/sanctions.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export type SignalKind = 'address' | 'network' | 'person'

export async function putSignals(
  db: Db,
  userId: string,
  signals: readonly { kind: SignalKind; value: Buffer }[],
  now: Date,
): Promise<void> {
  for (const { kind, value } of signals)
    await db
      .insertInto('account_signals')
      .values({ user_id: userId, kind, value, at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet({ value, at: now }))
      .execute()
}

export async function putEarlier(db: Db, userId: string, value: Buffer): Promise<void> {
  await db
    .insertInto('earlier_mailboxes')
    .values({ user_id: userId, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores the mailbox that an account leaves, unless it moves to the same one. */
export async function putEarlierMailbox(db: Db, userId: string, before: Buffer, now: Buffer): Promise<void> {
  await putEarlier(db, userId, before)
  await db.deleteFrom('earlier_mailboxes').where('user_id', '=', userId).where('value', '=', now).execute()
}

const everySignal = sql`(select user_id, kind, value, at from account_signals
  union all select user_id, 'address', value, null from earlier_mailboxes)`

export function findWho(db: Db, userId: string) {
  return db
    .selectFrom('accounts')
    .innerJoin('profiles', 'profiles.user_id', 'accounts.id')
    .select(['email', 'name', sql<string>`birth_date::text`.as('birth_date')])
    .where('accounts.id', '=', userId)
    .executeTakeFirst()
}

export function findIdentities(db: Db, userId: string): Promise<{ issuer: string; subject: string }[]> {
  return db.selectFrom('identities').select(['issuer', 'subject']).where('user_id', '=', userId).execute()
}

export async function findUnprinted(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ file_name: string }>`select file_name from photos i where user_id = ${userId}
    and not exists (select from photo_prints p where p.file_name = i.file_name)`.execute(db)
  return rows.map(({ file_name }) => file_name)
}

export async function insertPhotoPrint(db: Db, userId: string, fileName: string, print: bigint): Promise<void> {
  await sql`insert into photo_prints (file_name, user_id, print)
    select file_name, user_id, ${String(print)}::bigint from photos where file_name = ${fileName} and user_id = ${userId}
    on conflict do nothing`.execute(db)
}

const isSamePhoto = sql`bit_count((o.print # me.print)::bit(64)) <= 2`
const hasSamePhoto = sql`bool_or(${isSamePhoto})`
/** Photos get passed around, and many people photograph the same place, so a single match is weak evidence. */
const photoPoints = sql`case when count(distinct o.file_name) filter (where ${isSamePhoto}) > 1 then 2 else 1 end`
/** Whether a moderation decision hides an account from everyone. */
const isClosed = sql`a.standing in ('suspended', 'banned')`
const isSuspect = (id: RawBuilder<unknown>) => sql`(exists (select from blocks where blocked_id = ${id})
  or exists (select from accounts a where a.id = ${id} and ${isClosed}))`
/**
 * The signals that other accounts share with a person. A shared network and device count only if both used them
 * recently.
 */
const sharedSignals = (userId: string, networksSince: Date) => sql`
  select o.user_id, o.kind, case o.kind when 'address' then 2 else 1 end as points
  from ${everySignal} me join ${everySignal} o on o.kind = me.kind and o.value = me.value
  where me.user_id = ${userId} and o.user_id <> ${userId} and (o.kind <> 'network' or least(me.at, o.at) > ${networksSince})`

export interface Likeness {
  user_id: string
  points: number
  /** The points without signals that the owner of a newer account could have copied (see `findLikenesses`). */
  counted: number
  signals: string[]
  standing: Standing
}

/**
 * Blocked, suspended or banned accounts that seem to belong to this person, by points: two for an address, or for two
 * of the same photos; one for a single equal or similar photo, for a network, or for a name with a birthday. Suspended
 * and banned accounts are included even with just one equal photo. Impostors use other people's photos, name and
 * birthday. So a photo counts only against older photos, and only the address and photos of a newer account are
 * `counted`.
 */
export async function findLikenesses(db: Db, userId: string, networksSince: Date): Promise<Likeness[]> {
  const { rows } = await sql<Likeness>`
    with signs as (
      select user_id, kind, points, false as is_same from (${sharedSignals(userId, networksSince)}) shared
      union all
      select o.user_id, 'photo', ${photoPoints}, ${hasSamePhoto}
      from photo_prints me join photo_prints o on bit_count((o.print # me.print)::bit(64)) <= 8
      join photos mine on mine.file_name = me.file_name join photos theirs on theirs.file_name = o.file_name
      where me.user_id = ${userId} and o.user_id <> ${userId} and theirs.created_at < mine.created_at
      group by o.user_id),
    likely as materialized (
      select s.user_id, sum(s.points)::integer as points, bool_or(s.is_same) as is_same,
        coalesce(sum(s.points) filter (where s.kind in ('address', 'photo') or a.created_at < own.created_at), 0)::integer
          as counted,
        array_agg(distinct s.kind order by s.kind) as signals, a.standing
      from signs s join accounts a on a.id = s.user_id join accounts own on own.id = ${userId}
      group by s.user_id, a.standing
      having sum(s.points) >= 2 or (${isClosed} and bool_or(s.is_same)))
    select user_id, points, counted, signals, standing from likely where ${isSuspect(sql`user_id`)}`.execute(db)
  return rows
}

/**
 * Accounts that may belong to the same person as a newly blocked, suspended or banned account, likeliest first: they
 * share a signal or an equal photo with it. `findLikenesses` then decides about each of them.
 */
export async function findResembling(db: Db, userId: string, networksSince: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (
      select user_id, points from (${sharedSignals(userId, networksSince)}) shared
      union all
      select o.user_id, 2 from photo_prints me join photo_prints o on o.print = me.print where me.user_id = ${userId}) signs
    where user_id <> ${userId} group by user_id order by sum(points) desc, user_id limit ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

const isDismissed = sql`r.outcome is not distinct from 'dismissed'`
const hasReview = (id: RawBuilder<unknown>, as: RawBuilder<unknown>) =>
  sql`exists (select from reviews r where r.user_id = ${id} and r.kind = 'linked_account' and ${as})`

interface LinkedRow {
  id: string
  name: string
  standing: Standing
  signals: LinkedAccount['signals']
}

/**
 * Accounts that seem to belong to this person, by the points of `findLikenesses`, in both directions: earlier accounts
 * that were blocked, suspended or banned, and accounts that came later. Excludes accounts that a moderator found to
 * belong to someone else.
 */
export async function findLinked(db: Db, userId: string, networksSince: Date, limit: number): Promise<LinkedRow[]> {
  const { rows } = await sql<LinkedRow>`
    with signs as (
      select user_id, kind, 1 as count, points, false as is_same from (${sharedSignals(userId, networksSince)}) shared
      union all
      select o.user_id, 'photo', count(distinct o.file_name)::integer, ${photoPoints}, ${hasSamePhoto}
      from photo_prints me join photo_prints o on bit_count((o.print # me.print)::bit(64)) <= 8
      where me.user_id = ${userId} and o.user_id <> ${userId}
      group by o.user_id),
    likely as materialized (
      select a.id, p.name, a.standing, sum(s.points) as points,
        json_agg(json_build_object('kind', s.kind, 'count', s.count) order by s.points desc, s.kind) as signals
      from (select user_id, kind, max(count) as count, max(points) as points, bool_or(is_same) as is_same
        from signs group by user_id, kind) s
      join accounts a on a.id = s.user_id join profiles p on p.user_id = a.id
      group by a.id, p.name having sum(s.points) >= 2 or bool_or(s.is_same and ${isClosed}))
    select id, name, standing, signals from likely a
    where ${isSuspect(sql`a.id`)} and not ${hasReview(sql`a.id`, isDismissed)} and not ${hasReview(sql`${userId}`, isDismissed)}
      or ${hasReview(sql`a.id`, sql`not ${isDismissed}`)} and ${isSuspect(sql`${userId}::uuid`)}
    order by ${isClosed} desc, points desc, id limit ${limit}`.execute(db)
  return rows
}

/**
 * Blocks a person on behalf of everyone who blocked one of their other accounts, except blockers with the same mailbox,
 * who aren't strangers to them. Waits for concurrent decisions of these pairs, like any block. A linked block ends
 * together with the block it derives from. It also has that block's time, because the blocker can read the time and
 * must not learn when the other account was created. Processes the first `most` blockers after `from`, in order, and
 * returns them: each takes a lock, and the database has only a few thousand locks.
 */
export async function blockAsLinked(
  db: Db,
  { userId, otherIds }: { userId: string; otherIds: readonly string[] },
  { from, most }: { from: string; most: number },
): Promise<string[]> {
  const { rows } = await sql<{ blocker_id: string }>`
    with blockers as materialized (
      select distinct on (blocker_id) blocker_id, coalesce(linked_to, blocked_id) as linked_to, listed,
        created_at from blocks b
      where blocked_id = any(${otherIds}::uuid[]) and blocker_id > ${from} and blocker_id <> ${userId} and not exists (
        select from account_signals me join account_signals theirs on theirs.kind = me.kind and theirs.value = me.value
        where me.user_id = ${userId} and theirs.user_id = b.blocker_id and me.kind = 'address')
      order by blocker_id, b.linked_to nulls first limit ${most}),
    alone as materialized (select *, lock_pair(blocker_id, ${userId}) from blockers),
    kept as (
      insert into blocks (blocker_id, blocked_id, created_at, linked_to, listed)
      select blocker_id, ${userId}, created_at, linked_to, listed from alone
      on conflict do nothing)
    select blocker_id from alone order by blocker_id`.execute(db)
  return rows.map(({ blocker_id }) => blocker_id)
}

/** The earlier review of this kind, locked so that nobody decides it until the transaction ends. */
export async function lockReviewAbout(db: Db, userId: string, kind: string) {
  return db
    .selectFrom('reviews')
    .select(['created_at', sql<string>`coalesce(outcome, 'open')`.as('outcome')])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether a moderator confirmed that a person came back with a new account, and no reversal followed. */
export async function isFoundOut(db: Db, userId: string, kind: string): Promise<boolean> {
  const { rows } = await sql`select from reviews r
    where r.user_id = ${userId} and r.kind = ${kind} and r.outcome = 'upheld' and not exists (
      select from sanctions s where s.review_id = r.id and s.lifted_as in ('reversed', 'lifted'))`.execute(db)
  return rows.length > 0
}

export async function findUnseenSince(db: Db, kind: string, before: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id from reviews r join accounts a on a.id = r.user_id
    where r.state = 'open' and r.kind = ${kind} and r.created_at <= ${before} and a.unseen
    order by random() limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Hides a person until their review, or makes them visible again. Administrators are never hidden. */
export async function setUnseen(db: Db, userId: string, unseen: boolean): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ unseen })
    .where('id', '=', userId)
    .where('unseen', '<>', unseen)
    .$if(unseen, (query) => query.where('is_super_admin', '=', false))
    .execute()
}

export async function unblockLinked(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('blocks').where('blocked_id', '=', userId).where('linked_to', 'is not', null).execute()
}

export async function forgetNetworks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('account_signals').where('kind', '=', 'network').where('at', '<', before).execute()
}
