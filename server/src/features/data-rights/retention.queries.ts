import { promised } from '@duet/contract/promised.ts'
import { sql } from 'kysely'
import { after, days } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'

const monthsBefore = (now: Date, months: number) => sql`(${now}::timestamptz - make_interval(months => ${months}))`

// Someone with a session has signed in recently, even if they have done nothing else.
const unused = sql`not exists (select from sessions s where s.user_id = p.user_id)
  and not exists (select from demo_people d where d.user_id = p.user_id) and a.erase_at is null`

/**
 * People who have been away for 23 months and haven't been warned since. In no particular order, so that people who
 * can't be emailed now don't delay the others.
 */
export async function findToWarn(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: string; email: string; language: string }[]> {
  const { rows } = await sql<{ id: string; email: string; language: string }>`
    select a.id, a.email, a.language from profiles p join accounts a on a.id = p.user_id
    left join inactivity_warnings w on w.user_id = p.user_id and w.warned_at > p.last_active_at
    where p.last_active_at < ${monthsBefore(now, promised.unusedMonths - 1)} and w.user_id is null and ${unused}
    order by random() limit ${limit}`.execute(db)
  return rows
}

export async function putWarned(db: Db, userId: string, now: Date): Promise<void> {
  await db
    .insertInto('inactivity_warnings')
    .values({ user_id: userId, warned_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ warned_at: now }))
    .execute()
}

/**
 * Schedules the erasure of accounts that have been unused for 24 months and whose owner was warned at least four weeks
 * ago. Returns their ids.
 */
export async function expireInactive(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update accounts set erase_at = ${now} where id in (
      select p.user_id from profiles p join accounts a on a.id = p.user_id
      join inactivity_warnings w on w.user_id = p.user_id and w.warned_at > p.last_active_at
      where p.last_active_at < ${monthsBefore(now, promised.unusedMonths)}
        and w.warned_at <= ${now}::timestamptz - interval '28 days' and ${unused}) returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Photos rejected more than 30 days ago. A photo that a decision removed is kept while its owner can appeal and while
 * an appeal is open, because a reversal restores it. Includes an extra week: at the end of a month, six months in SQL
 * and in JavaScript, which computes the appeal deadline, can differ by some days.
 */
export async function findRefused(db: Db, now: Date): Promise<{ user_id: string; file_name: string }[]> {
  const { rows } = await sql<{ user_id: string; file_name: string }>`
    select user_id, file_name from photos p
    where state = 'rejected' and reviewed_at < ${after(now, -days(promised.refusedDays))} and not exists (
      select from sanctions s where s.user_id = p.user_id and s.item ->> 'fileName' = p.file_name and s.lifted_at is null
        and (s.created_at > ${monthsBefore(now, promised.appealMonths)} - make_interval(days => ${promised.rejectedDays})
          or exists (select from appeals a where a.sanction_id = s.id and a.state = 'open')))`.execute(db)
  return rows
}

/** Deletes expired versions of edited and deleted messages. Returns their file names. */
export async function removeVersions(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ file_name: string | null }>`
    with old as (select conversation_id, seq, replaced_at from message_versions
      where replaced_at < ${after(now, -days(promised.versionDays))} order by replaced_at limit ${limit})
    delete from message_versions v using old
    where v.conversation_id = old.conversation_id and v.seq = old.seq and v.replaced_at = old.replaced_at
    returning v.file_name`.execute(db)
  return rows.map(({ file_name }) => file_name ?? '')
}

export async function removeFormerNames(db: Db, now: Date): Promise<void> {
  await sql`delete from former_names where until < ${monthsBefore(now, promised.formerNameMonths)}`.execute(db)
}

/**
 * Reports closed more than a year ago, except while an appeal is open against a sanction from the report, or against
 * the reporter's restriction for false reports.
 */
export async function findClosed(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from reports r where state = 'closed'
      and coalesce(decided_at, created_at) < ${monthsBefore(now, promised.reportMonths)} and not exists (
        select from appeals a join sanctions s on s.id = a.sanction_id where a.state = 'open'
          and (s.report_id = r.id or r.false_report and s.user_id = r.reporter_id and s.ground = 'false_reports'))`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function removeReport(db: Db, id: number): Promise<void> {
  await db.deleteFrom('reports').where('id', '=', id).execute()
}

const emptied = JSON.stringify({ kind: 'profile', bio: '', prompts: [] })

/**
 * Deletes the content of items that were removed more than a year ago and kept for a reversal, unless an appeal about
 * them is open.
 */
export async function emptyTaken(db: Db, now: Date): Promise<void> {
  await sql`
    update sanctions s set item = case item ->> 'kind' when 'message' then item || '{"body": ""}' else ${emptied}::jsonb end
    where created_at < ${monthsBefore(now, promised.takenMonths)}
      and (item ->> 'body' <> '' or item ->> 'kind' = 'profile' and item <> ${emptied}::jsonb)
      and not exists (select from appeals a where a.sanction_id = s.id and a.state = 'open')`.execute(db)
}
