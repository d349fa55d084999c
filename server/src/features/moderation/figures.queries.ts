import type { ClaimKind } from '@duet/contract/claims.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface QueueRow {
  kind: ClaimKind
  severity: number | null
  open: number
  oldest: number | null
  median: number | null
}

/** Excludes rows about the viewer, so that counts don't reveal them. Excludes nothing if there is no viewer. */
const notAbout = (viewerId: string | null, person: 'reported_id' | 'user_id') =>
  sql`${sql.ref(person)} is distinct from ${viewerId}::uuid`

/**
 * The number of waiting cases in each queue, and the age of the oldest in seconds. Excludes cases about the viewer.
 * Every queue has a row, even an empty one.
 */
export async function findQueues(db: Db, viewerId: string | null, now: Date): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    with waiting (kind, severity, at) as (
      select 'report', severity::integer, created_at from reports
        where state = 'open' and ${notAbout(viewerId, 'reported_id')}
      union all select 'photo', null, created_at from photos where state = 'pending'
      union all select 'verification', null, submitted_at from verifications where state = 'waiting'
      union all select 'appeal', null, created_at from appeals
        where state = 'open' and not coalesce(is_hidden_appeal(id, ${viewerId}::uuid), false)
      union all select 'review', null, created_at from reviews
        where state = 'open' and coalesce(${viewerId}::uuid <> all(review_parties(id)), true)),
    queues (place, kind, severity) as (values (1, 'report', 0), (2, 'report', 1), (3, 'report', 2), (4, 'photo', null),
      (5, 'verification', null), (6, 'appeal', null), (7, 'review', null)),
    aged as (select kind, severity, greatest(extract(epoch from ${now}::timestamptz - at), 0) as age from waiting)
    select q.kind, q.severity, count(age)::int as open, max(age)::int as oldest,
      percentile_cont(0.5) within group (order by age)::int as median
    from queues q left join aged on aged.kind = q.kind and aged.severity is not distinct from q.severity
    group by q.place, q.kind, q.severity order by q.place`.execute(db)
  return rows
}

export interface WeekRow {
  week: string
  dismissed: number
  warned: number
  removed: number
  restricted: number
  suspended: number
  banned: number
  automated: number
}

export async function findWeeks(db: Db, viewerId: string, now: Date, count: number): Promise<WeekRow[]> {
  const { rows } = await sql<WeekRow>`
    with weeks as (
      select (date_trunc('week', ${now}::timestamptz) - n * interval '1 week') as start
      from generate_series(0, ${count}::integer - 1) n),
    decided as (
      select decided_at as at, 'dismissed' as kind, false as automated from reports
        where outcome = 'dismissed' and ${notAbout(viewerId, 'reported_id')}
      union all select decided_at, 'dismissed', false from reviews
        where outcome = 'dismissed' and ${notAbout(viewerId, 'user_id')}
      union all select created_at, kind, automated from sanctions
        where is_strike and ${notAbout(viewerId, 'user_id')})
    select to_char(start, 'YYYY-MM-DD') as week,
      count(*) filter (where kind = 'dismissed')::int as dismissed,
      count(*) filter (where kind = 'warning')::int as warned,
      count(*) filter (where kind = 'item_removed')::int as removed,
      count(*) filter (where kind in ('restriction', 'reporting_restriction', 'shadow'))::int as restricted,
      count(*) filter (where kind = 'suspension')::int as suspended,
      count(*) filter (where kind = 'ban')::int as banned,
      count(*) filter (where automated)::int as automated
    from weeks left join decided on at >= start and at < start + interval '1 week'
    group by start order by start`.execute(db)
  return rows
}

/**
 * The number of reports of each severity decided since a time, and the median time it took in seconds. Excludes reports
 * about the viewer.
 */
export async function findDecisions(
  db: Db,
  viewerId: string,
  since: Date,
): Promise<{ severity: number; decided: number; median: number | null }[]> {
  const { rows } = await sql<{ severity: number; decided: number; median: number | null }>`
    select severities.severity, count(r.id)::int as decided,
      percentile_cont(0.5) within group (order by greatest(extract(epoch from r.decided_at - r.created_at), 0))::int as median
    from (values (0), (1), (2)) severities (severity)
    left join reports r on r.severity = severities.severity and r.decided_at > ${since}
      and ${notAbout(viewerId, 'reported_id')}
    group by severities.severity order by severities.severity`.execute(db)
  return rows
}

export async function countAppeals(db: Db, since: Date): Promise<{ decided: number; reversed: number }> {
  const { rows } = await sql<{ decided: number; reversed: number }>`
    select count(*)::int as decided, count(*) filter (where state = 'reversed')::int as reversed
    from appeals where decided_at > ${since}`.execute(db)
  return rows[0] ?? { decided: 0, reversed: 0 }
}
