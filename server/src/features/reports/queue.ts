import type { Evidence, OpenReport } from '@duet/contract/reports.ts'
import { cutPage, type PageRequest, readCursor } from '../../platform/http/cursor.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { noteLooks } from '../audit/looks.ts'
import { claimsOn } from '../claims/claims.ts'
import { strikesOf, suggestAction } from '../sanctions/sanctions.ts'
import { evidenceView } from './evidence.ts'
import {
  findOpenAbout,
  findOpenReports,
  findReports,
  type OpenRow,
  type OtherRow,
  type SeenRow,
} from './queue.queries.ts'

const list = 'open-reports'
const severities = ['urgent', 'high', 'normal'] as const
const mostOthers = 20
const severityOf = (row: { severity: number }) => severities[row.severity] ?? 'normal'

async function aroundCases(platform: Pick<Platform, 'db' | 'clock'>, rows: readonly OpenRow[]) {
  const people = [...new Set(rows.map((row) => row.reported_id))]
  const others = await findOpenAbout(platform.db, people, mostOthers + 1)
  const receipts = rows.map((row) => row.receipt)
  return {
    claims: await claimsOn(platform, 'report', receipts),
    strikes: await strikesOf(platform, people),
    others: (row: OpenRow) =>
      others
        .filter((other) => other.reported_id === row.reported_id && other.receipt !== row.receipt)
        .slice(0, mostOthers),
  }
}

const otherView = (row: OtherRow): OpenReport['others'][number] => ({
  receipt: row.receipt,
  reason: row.reason,
  subject: row.subject,
  severity: severityOf(row),
  createdAt: row.created_at.toISOString(),
})

function caseView(
  platform: Pick<Platform, 'secrets' | 'clock'>,
  viewerId: string,
  row: OpenRow & SeenRow,
  { claims, strikes, others }: Awaited<ReturnType<typeof aroundCases>>,
): OpenReport {
  const { receipt, reason, subject, details, decided, upheld } = row
  return {
    receipt,
    reason,
    subject,
    details,
    severity: severityOf(row),
    createdAt: row.created_at.toISOString(),
    reporter: row.reporter_id === null ? null : { id: row.reporter_id, name: row.reporter_name ?? '' },
    reported: { id: row.reported_id, name: row.reported_name },
    language: languageOf(row.language ?? undefined),
    evidence: evidenceView(platform, viewerId, row),
    claim: claims(receipt),
    mayDecide: row.may_decide,
    trust: { decided, upheldShare: decided === 0 ? null : upheld / decided },
    others: others(row).map(otherView),
    strikes: strikes(row.reported_id),
    suggested: suggestAction(severityOf(row), strikes(row.reported_id)),
    changedSince: row.changed_since?.toISOString() ?? null,
  }
}

/**
 * A page of undecided reports with their evidence: most severe first, then by age and the reporter's record. Reporters
 * without a single upheld report among five or more come last. Excludes reports about the viewer. Records the view in
 * the audit log. A page with a lot of evidence is shorter.
 */
export async function listOpenReports(
  platform: Platform,
  viewerId: string,
  { cursor, limit }: PageRequest,
): Promise<{ reports: OpenReport[]; nextCursor: string | null }> {
  const [asOf, severity, sinks, weight, id] = cursor
    ? readCursor(platform.secrets, list, cursor)
    : [platform.clock.now().toISOString()]
  const after = cursor
    ? { severity: Number(severity), sinks: sinks === 1, weight: Number(weight), id: Number(id) }
    : undefined
  const rows = await findOpenReports(platform.db, { viewerId, asOf: String(asOf), after, limit: limit + 1 })
  const positionOf = (row: (typeof rows)[number]) => [String(asOf), row.severity, row.sinks ? 1 : 0, row.weight, row.id]
  const seen = await findReports(
    platform.db,
    rows.slice(0, limit).map((row) => row.id),
  )
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit: seen.length, positionOf })
  const receipts = page.map((row) => row.receipt)
  await noteLooks(platform, viewerId, 'reports', receipts)
  const around = await aroundCases(platform, page)
  return {
    reports: page.map((row, place) => caseView(platform, viewerId, { ...row, ...(seen[place] as SeenRow) }, around)),
    nextCursor,
  }
}

/**
 * The subjects of reports by report id, with their evidence for one reviewer and without their reporters. The last
 * reports are left out if they don't fit in a response.
 */
export async function reportedThings(
  platform: Pick<Platform, 'db' | 'secrets' | 'clock'>,
  viewerId: string,
  ids: readonly number[],
) {
  const rows = ids.length > 0 ? await findReports(platform.db, ids) : []
  return new Map(
    rows.map(({ id, receipt, reason, subject, created_at, ...seen }) => {
      const view: Evidence = evidenceView(platform, viewerId, seen)
      return [id, { receipt, reason, subject, createdAt: created_at.toISOString(), evidence: view }]
    }),
  )
}
