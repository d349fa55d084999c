import type { VerificationForReview, VerificationReason } from '@duet/contract/verification.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { record } from '../moderation/moderation.ts'
import { notify } from '../notifications/notifications.ts'
import { photosUnderReview } from '../photos/photos.ts'
import { readSelfie, removeSelfie } from './selfies.ts'
import {
  findById,
  findWaiting,
  lockPerson,
  setDecided,
  setVerified,
  type VerificationRow,
} from './verification.queries.ts'

const list = 'verifications'

interface Page {
  cursor?: string | undefined
  limit: number
}

/** A page of the people who wait to be verified, oldest first, with the photos to compare with; never the reviewer. */
export async function listVerifications(
  platform: Pick<Platform, 'db' | 'secrets' | 'clock'>,
  reviewerId: string,
  { cursor, limit }: Page,
): Promise<{ verifications: VerificationForReview[]; nextCursor: string | null }> {
  const [at, id] = cursor ? readCursor(platform.secrets, list, cursor) : []
  const rows = await findWaiting(
    platform.db,
    reviewerId,
    cursor ? { at: String(at), id: String(id) } : undefined,
    limit + 1,
  )
  const page = rows.slice(0, limit)
  const photos = await photosUnderReview(
    platform,
    reviewerId,
    page.map((row) => row.user_id),
  )
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    verifications: page.map((row) => ({
      id: row.id,
      pose: row.pose,
      submittedAt: row.submitted_at.toISOString(),
      user: { id: row.user_id, name: row.name },
      photos: photos.get(row.user_id) ?? [],
    })),
    nextCursor: last ? writeCursor(platform.secrets, list, [last.submitted_at.toISOString(), last.id]) : null,
  }
}

/** A request that this reviewer may decide. Throws not found, and forbidden for one's own. */
async function requireReviewable(
  { db }: Pick<Platform, 'db'>,
  reviewerId: string,
  id: string,
): Promise<VerificationRow> {
  const row = isUuid(id) ? await findById(db, id) : undefined
  if (!row) throw notFound()
  if (row.user_id === reviewerId) throw forbidden()
  return row
}

/** The selfie of somebody who waits, as a data URL; the look is recorded. Throws not found once it is decided. */
export async function lookAtSelfie(platform: Platform, reviewerId: string, id: string): Promise<{ selfie: string }> {
  const row = await requireReviewable(platform, reviewerId, id)
  const bytes = row.state === 'waiting' ? await readSelfie(platform, row.file_name) : undefined
  if (!bytes) throw notFound()
  const reason = 'compared with the photos of the profile'
  await transaction(platform, (tx) =>
    record(tx, { actorId: reviewerId, action: 'selfie_seen', target: { userId: row.user_id }, reason }),
  )
  return { selfie: `data:image/webp;base64,${bytes.toString('base64')}` }
}

interface Decision {
  decision: 'approved' | 'rejected'
  reason?: VerificationReason | undefined
}

async function settle(tx: Tx, row: VerificationRow, { decision, reason }: Decision): Promise<void> {
  await setDecided(tx.db, row.user_id, { state: decision, reason: reason ?? null, now: tx.clock.now() })
  if (decision === 'approved') await setVerified(tx.db, row.user_id, true)
  const kind = decision === 'approved' ? 'verification_approved' : 'verification_rejected'
  await notify(tx, row.user_id, { kind, ...(reason && { params: { reason } }), link: '/settings' })
}

/**
 * Decides about somebody who waits: their selfie is deleted and they are told. Throws not found also when their first photo
 * has changed since the reviewer looked, forbidden for one's own, conflict when somebody was faster.
 */
export async function decideVerification(
  platform: Platform,
  reviewerId: string,
  id: string,
  { decision, reason }: Decision,
): Promise<void> {
  if (decision === 'rejected' && !reason) throw invalid([{ path: 'reason', message: 'is missing' }])
  await transaction(platform, async (tx) => {
    const { user_id: userId } = await requireReviewable(tx, reviewerId, id)
    await lockPerson(tx.db, userId)
    const row = await requireReviewable(tx, reviewerId, id)
    if (row.state !== 'waiting') throw conflict('This has been decided already.')
    await settle(tx, row, { decision, reason: decision === 'rejected' ? reason : undefined })
    // Before the commit: where the selfie cannot be deleted now, nothing is decided.
    await removeSelfie(tx, row.file_name)
    const why = (decision === 'rejected' && reason) || 'same_person'
    await record(tx, { actorId: reviewerId, action: `verification_${decision}`, target: { userId }, reason: why })
  })
}
