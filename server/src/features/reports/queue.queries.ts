import type { OpenReport, ReportReason, ReportSubject } from '@duet/contract/reports.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { mayDecide } from '../claims/parties.queries.ts'
import type { KeptEvidence } from './reports.queries.ts'

interface LaterRow {
  seenAt: string
  evidence: KeptEvidence
}

/** A report's evidence: from the first sighting, and from its newest repeats, oldest first. */
export interface SeenRow {
  evidence: KeptEvidence
  later: LaterRow[]
}

const mostLater = 9
/** The most evidence in a response, in bytes. A report that begins within the limit is included whole. */
const mostEvidence = 4_000_000

export interface OpenRow {
  id: number
  receipt: string
  reason: ReportReason
  severity: number
  subject: ReportSubject
  details: string
  created_at: Date
  reporter_id: string | null
  reporter_name: string | null
  reported_id: string
  reported_name: string
  /** Null once the reported person's account is erased. */
  language: string | null
  changed_since: Date | null
  may_decide: boolean
  decided: number
  upheld: number
  /** At least five of the reporter's reports were decided and none was upheld, so their open reports come last. */
  sinks: boolean
  weight: number
}

export interface QueuePlace {
  severity: number
  sinks: boolean
  weight: number
  id: number
}

interface Asked {
  viewerId: string
  /** The time for which ages are calculated: the same for all pages, so that no report moves between pages. */
  asOf: string
  after: QueuePlace | undefined
  limit: number
}

/**
 * Open reports after a position, except those about the viewer: most severe first, then by age times trust. Trust is
 * the share of the reporter's decided reports that were upheld, with one of each outcome added, so that new reporters
 * start at one half.
 */
export async function findOpenReports(db: Db, { viewerId, asOf, after, limit }: Asked): Promise<OpenRow[]> {
  const behind = after
    ? sql`where (severity, sinks, -weight, id) > (${after.severity}::smallint, ${after.sinks}::boolean,
        ${-after.weight}::float8, ${after.id}::bigint)`
    : sql``
  const { rows } = await sql<OpenRow>`
    with ranked as (
      select r.id, r.severity, t.decided, t.upheld, t.decided >= 5 and t.upheld = 0 as sinks,
        (t.upheld + 1)::float8 / (t.decided + 2) * extract(epoch from ${asOf}::timestamptz - r.created_at)::float8 as weight
      from reports r cross join lateral (
        select count(*)::int as decided, count(*) filter (where d.outcome = 'upheld')::int as upheld
        from reports d
        where d.reporter_id = r.reporter_id and d.outcome is not null and d.reported_id <> ${viewerId}) t
      where state = 'open' and reported_id <> ${viewerId}),
    page as (select * from ranked ${behind} order by severity, sinks, -weight, id limit ${limit})
    select page.*, receipt, reason, subject, details, r.created_at, reporter_id, p.name as reporter_name,
      reported_id, reported_name, (select language from accounts where id = reported_id) as language,
      ${mayDecide('report', sql`receipt`, viewerId)} as may_decide,
      case when q.appearance_changed_at is distinct from coalesce((select l.appearance_seen from report_sightings l
        where l.report_id = r.id order by l.id desc limit 1), r.appearance_seen) then q.appearance_changed_at end as changed_since
    from page join reports r on r.id = page.id
    left join profiles p on p.user_id = r.reporter_id left join profiles q on q.user_id = r.reported_id
    order by page.severity, sinks, -weight, page.id`.execute(db)
  return rows
}

export interface OtherRow {
  reported_id: string
  receipt: string
  reason: ReportReason
  severity: number
  subject: ReportSubject
  created_at: Date
}

export async function findOpenAbout(db: Db, userIds: readonly string[], each: number): Promise<OtherRow[]> {
  const { rows } = await sql<OtherRow>`
    select o.* from unnest(${userIds}::uuid[]) as given (id) cross join lateral (
      select reported_id, receipt, reason, severity, subject, created_at from reports
      where reported_id = given.id and state = 'open' order by id desc limit ${each}) o`.execute(db)
  return rows
}

export type ReportOutcome = 'upheld' | 'dismissed'

export interface CaseRow {
  id: number
  receipt: string
  reporter_id: string | null
  reported_id: string
  subject: ReportSubject
  reason: OpenReport['reason']
  state: 'open' | 'closed'
}

export async function findCase(db: Db, receipt: string): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`
    select id, receipt, reporter_id, reported_id, subject, reason, state from reports where receipt = ${receipt}`.execute(
    db,
  )
  return rows[0]
}

/**
 * The open reports of a case, locked in order of id: one report, or all about the same subject. Reports about messages
 * are always decided one by one, because message numbers repeat in other conversations.
 */
export async function lockCases(db: Db, found: CaseRow, allOfSubject: boolean): Promise<CaseRow[]> {
  const same =
    allOfSubject && found.subject.kind !== 'message'
      ? sql`reported_id = ${found.reported_id} and subject = ${JSON.stringify(found.subject)}::jsonb`
      : sql`id = ${found.id}::bigint`
  const { rows } = await sql<CaseRow>`
    select id, receipt, reporter_id, reported_id, subject, reason, state from reports
    where ${same} and state = 'open' order by id for update`.execute(db)
  return rows
}

export async function closeReports(
  db: Db,
  ids: readonly number[],
  decision: { outcome: ReportOutcome; falseReport: boolean; by: string; now: Date },
): Promise<void> {
  await sql`update reports set state = 'closed', outcome = ${decision.outcome}, false_report = ${decision.falseReport},
    decided_by = ${decision.by}, decided_at = ${decision.now} where id = any(${ids}::bigint[])`.execute(db)
}

export async function forgetReportedMailboxes(db: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from reported_mailboxes where report_id = any(${ids}::bigint[])`.execute(db)
}

/**
 * The moderators who found a person's reports since a given time to be false. Ignores reports from before the person's
 * last restriction.
 */
export async function findFalseReports(db: Db, reporterId: string, since: Date): Promise<string[]> {
  const { rows } = await sql<{ by: string }>`
    select decided_by as by from reports where reporter_id = ${reporterId} and false_report
      and decided_at > greatest(${since}::timestamptz, (
        select max(created_at) from sanctions where user_id = ${reporterId} and kind = 'reporting_restriction'))`.execute(
    db,
  )
  return rows.map(({ by }) => by)
}

type ReportRow = SeenRow &
  Pick<OpenRow, 'id' | 'receipt' | 'reason' | 'subject' | 'created_at' | 'reported_id' | 'reported_name'>

/** Reports with their evidence, in the order of `ids`. The last ones are left out if they don't fit in a response. */
export async function findReports(db: Db, ids: readonly number[]): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select id, receipt, reason, subject, created_at, reported_id, reported_name, evidence, later from (
      select r.*, later, place, sum(octet_length(evidence::text) + octet_length(later::text))
        over (order by place rows between unbounded preceding and 1 preceding) as before
      from unnest(${ids}::bigint[]) with ordinality as asked (report_id, place) join reports r on r.id = asked.report_id
      cross join lateral (
        select coalesce(json_agg(json_build_object('seenAt', seen_at, 'evidence', newest.evidence) order by newest.id), '[]')
          as later
        from (select * from report_sightings l where l.report_id = r.id order by l.id desc limit ${mostLater}) newest) repeats
    ) sized where coalesce(before, 0) < ${mostEvidence} order by place`.execute(db)
  return rows
}
