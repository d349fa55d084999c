import type { LinkedAccount } from '@duet/contract/moderation.ts'
import type { Standing } from '@duet/contract/sanctions.ts'
import { sql } from 'kysely'
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

/** Keeps the mailbox that an account leaves, unless it is the one that it moves to. */
export async function putEarlierMailbox(db: Db, userId: string, before: Buffer, now: Buffer): Promise<void> {
  await db
    .insertInto('earlier_mailboxes')
    .values({ user_id: userId, value: before })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.deleteFrom('earlier_mailboxes').where('user_id', '=', userId).where('value', '=', now).execute()
}

/** What accounts are recognised by: also the mailboxes they had before. */
const everySignal = sql`(select user_id, kind, value, at from account_signals
  union all select user_id, 'address', value, null from earlier_mailboxes)`

/** A person's address, name and day of birth. */
export function findWho(db: Db, userId: string) {
  return db
    .selectFrom('accounts')
    .innerJoin('profiles', 'profiles.user_id', 'accounts.id')
    .select(['email', 'name', sql<string>`birth_date::text`.as('birth_date')])
    .where('accounts.id', '=', userId)
    .executeTakeFirst()
}

/** A person's photos whose likeness hash is not known yet. */
export async function findUnprinted(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ file_name: string }>`select file_name from photos i where user_id = ${userId}
    and not exists (select from photo_prints p where p.file_name = i.file_name)`.execute(db)
  return rows.map(({ file_name }) => file_name)
}

export async function putPrint(db: Db, userId: string, fileName: string, print: bigint): Promise<void> {
  await sql`insert into photo_prints (file_name, user_id, print)
    select file_name, user_id, ${String(print)}::bigint from photos where file_name = ${fileName} and user_id = ${userId}
    on conflict do nothing`.execute(db)
}

const isSamePhoto = sql`bit_count((o.print # me.print)::bit(64)) <= 2`
const hasSamePhoto = sql`bool_or(${isSamePhoto})`
/** Pictures are passed on, and many have the same of a place: one alone says little. */
const photoPoints = sql`case when count(distinct o.file_name) filter (where ${isSamePhoto}) > 1 then 2 else 1 end`

export interface Likeness {
  user_id: string
  points: number
  signals: string[]
  banned: boolean
}

/**
 * Accounts that were blocked, or that are banned, and seem to be this person's, by their points: two for an address,
 * or for two of the same photos; one for a single photo, or one much like theirs, for a network, or for a name with a day
 * of birth. Of those that are banned also who has only one of their photos. A photo counts for the account that had it later: people
 * are impersonated with their own pictures.
 */
export async function findLikenesses(db: Db, userId: string, networksSince: Date): Promise<Likeness[]> {
  const { rows } = await sql<Likeness>`
    with suspects as materialized (
      select blocked_id as user_id from blocks where linked_to is null
      union select id from accounts where standing = 'banned'),
    signs as (
      select o.user_id, o.kind, case o.kind when 'address' then 2 else 1 end as points, false as is_same
      from account_signals me join ${everySignal} o on o.kind = me.kind and o.value = me.value
      where me.user_id = ${userId} and o.user_id <> ${userId} and (o.kind <> 'network' or o.at > ${networksSince})
      union all
      select o.user_id, 'photo', ${photoPoints}, ${hasSamePhoto}
      from photo_prints me join photo_prints o on bit_count((o.print # me.print)::bit(64)) <= 8
      join photos mine on mine.file_name = me.file_name join photos theirs on theirs.file_name = o.file_name
      where me.user_id = ${userId} and o.user_id <> ${userId} and o.user_id in (select user_id from suspects)
        and theirs.created_at < mine.created_at
      group by o.user_id)
    select s.user_id, sum(s.points)::integer as points, array_agg(s.kind order by s.kind) as signals,
      a.standing = 'banned' as banned
    from signs s join accounts a on a.id = s.user_id
    where s.user_id in (select user_id from suspects)
    group by s.user_id, a.standing
    having sum(s.points) >= 2 or (a.standing = 'banned' and bool_or(s.is_same))`.execute(db)
  return rows
}

