import type { OwnReport, ReportReason, ReportSubject } from '@duet/contract/reports.ts'
import { days } from '../../platform/clock.ts'
import { AppError, conflict, forbidden, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Signature } from '../../platform/security/signed-urls.ts'
import { blockUser } from '../safety/safety.ts'
import { requireReporting } from '../sanctions/sanctions.ts'
import { copyEvidence, see } from './evidence.ts'
import { contentTypeOfEvidence, isEvidenceAddress, isEvidenceFile, readEvidence } from './evidence-files.ts'
import { findOwnReports, insertReport, maySeeEvidence, type NewReport, renewReport } from './reports.queries.ts'

const daily = { name: 'reports', points: 20, seconds: days(1) / 1000 }
const mostListed = 100

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
  throw conflict("The report couldn't be sent. Please try again.")
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

/**
 * Reports a person, a photo or a message, copies what it is about, and returns the receipt; the reported person is never
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
  if (report.userId === viewerId) throw new AppError('validation_failed', "You can't report yourself.")
  if (!isUuid(report.userId)) throw notFound()
  await requireReporting(platform, viewerId)
  const receipt = await receiptFor(platform, viewerId, report)
  if (report.block) await blockUser(platform, viewerId, report.userId, onBlocked)
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
 * not found for people who are no longer super administrators, and when there is no such copy.
 */
export async function readEvidenceFile(
  platform: Signing & Pick<Platform, 'db' | 'storage'>,
  fileName: string,
  signature: Signature,
): Promise<{ bytes: Buffer; contentType: string }> {
  if (!isEvidenceFile(fileName)) throw notFound()
  if (!isUuid(signature.viewer) || !isEvidenceAddress(platform, fileName, signature)) throw forbidden()
  const bytes =
    (await maySeeEvidence(platform.db, signature.viewer, platform.clock.now())) &&
    (await readEvidence(platform, fileName))
  if (!bytes) throw notFound()
  return { bytes, contentType: contentTypeOfEvidence(fileName) }
}
