import type { Evidence, OwnReport, ReportReason, ReportSubject } from '@duet/contract/reports.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** A message as it is now, and what it carries. */
export interface ContextRow {
  seq: number
  sender_id: string
  body: string
  sent_at: Date
  edited_at: Date | null
  deleted_at: Date | null
  kind: 'photo' | 'voice' | null
  file_name: string | null
  width: number | null
  height: number | null
  blurhash: string | null
  duration_ms: number | null
  waveform: number[] | null
}

/**
 * A message of the conversation of two people and up to `around` before and after it, oldest first. It may have ended or
 * been taken off a list: its receiver can still report it.
 */
export async function findContext(
  db: Db,
  one: string,
  other: string,
  seq: number,
  around: number,
): Promise<ContextRow[]> {
  const { rows } = await sql<ContextRow>`
    select m.seq, m.sender_id, m.body, m.sent_at, m.edited_at, m.deleted_at,
      a.kind, a.file_name, a.width, a.height, a.blurhash, a.duration_ms, a.waveform
    from messages m join conversations c on c.id = m.conversation_id left join attachments a on a.id = m.attachment_id
    where m.conversation_id = conversation_id(${one}, ${other})
      and (c.held_from is null or c.held_from = ${one} or m.seq <= c.held_seq)
      and m.seq between ${seq}::bigint - ${around} and ${seq}::bigint + ${around}
    order by m.seq`.execute(db)
  return rows
}

/** A person's name, whether they can be seen or not. */
export async function findName(db: Db, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('profiles').select('name').where('user_id', '=', userId).executeTakeFirst()
  return row?.name
}

interface Complaint {
  reporterId: string
  reportedId: string
  subject: ReportSubject
  reason: ReportReason
  details: string
}

const longestDetails = 4000

/**
 * The receipt of the open report of the same subject by the same person; undefined when there is none. A graver reason
 * takes the place of the one there was, and further words are added.
 */
export async function renewReport(db: Db, complaint: Complaint): Promise<string | undefined> {
  const { reporterId, reportedId, subject, reason, details } = complaint
  const graver = sql`case when ${reason} in ('underage', 'threats', 'sextortion') then 0 when ${reason} = 'scam' then 1 else 2 end`
  const { rows } = await sql<{ receipt: string }>`
    update reports set
      reason = case when ${graver} < severity then ${reason} else reason end,
      details = case when position(${details} in details) > 0 then details
        else left(concat_ws(e'\\n\\n', nullif(details, ''), ${details}::text), ${longestDetails}) end
    where reporter_id = ${reporterId} and reported_id = ${reportedId} and subject = ${JSON.stringify(subject)}::jsonb
      and state = 'open'
    returning receipt`.execute(db)
  return rows[0]?.receipt
}

export interface NewReport extends Complaint {
  reportedName: string
  evidence: KeptEvidence
  now: Date
}

/** Keeps a report and gives its receipt; undefined when the subject has an open one, or the receipt drawn is taken. */
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

/** The reports a person has made, newest first. */
export async function findOwnReports(db: Db, reporterId: string, limit: number): Promise<OwnRow[]> {
  const { rows } = await sql<OwnRow>`
    select receipt, reason, reported_name as name, created_at, state, outcome
    from reports where reporter_id = ${reporterId} order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Evidence as it is kept: files by their names, without addresses. */
export interface KeptEvidence {
  profile: Evidence['profile']
  photos: Omit<Evidence['photos'][number], 'url'>[]
  messages: KeptMessage[]
}
type Carried = NonNullable<Evidence['messages'][number]['attachment']>
export type KeptAttachment =
  | Omit<Extract<Carried, { kind: 'photo' }>, 'url'>
  | Omit<Extract<Carried, { kind: 'voice' }>, 'url'>
export interface KeptMessage extends Omit<Evidence['messages'][number], 'attachment'> {
  attachment: KeptAttachment | null
}

/** Whether a person may see evidence now: an administrator who is signed in. */
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
