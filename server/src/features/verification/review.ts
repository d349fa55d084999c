import type { VerificationForReview, VerificationReason } from '@duet/contract/verification.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { removeWithCommit } from '../../platform/file-removal.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition } from '../../platform/http/cursor.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { claimsOn, dropClaim, requireClaim } from '../claims/claims.ts'
import { notify } from '../notifications/notifications.ts'
import { photosUnderReview } from '../photos/photos.ts'
import { readSelfie, selfieKey } from './selfies.ts'
import {
  findById,
  findWaitingVerifications,
  lockPerson,
  setDecided,
  setVerified,
  type VerificationRow,
} from './verification.queries.ts'

const list = 'verifications'

/** A page of people awaiting verification, oldest first, with the photos to compare. Excludes the reviewer. */
export async function listVerifications(
  platform: Pick<Platform, 'db' | 'secrets' | 'clock'>,
  reviewerId: string,
  { cursor, limit }: PageRequest,
): Promise<{ verifications: VerificationForReview[]; nextCursor: string | null }> {
  const after = readTimedPosition(platform.secrets, list, cursor)
  const rows = await findWaitingVerifications(platform.db, reviewerId, after, limit + 1)
  const positionOf = (row: (typeof rows)[number]) => timedPosition(row.submitted_at, row.id)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const photos = await photosUnderReview(
    platform,
    reviewerId,
    page.map((row) => row.user_id),
  )
  const claims = await claimsOn(
    platform,
    'verification',
    page.map((row) => row.id),
  )
  return {
    verifications: page.map((row) => ({
      id: row.id,
      pose: row.pose,
      submittedAt: row.submitted_at.toISOString(),
      user: { id: row.user_id, name: row.name },
      photos: photos.get(row.user_id) ?? [],
      claim: claims(row.id),
    })),
    nextCursor,
  }
}

async function getRequest({ db }: Pick<Platform, 'db'>, id: string): Promise<VerificationRow> {
  const row = isUuid(id) ? await findById(db, id) : undefined
  if (!row) throw notFound()
  return row
}

const personOf = ({ user_id: id }: VerificationRow) => ({ kind: 'person', id })

/**
 * The selfie of a person awaiting verification, as a data URL. Viewing it claims it for ten minutes, and is recorded.
 * Throws not found once it is decided, forbidden for the actor's own selfie, conflict while another administrator has
 * claimed it.
 */
export async function lookAtSelfie(platform: Platform, actor: Actor, id: string): Promise<{ selfie: string }> {
  const row = await getRequest(platform, id)
  const bytes = row.state === 'waiting' ? await readSelfie(platform, row.file_name) : undefined
  if (!bytes) throw notFound()
  await transaction(platform, async (tx) => {
    await requireClaim(tx, 'verification', id, actor.id)
    const reason = 'compared with the photos of the profile'
    const who = { actorId: actor.id, requestId: actor.requestId }
    await recordInAudit(tx, { ...who, action: 'selfie_viewed', target: personOf(row), reason })
  })
  return { selfie: `data:image/webp;base64,${bytes.toString('base64')}` }
}

interface Decision {
  decision: 'approved' | 'rejected'
  reason?: VerificationReason | undefined
}

async function settle(tx: Tx, { user_id: userId }: VerificationRow, { decision, reason }: Decision): Promise<void> {
  await setDecided(tx.db, userId, { state: decision, reason: reason ?? null, now: tx.clock.now() })
  if (decision === 'approved') await setVerified(tx.db, userId, true)
  const kind = `verification_${decision}` as const
  await notify(tx, userId, { kind, ...(reason && { params: { reason } }), link: '/settings/profile' })
}

/**
 * Decides about a person awaiting verification: deletes their selfie and notifies them. Throws not found, also if their
 * first photo has changed since the reviewer saw it; forbidden for oneself; conflict if another administrator was
 * faster or has claimed the selfie, and for a badge without a photo.
 */
export async function decideVerification(
  platform: Platform,
  actor: Actor,
  id: string,
  { decision, reason }: Decision,
): Promise<void> {
  if (decision === 'rejected' && !reason) throw invalid([{ path: 'reason', message: 'is missing' }])
  const why = decision === 'rejected' ? reason : undefined
  await transaction(platform, async (tx) => {
    const { user_id: userId } = await getRequest(tx, id)
    await lockPerson(tx.db, userId)
    const row = await getRequest(tx, id)
    if (row.state !== 'waiting') throw conflict('This has already been decided.')
    if (decision === 'approved' && row.photo === null) throw conflict("There's no photo left to compare with.")
    await requireClaim(tx, 'verification', id, actor.id)
    await dropClaim(tx, 'verification', id, actor.id)
    await settle(tx, row, { decision, reason: why })
    await removeWithCommit(tx, [selfieKey(row.file_name)])
    const who = { actorId: actor.id, requestId: actor.requestId }
    await recordInAudit(tx, { ...who, action: `verification_${decision}`, target: personOf(row), reason: why ?? '' })
  })
}
