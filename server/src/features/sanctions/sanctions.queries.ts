import type { AppealState, Ground, ItemKind, Sanction, SanctionKind, Standing } from '@duet/contract/sanctions.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** As much of a removed item as can be restored. Stored in this form. `conversationId` is the pair's id. */
export type KeptItem =
  | { kind: 'photo'; fileName: string }
  | { kind: 'message'; conversationId: string; seq: number; body: string }
  | {
      kind: 'profile'
      bio: string
      prompts: unknown[]
      name?: string
      genderText?: string
      pronouns?: string
      /** By photo file name. */
      descriptions?: Record<string, string>
    }

export interface SanctionRow {
  id: string
  user_id: string
  kind: SanctionKind
  ground: Ground
  statement: string
  automated: boolean
  report_id: number | null
  item: KeptItem | null
  item_kind: ItemKind | null
  decided_by: string | null
  decided_by_name: string | null
  created_at: Date
  ends_at: Date | null
  lifted_at: Date | null
  lifted_as: Sanction['liftedAs']
  appeal_state: AppealState | null
  appeal_text: string | null
  appeal_at: Date | null
  answer: string | null
  answered_at: Date | null
  undelivered: boolean
}

/** Undefined if the account is gone. */
export async function lockAccount(
  db: Db,
  userId: string,
): Promise<{ is_super_admin: boolean; standing: Standing; language: string } | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(['is_super_admin', 'language', sql<Standing>`standing`.as('standing')])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row
}