interface LinkedRow {
  id: string
  name: string
  standing: Standing
  signals: LinkedAccount['signals']
}

/**
 * Accounts that seem to be this person's, by the points of `findLikenesses`, in both directions: a person who was blocked
 * or banned, and who came back after them. Those that a moderator found to be another person are left out.
 */
export async function findLinked(db: Db, userId: string, networksSince: Date, limit: number): Promise<LinkedRow[]> {
  const { rows } = await sql<LinkedRow>`
    with suspects as materialized (
      select blocked_id as user_id from blocks where linked_to is null
      union select id from accounts where standing = 'banned'),
    looked as materialized (select user_id, outcome from reviews where kind = 'linked_account'),
    others as materialized (
      select user_id from suspects where user_id not in (select user_id from looked where outcome = 'dismissed')
        and not exists (select from looked where user_id = ${userId} and outcome = 'dismissed')
      union select user_id from looked where outcome is distinct from 'dismissed'
        and ${userId}::uuid in (select user_id from suspects)),
    signs as (
      select o.user_id, o.kind, 1 as count, case o.kind when 'address' then 2 else 1 end as points, false as is_same
      from account_signals me join ${everySignal} o on o.kind = me.kind and o.value = me.value
      where me.user_id = ${userId} and (o.kind <> 'network' or o.at > ${networksSince})
      union all
      select o.user_id, 'photo', count(distinct o.file_name)::integer, ${photoPoints}, ${hasSamePhoto}
      from photo_prints me join photo_prints o on bit_count((o.print # me.print)::bit(64)) <= 8
      where me.user_id = ${userId} and o.user_id in (select user_id from others)
      group by o.user_id)
    select a.id, p.name, a.standing,
      json_agg(json_build_object('kind', s.kind, 'count', s.count) order by s.points desc, s.kind) as signals
    from signs s join accounts a on a.id = s.user_id join profiles p on p.user_id = a.id
    where s.user_id in (select user_id from others) and s.user_id <> ${userId}
    group by a.id, p.name having sum(s.points) >= 2 or bool_or(s.is_same and a.standing = 'banned')
    order by a.standing = 'banned' desc, sum(s.points) desc, a.id limit ${limit}`.execute(db)
  return rows
}

/**
 * Keeps a person apart from all who blocked the other account, but for those whose mailbox they share: such are not strangers
 * to them. Returns from how many.
 */
export async function blockAsLinked(db: Db, userId: string, otherId: string, now: Date): Promise<number> {
  const { rows } = await sql`
    insert into blocks (blocker_id, blocked_id, created_at, linked_to)
    select blocker_id, ${userId}, ${now}, ${otherId} from blocks
    where blocked_id = ${otherId} and linked_to is null and blocker_id <> ${userId}
      and not exists (
        select from account_signals me join account_signals theirs on theirs.kind = me.kind and theirs.value = me.value
        where me.user_id = ${userId} and theirs.user_id = blocker_id and me.kind = 'address')
    on conflict do nothing returning 1`.execute(db)
  return rows.length
}

/** What was decided when this was noticed before: undefined when it was not. No one can decide it until the transaction ends. */
export async function lockReviewOutcome(db: Db, userId: string, kind: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('reviews')
    .select(sql<string>`coalesce(outcome, 'open')`.as('outcome'))
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  return found?.outcome
}

/** Makes a person unseen until a moderator has looked, or visible again. */
export async function setUnseen(db: Db, userId: string, unseen: boolean): Promise<void> {
  await db.updateTable('accounts').set({ unseen }).where('id', '=', userId).where('unseen', '<>', unseen).execute()
}

/** Undoes what kept a person apart from those who had blocked another account. */
export async function unblockLinked(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('blocks').where('blocked_id', '=', userId).where('linked_to', 'is not', null).execute()
}

export async function forgetNetworks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('account_signals').where('kind', '=', 'network').where('at', '<', before).execute()
}
