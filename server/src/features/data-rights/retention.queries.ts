import { limits } from '@duet/contract/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

// People with a session have signed in within the last days, even if they did nothing else.
const unused = sql`not exists (select from sessions s where s.user_id = p.user_id)
  and not exists (select from demo_people d where d.user_id = p.user_id) and a.erase_at is null`

/**
 * People who have been away for 23 months, and were not told since then that their account will go; in no order, so that
 * those who cannot be told now don't delay the others.
 */
export async function findToWarn(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: string; email: string; language: string }[]> {
  const { rows } = await sql<{ id: string; email: string; language: string }>`
    select a.id, a.email, a.language from profiles p join accounts a on a.id = p.user_id
    left join inactivity_warnings w on w.user_id = p.user_id and w.warned_at > p.last_active_at
    where p.last_active_at < ${now}::timestamptz - interval '23 months' and w.user_id is null and ${unused}
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

/** Schedules the erasure of accounts unused for 24 months whose person was told four weeks ago. Returns their ids. */
export async function expireInactive(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update accounts set erase_at = ${now} where id in (
      select p.user_id from profiles p join accounts a on a.id = p.user_id
      join inactivity_warnings w on w.user_id = p.user_id and w.warned_at > p.last_active_at
      where p.last_active_at < ${now}::timestamptz - interval '24 months'
        and w.warned_at <= ${now}::timestamptz - interval '28 days' and ${unused}) returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Photos that were refused more than 30 days ago. One that a decision took down stays, hidden, while that decision can
 * still be appealed, and while an appeal waits: it is put back when the decision is reversed.
 */
export async function findRefused(db: Db, now: Date): Promise<{ user_id: string; file_name: string }[]> {
  const { rows } = await sql<{ user_id: string; file_name: string }>`
    select user_id, file_name from photos p
    where state = 'rejected' and reviewed_at < ${now}::timestamptz - interval '30 days' and not exists (
      select from sanctions s where s.user_id = p.user_id and s.item ->> 'fileName' = p.file_name and s.lifted_at is null
        and (s.created_at > ${now}::timestamptz - ${`${limits.appealMonths} months`}::interval
          or exists (select from appeals a where a.sanction_id = s.id and a.state = 'open')))`.execute(db)
  return rows
}

/** Reports that were closed more than a year ago. */
export async function findClosed(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from reports where state = 'closed'
      and coalesce(decided_at, created_at) < ${now}::timestamptz - interval '12 months'`.execute(db)
  return rows.map(({ id }) => id)
}

export async function removeReport(db: Db, id: number): Promise<void> {
  await db.deleteFrom('reports').where('id', '=', id).execute()
}

/** Empties what was taken away more than a year ago and kept to be put back, unless an appeal about it waits. */
export async function emptyTaken(db: Db, now: Date): Promise<void> {
  await sql`
    update sanctions s set item = item || case item ->> 'kind'
      when 'message' then '{"body": ""}'::jsonb else '{"bio": "", "prompts": []}'::jsonb end
    where created_at < ${now}::timestamptz - interval '12 months'
      and (item ->> 'body' <> '' or item ->> 'bio' <> '' or item -> 'prompts' <> '[]')
      and not exists (select from appeals a where a.sanction_id = s.id and a.state = 'open')`.execute(db)
}