/** Waits for the decisions of other processes, and blocks further ones until the transaction ends. */
export async function takeTurn(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('moderation', 0))`.execute(db)
}

interface NewRow {
  userId: string
  kind: SanctionKind
  ground: Ground
  statement: string
  reportId: number | null
  item: KeptItem | null
  decidedBy: string | null
  ledBy: readonly string[]
  isStrike: boolean
  now: Date
  endsAt: Date | null
}

export async function insertSanction(db: Db, row: NewRow): Promise<string> {
  const { id } = await db
    .insertInto('sanctions')
    .values({
      user_id: row.userId,
      kind: row.kind,
      ground: row.ground,
      statement: row.statement,
      automated: row.decidedBy === null,
      report_id: row.reportId,
      item: row.item && JSON.stringify(row.item),
      decided_by: row.decidedBy,
      led_by: [...row.ledBy],
      is_strike: row.isStrike,
      created_at: row.now,
      ends_at: row.endsAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Records the review that led to a sanction, and whether held messages stay held because of it. */
export async function setReview(db: Db, id: string, reviewId: string): Promise<void> {
  await sql`update sanctions s set review_id = ${reviewId}, undelivered = exists (
    select from reviews r join conversations c on c.held_from = r.user_id and c.last_message_at <= r.decided_at
    where r.id = ${reviewId} and r.kind in ('spam', 'shadow_ended'))
    where id = ${id}`.execute(db)
}

/**
 * Sets an account's standing from its live sanctions. Returns the new and the previous standing; undefined if there is
 * no account.
 */
export async function updateStanding(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ standing: Standing; before: Standing } | undefined> {
  const { rows } = await sql<{ standing: Standing; before: Standing }>`
    with account as (select id, standing from accounts where id = ${userId} for no key update),
    live as (
      select case kind when 'ban' then 'banned' when 'suspension' then 'suspended' else 'restricted' end as standing, ends_at,
        array_position(array['ban', 'suspension', 'restriction'], kind) as place
      from sanctions where user_id = ${userId} and lifted_at is null and (ends_at is null or ends_at > ${now})
        and kind in ('ban', 'suspension', 'restriction')),
    worst as (
      select standing, case when bool_or(ends_at is null) then null else max(ends_at) end as until
      from live where place = (select min(place) from live) group by standing)
    update accounts a set standing = coalesce((select standing from worst), 'good'), standing_until = (select until from worst)
    from account where a.id = account.id returning a.standing, account.standing as before`.execute(db)
  return rows[0]
}

export async function sessionIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()
  return rows.map(({ id }) => id)
}

/** All processes are notified and close the connections of these sessions. */
export async function deleteSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

function rowsWhere(condition: RawBuilder<unknown>) {
  return sql<SanctionRow>`
    select s.*, s.item->>'kind' as item_kind, d.name as decided_by_name, a.state as appeal_state, a.text as appeal_text,
      a.created_at as appeal_at, a.answer, a.decided_at as answered_at
    from sanctions s left join profiles d on d.user_id = s.decided_by left join appeals a on a.sanction_id = s.id
    where ${condition} order by s.created_at desc, s.id`
}

/**
 * A person's sanctions, newest first: up to `limit` strikes and as many others, so that many rejected photos don't push
 * strikes off the list. If there are more, reversed sanctions are dropped first.
 */
export async function findSanctionsOf(db: Db, userId: string, limit: number): Promise<SanctionRow[]> {
  const kept = sql`s.id in (select id from (
    select id, row_number() over (partition by is_strike
      order by coalesce(lifted_as in ('reversed', 'lifted'), false), created_at desc) as place
    from sanctions where user_id = ${userId}) placed where place <= ${limit})`
  return (await rowsWhere(kept).execute(db)).rows
}

export async function findSanctions(db: Db, ids: readonly string[]): Promise<SanctionRow[]> {
  return (await rowsWhere(sql`s.id = any(${ids}::uuid[])`).execute(db)).rows
}

export async function findPhotoRejection(db: Db, userId: string, fileName: string): Promise<SanctionRow | undefined> {
  const rejection = sql`s.user_id = ${userId} and s.item ->> 'fileName' = ${fileName} and not s.is_strike
    and s.lifted_at is null`
  return (await rowsWhere(rejection).execute(db)).rows[0]
}

/** Records how a live sanction ended. False if it had already ended. A sanction past its end can still be reversed. */
export async function markLifted(
  db: Db,
  id: string,
  lifted: { as: 'ended' | 'reversed' | 'lifted'; by: string | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sanctions')
    .set({ lifted_at: lifted.now, lifted_as: lifted.as, lifted_by: lifted.by })
    .where('id', '=', id)
    .where((or) =>
      or.or([or('lifted_at', 'is', null), ...(lifted.as === 'reversed' ? [or('lifted_as', '=', 'ended')] : [])]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores a sanction for the mailboxes of the erased account that a report was about. False if the report has no stored
 * mailboxes, or this sanction doesn't outlive accounts.
 */
export async function keepForReported(db: Db, sanctionId: string, reportId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into kept_sanctions (value, until, sanction_id)
    select value, ends_at, s.id from reported_mailboxes m cross join sanctions s
    where m.report_id = ${reportId} and s.id = ${sanctionId} and outlives_account(s.kind)
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/**
 * Deletes all mailboxes stored for a sanction, and the account's mailboxes stored for earlier sanctions of the same
 * kind.
 */
export async function forgetMailboxes(
  db: Db,
  { id, user_id, kind }: Pick<SanctionRow, 'id' | 'user_id' | 'kind'>,
): Promise<void> {
  await sql`delete from kept_sanctions k using sanctions s
    where s.id = k.sanction_id and (s.id = ${id} or s.kind = ${kind} and value in (select mailboxes_of(${user_id})))`.execute(
    db,
  )
  if (kind === 'ban')
    await sql`delete from banned_addresses where value in (select mailboxes_of(${user_id}))`.execute(db)
}

/** Live sanctions past their end, in random order, so that failing ones don't block the others. */
export async function findOverdue(db: Db, now: Date, limit: number): Promise<{ id: string; user_id: string }[]> {
  return db
    .selectFrom('sanctions')
    .select(['id', 'user_id'])
    .where('lifted_at', 'is', null)
    .where('ends_at', '<=', now)
    .orderBy(sql`random()`)
    .limit(limit)
    .execute()
}

export async function findStanding(db: Db, userId: string) {
  return db
    .selectFrom('accounts')
    .select([sql<Standing>`standing`.as('standing'), 'standing_until'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Reversed strikes don't count. */
export async function countStrikes(db: Db, userIds: readonly string[], since: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ user_id: string; count: number }>`
    select user_id, count(*)::int as count from sanctions
    where user_id = any(${userIds}::uuid[]) and created_at > ${since} and kind not in ('shadow', 'reporting_restriction')
      and is_strike and coalesce(lifted_as, 'ended') = 'ended'
    group by user_id`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.count]))
}

/** Reversed sanctions don't count. */
export async function hasBroken(db: Db, userId: string, ground: Ground): Promise<boolean> {
  const { rows } = await sql`select from sanctions where user_id = ${userId} and ground = ${ground} and kind <> 'shadow'
    and is_strike and coalesce(lifted_as, 'ended') = 'ended' limit 1`.execute(db)
  return rows.length > 0
}

/** The one that lasts longest, if there are several. */
export async function findLive(db: Db, userId: string, kind: SanctionKind, now: Date) {
  return db
    .selectFrom('sanctions')
    .select(['id', 'statement', 'ends_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('lifted_at', 'is', null)
    .where((or) => or.or([or('ends_at', 'is', null), or('ends_at', '>', now)]))
    .orderBy(sql`ends_at desc nulls first`)
    .executeTakeFirst()
}

export interface Reader {
  email: string
  name: string
  language: string
}

export async function findAddress(db: Db, userId: string): Promise<Reader | undefined> {
  return db
    .selectFrom('accounts')
    .innerJoin('profiles', 'user_id', 'id')
    .select(['email', 'name', 'language'])
    .where('id', '=', userId)
    .executeTakeFirst()
}
