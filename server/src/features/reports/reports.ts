import type { OwnReport, ReportReason, ReportSubject } from '@duet/contract/reports.ts'
import { days } from '../../platform/clock.ts'
import { AppError, conflict, forbidden, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Signature } from '../../platform/signed-urls.ts'
import { requireReporting } from '../moderation/moderation.ts'
import { blockUser } from '../safety/safety.ts'
import { copyEvidence, see } from './evidence.ts'
import { evidenceType, isEvidenceAddress, isEvidenceFile, readEvidence } from './evidence-files.ts'
import { findOwnReports, insertReport, isSuperAdmin, type NewReport, renewReport } from './reports.queries.ts'

export { removeEvidence } from './evidence-files.ts'

const daily = { name: 'reports', points: 20, seconds: days(1) / 1000 }
const repeats = { name: 'report_repeats', points: 60, seconds: 3_600 }
const mostListed = 100

export { reportedThings } from './queue.ts'
export { putBack } from './removing.ts'

interface Report {
  userId: string
  subject: ReportSubject
  reason: ReportReason
  details: string
  block: boolean
}

// A receipt that is drawn twice is drawn anew; a report that another device made meanwhile is found.
async function keepReport(platform: Platform, report: NewReport): Promise<string> {
  for (let tries = 0; tries < 5; tries++) {
    const receipt = (await insertReport(platform.db, report)) ?? (await renewReport(platform.db, report))
    if (receipt) return receipt
  }
  throw conflict('The report could not be numbered. Try again.')
}

async function receiptFor(platform: Platform, viewerId: string, report: Report): Promise<string> {
  const { userId: reportedId, subject, reason, details } = report
  const complaint = { reporterId: viewerId, reportedId, subject, reason, details }
  const known = await renewReport(platform.db, complaint)
  if (known) return known
  const seen = await see(platform, viewerId, reportedId, subject)
  await platform.limits.spend(daily, viewerId)
  const evidence = await copyEvidence(platform, reportedId, seen)
  return keepReport(platform, { ...complaint, reportedName: seen.name, evidence, now: platform.clock.now() })
}

/** Blocks whoever was reported. Nobody there any more, or for this viewer: there is nothing left to block. */
async function blockToo(
  platform: Platform,
  viewerId: string,
  userId: string,
  onBlocked: (a: string, b: string) => void,
): Promise<void> {
  await blockUser(platform, viewerId, userId, onBlocked).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  })
}

/**
 * Reports somebody, a photo or a message, copies what it is about, and gives the receipt; the reported person is never
 * told. While a report of the same subject is open, its receipt is given again. Throws not found for what the viewer
 * may not see, `validation_failed` for oneself, `rate_limited` after 20 a day,
 * `restricted` for those whose reports were false too often.
 */
export async function reportUser(
  platform: Platform,
  viewerId: string,
  report: Report,
  onBlocked: (a: string, b: string) => void,
): Promise<{ receipt: string }> {
  if (report.userId === viewerId) throw new AppError('validation_failed', 'Nobody can report themselves.')
  if (!isUuid(report.userId)) throw notFound()
  await platform.limits.spendHere(repeats, viewerId)
  await requireReporting(platform, viewerId)
  const receipt = await receiptFor(platform, viewerId, report)
  if (report.block) await blockToo(platform, viewerId, report.userId, onBlocked)
  return { receipt }
}

/** What the viewer has reported, newest first. */
export async function listOwnReports(platform: Pick<Platform, 'db'>, viewerId: string): Promise<OwnReport[]> {
  const rows = await findOwnReports(platform.db, viewerId, mostListed)
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at.toISOString() }))
}

type Signing = Pick<Platform, 'secrets' | 'clock'>

/**
 * A copied file for the reviewer an address was made for. Throws forbidden when the signature is wrong or has expired,
 * not found for whoever is no super administrator any more, and when there is no such copy.
 */
export async function readEvidenceFile(
  platform: Signing & Pick<Platform, 'db' | 'storage'>,
  fileName: string,
  signature: Signature,
): Promise<{ bytes: Buffer; contentType: string }> {
  if (!isEvidenceFile(fileName)) throw notFound()
  if (!isUuid(signature.viewer) || !isEvidenceAddress(platform, fileName, signature)) throw forbidden()
  const bytes = (await isSuperAdmin(platform.db, signature.viewer)) && (await readEvidence(platform, fileName))
  if (!bytes) throw notFound()
  return { bytes, contentType: evidenceType(fileName) }
}
