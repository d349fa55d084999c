import type { OwnReport, ReportReason, ReportSubject } from '@duet/contract/reports.ts'
import { days } from '../../platform/clock.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { refundedOnFailure } from '../../platform/security/rate-limit.ts'
import type { Signature } from '../../platform/security/signed-urls.ts'
import { transaction } from '../../platform/transaction.ts'
import { blockUser } from '../safety/safety.ts'
import { requireReporting } from '../sanctions/sanctions.ts'
import { copyEvidence, see } from './evidence.ts'
import { contentTypeOfEvidence, isEvidenceAddress, isEvidenceFile, readEvidence } from './evidence-files.ts'
import {
  type Complaint,
  findOpenReport,
  findOwnReports,
  insertReport,
  insertSighting,
  type KeptEvidence,
  lockOpenReport,
  maySeeEvidence,
  renewReport,
} from './reports.queries.ts'

const daily = { name: 'reports', points: 20, seconds: days(1) / 1000 }
const mostListed = 100
const longestDetails = 4000

interface Report {
  userId: string
  subject: ReportSubject
  reason: ReportReason
  details: string
  block: boolean
}

/** Throws `validation_failed` if the joined details are too long. */
function joinDetails(before: string, more: string): string {
  if (before.includes(more)) return before
  const joined = before === '' ? more : `${before}\n\n${more}`
  if ([...joined].length <= longestDetails) return joined
  const message = 'are too long together with those of your earlier reports; nothing was changed'
  throw invalid([{ path: 'details', message }])
}

/** What the reporter sees now; undefined for a past contact who can't be seen but has an open report. */
function seeAgain(platform: Platform, { reporterId, reportedId, subject }: Complaint, isKnown: boolean) {
  return see(platform, reporterId, reportedId, subject).catch((error: unknown) => {
    if (isKnown && error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
}

function addToOpenReport(
  platform: Platform,
  complaint: Complaint,
  evidence?: KeptEvidence,
): Promise<string | undefined> {
  return transaction(platform, async (tx) => {
    const open = await lockOpenReport(tx.db, complaint)
    if (!open) return undefined
    const { reason } = complaint
    await renewReport(tx.db, open.id, { reason, details: joinDetails(open.details, complaint.details) })
    if (evidence && evidence.mark !== open.mark) await insertSighting(tx.db, open.id, evidence, tx.clock.now())
    return open.receipt
  })
}

/** Creates a report or adds to the open one; undefined if another device did either in the meantime. */
async function tryReport(platform: Platform, complaint: Complaint): Promise<string | undefined> {
  const known = await findOpenReport(platform.db, complaint)
  if (known) joinDetails(known.details, complaint.details)
  const seen = await seeAgain(platform, complaint, known !== undefined)
  if (!seen || seen.mark === known?.mark) return addToOpenReport(platform, complaint)
  return refundedOnFailure(platform.limits, async (limits) => {
    await limits.spend(daily, complaint.reporterId)
    const evidence = await copyEvidence(platform, complaint.reportedId, seen)
    if (known) return addToOpenReport(platform, complaint, evidence)
    return insertReport(platform.db, { ...complaint, reportedName: seen.name, evidence, now: platform.clock.now() })
  })
}

// Retries if a random receipt already exists, and if another device made the report in the meantime.
async function receiptFor(platform: Platform, viewerId: string, report: Report): Promise<string> {
  const { userId: reportedId, subject, reason, details } = report
  for (let tries = 0; tries < 5; tries++) {
    const receipt = await tryReport(platform, { reporterId: viewerId, reportedId, subject, reason, details })
    if (receipt) return receipt
  }
  throw conflict("The report couldn't be sent. Please try again.")
}

/**
 * Reports a person, a photo or a message, copies its evidence, and returns the receipt. The reported person gets no
 * notification. Everyone who sees a person, has matched with them or has exchanged messages with them can report them.
 * Repeating an open report returns its receipt and copies any new content. Throws not found for a subject the viewer
 * may not see; `validation_failed` for oneself and for details that don't fit; `rate_limited` after 20 copies a day;
 * `restricted` for viewers with too many false reports.
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

export async function listOwnReports(platform: Pick<Platform, 'db'>, viewerId: string): Promise<OwnReport[]> {
  const rows = await findOwnReports(platform.db, viewerId, mostListed)
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at.toISOString() }))
}

type Signing = Pick<Platform, 'secrets' | 'clock'>

/**
 * A copied file, for the reviewer to whom its URL was issued. Throws forbidden if the signature is wrong or has
 * expired, and not found for people who are no longer super administrators and for a missing copy.
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
