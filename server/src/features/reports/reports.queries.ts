import type { Evidence, OwnReport, ReportReason, ReportSubject } from '@duet/contract/reports.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** `kind` is null if there is no attachment. */
interface Carried {
  kind: 'photo' | 'voice' | null
  file_name: string | null
  width: number | null
  height: number | null
  blurhash: string | null
  duration_ms: number | null
  waveform: number[] | null
}

export interface ContextRow extends Carried {
  seq: number
  sender_id: string
  body: string
  sent_at: Date
  edited_at: Date | null
  deleted_at: Date | null
}

export interface Span {
  first: number
  last: number
}

/**
 * A range of messages between two people, oldest first, as `one` may see them. They can still be reported after the
 * conversation has ended or left a list.
 */
export async function findContext(db: Db, one: string, other: string, { first, last }: Span): Promise<ContextRow[]> {
  const { rows } = await sql<ContextRow>`
    select m.seq, m.sender_id, m.body, m.sent_at, m.edited_at, m.deleted_at,
      a.kind, a.file_name, a.width, a.height, a.blurhash, a.duration_ms, a.waveform
    from messages m join conversations c on c.id = m.conversation_id left join attachments a on a.id = m.attachment_id
    where m.conversation_id = conversation_id(${one}, ${other})
      and (c.held_from is null or c.held_from = ${one} or m.seq <= c.held_seq)
      and m.seq between ${first}::bigint and ${last}::bigint
    order by m.seq`.execute(db)
  return rows
}

/** The text of a message before its sender edited or deleted it, and its attachment before its deletion. */
export interface VersionRow extends Carried {
  seq: number
  body: string
  replaced_at: Date
}

export async function findVersions(
  db: Db,
  senderId: string,
  otherId: string,
  { first, last }: Span,
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select seq, body, replaced_at, kind, file_name, width, height, blurhash, duration_ms, waveform from message_versions
    where conversation_id = conversation_id(${senderId}, ${otherId}) and sender_id = ${senderId}
      and seq between ${first}::bigint and ${last}::bigint
    order by replaced_at`.execute(db)
  return rows
}

export interface Complaint {
  reporterId: string
  reportedId: string
  subject: ReportSubject
  reason: ReportReason
  details: string
}

export interface OpenedReport {
  id: number
  receipt: string
  details: string
  mark: string | null
}

type About = Pick<Complaint, 'reporterId' | 'reportedId' | 'subject'>

const openOf = ({ reporterId, reportedId, subject }: About) => sql<Omit<OpenedReport, 'mark'>>`
  select id, receipt, details from reports
  where reporter_id = ${reporterId} and reported_id = ${reportedId} and subject = ${JSON.stringify(subject)}::jsonb
    and state = 'open'`

export async function findOpenReport(db: Db, about: About): Promise<OpenedReport | undefined> {
  const { rows } = await openOf(about).execute(db)
  return rows[0] && { ...rows[0], mark: await findMark(db, rows[0].id) }
}

export async function lockOpenReport(db: Db, about: About): Promise<OpenedReport | undefined> {
  const { rows } = await sql<Omit<OpenedReport, 'mark'>>`${openOf(about)} for update`.execute(db)
  // A separate statement, because it has to see the sightings stored while it waited for the lock.
  return rows[0] && { ...rows[0], mark: await findMark(db, rows[0].id) }
}

async function findMark(db: Db, reportId: number): Promise<string | null> {
  const { rows } = await sql<{ mark: string | null }>`
    select coalesce((select evidence from report_sightings where report_id = r.id order by id desc limit 1), evidence)
      ->> 'mark' as mark from reports r where id = ${reportId}`.execute(db)
  return rows[0]?.mark ?? null
}

export async function insertSighting(db: Db, reportId: number, evidence: KeptEvidence, now: Date): Promise<void> {
  await sql`insert into report_sightings (report_id, seen_at, appearance_seen, evidence)
    select id, ${now}::timestamptz, (select appearance_changed_at from profiles where user_id = reported_id),
      ${JSON.stringify(evidence)}::jsonb
    from reports where id = ${reportId}`.execute(db)
}

/** A more serious reason replaces the current one. */
export async function renewReport(
  db: Db,
  id: number,
  { reason, details }: Pick<Complaint, 'reason' | 'details'>,
): Promise<void> {
  const graver = sql`case when ${reason} in ('underage', 'threats', 'sextortion') then 0 when ${reason} = 'scam' then 1 else 2 end`
  await sql`update reports set reason = case when ${graver} < severity then ${reason} else reason end, details = ${details}
    where id = ${id}`.execute(db)
}

export interface NewReport extends Complaint {
  reportedName: string
  evidence: KeptEvidence
  now: Date
}

/** Returns the receipt; undefined if the subject already has an open report, or the random receipt is taken. */
export async function insertReport(db: Db, report: NewReport): Promise<string | undefined> {
  const row = await db
    .insertInto('reports')
    .values({
      reporter_id: report.reporterId,
      reported_id: report.reportedId,
      reported_name: report.reportedName,
      subject: JSON.stringify(report.subject),
      reason: report.reason,
      details: report.details,
      evidence: JSON.stringify(report.evidence),
      created_at: report.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('receipt')
    .executeTakeFirst()
  return row?.receipt
}

interface OwnRow extends Omit<OwnReport, 'createdAt'> {
  created_at: Date
}

export async function findOwnReports(db: Db, reporterId: string, limit: number): Promise<OwnRow[]> {
  const { rows } = await sql<OwnRow>`
    select receipt, reason, reported_name as name, created_at, state, outcome
    from reports where reporter_id = ${reporterId} order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Files are stored by name, without URLs. */
export interface KeptEvidence {
  /** A hash of the evidence. If a repeated report has the same hash, it adds nothing new. */
  mark: string
  profile: Evidence['profile']
  photos: Omit<Evidence['photos'][number], 'url'>[]
  messages: KeptMessage[]
}
type CarriedEvidence = NonNullable<Evidence['messages'][number]['attachment']>
export type KeptAttachment =
  | Omit<Extract<CarriedEvidence, { kind: 'photo' }>, 'url'>
  | Omit<Extract<CarriedEvidence, { kind: 'voice' }>, 'url'>
export interface KeptMessage extends Omit<Evidence['messages'][number], 'attachment'> {
  attachment: KeptAttachment | null
}

/** Only administrators who are signed in may see evidence. */
export async function maySeeEvidence(db: Db, userId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', userId)
    .where('is_super_admin', '=', true)
    .where(sql<boolean>`is_signed_in(id, ${now})`)
    .executeTakeFirst()
  return row !== undefined
}
