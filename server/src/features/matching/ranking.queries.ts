import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** The sample size: enough to estimate shares of 1%, and cheap for any population. */
const sampled = 20_000

export interface Shares {
  people: number
  interests: Record<string, number>
  languages: Record<string, number>
  mean_pending: number
}

/**
 * Estimates from a sample how many people have each interest and speak each language, and the average number of pending
 * likes. Ids are random, so the people after `from` are a fair sample; the first rows of the table would be people who
 * have been away longest.
 */
export async function findShares(db: Db, from: string, now: Date, most = sampled): Promise<Shares> {
  const { rows } = await sql<Shares>`
    with drawn as materialized (
      (select user_id, 0 as part from candidates where user_id >= ${from} order by user_id limit ${most})
      union all (select user_id, 1 from candidates where user_id < ${from} order by user_id limit ${most})
      order by part limit ${most}),
    sample as materialized (
      select p.interests, p.languages,
        s.pending * power(2, -greatest(0, extract(epoch from ${now}::timestamptz - s.pending_at))::float8 / 604800) as pending
      from drawn join profiles p using (user_id) left join standings s using (user_id))
    select (select count(*) from sample) as people,
      (select coalesce(jsonb_object_agg(id, n), '{}') from (select unnest(interests) as id, count(*) as n from sample group by 1) i) as interests,
      (select coalesce(jsonb_object_agg(id, n), '{}') from (select unnest(languages) as id, count(*) as n from sample group by 1) l) as languages,
      (select coalesce(avg(coalesce(pending, 0)), 0)::float8 from sample) as mean_pending`.execute(db)
  return rows[0] as Shares
}

export interface ActiveModelRow {
  version: number
  weights: unknown
  trained_at: Date
}

/** Undefined while the built-in defaults are active. */
export function findActive(db: Db): Promise<ActiveModelRow | undefined> {
  return db
    .selectFrom('models')
    .select(['version', 'weights', 'trained_at'])
    .where('active', '=', true)
    .executeTakeFirst()
}
