import type { VerificationForReview, VerificationReason } from '@duet/contract/verification.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import {
  type Actor,
  claimsOn,
  decisions,
  dropClaim,
  record,
  requireClaim,
  requireOther,
} from '../moderation/moderation.ts'
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
  const claims = await claimsOn(
    platform,
    'verification',
    page.map((row) => row.id),
  )
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    verifications: page.map((row) => ({
      id: row.id,
      pose: row.pose,
      submittedAt: row.submitted_at.toISOString(),
      user: { id: row.user_id, name: row.name },
      photos: photos.get(row.user_id) ?? [],
      claim: claims(row.id),
    })),
    nextCursor: last ? writeCursor(platform.secrets, list, [last.submitted_at.toISOString(), last.id]) : null,
  }
}

/** A request that this reviewer may decide. Throws not found, and forbidden for one's own. */
async function requireReviewable({ db }: Pick<Platform, 'db'>, actor: Actor, id: string): Promise<VerificationRow> {
  const row = isUuid(id) ? await findById(db, id) : undefined
  if (!row) throw notFound()
  requireOther(actor, row.user_id)
  return row
}

const personOf = ({ user_id: id }: VerificationRow) => ({ kind: 'person', id })

/**
 * The selfie of somebody who waits, as a data URL. Whoever looks takes it for ten minutes, and the look is on record.
 * Throws not found once it is decided, forbidden for one's own, conflict while somebody else has taken it.
 */
export async function lookAtSelfie(platform: Platform, actor: Actor, id: string): Promise<{ selfie: string }> {
  await platform.limits.spendHere(decisions, actor.id)
  const row = await requireReviewable(platform, actor, id)
  const bytes = row.state === 'waiting' ? await readSelfie(platform, row.file_name) : undefined
  if (!bytes) throw notFound()
  await transaction(platform, async (tx) => {
    await requireClaim(tx, 'verification', id, actor.id)
    const reason = 'compared with the photos of the profile'
    const who = { actorId: actor.id, requestId: actor.requestId }
    await record(tx, { ...who, action: 'selfie_viewed', target: personOf(row), reason })
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
  await notify(tx, userId, { kind, ...(reason && { params: { reason } }), link: '/settings' })
}

/**
 * Decides about somebody who waits: their selfie is deleted and they are told. Throws not found also when their first photo
 * has changed since the reviewer looked, forbidden for one's own, conflict when somebody was faster or has taken it, and
 * for a badge without a photo.
 */
export async function decideVerification(
  platform: Platform,
  actor: Actor,
  id: string,
  { decision, reason }: Decision,
): Promise<void> {
  if (decision === 'rejected' && !reason) throw invalid([{ path: 'reason', message: 'is missing' }])
  await platform.limits.spendHere(decisions, actor.id)
  const why = decision === 'rejected' ? reason : undefined
  await transaction(platform, async (tx) => {
    const { user_id: userId } = await requireReviewable(tx, actor, id)
    await lockPerson(tx.db, userId)
    const row = await requireReviewable(tx, actor, id)
    if (row.state !== 'waiting') throw conflict('This has been decided already.')
    if (decision === 'approved' && row.photo === null) throw conflict('There is no photo left to compare with.')
    await requireClaim(tx, 'verification', id, actor.id)
    await dropClaim(tx, 'verification', id, actor.id)
    await settle(tx, row, { decision, reason: why })
    // Before the commit: where the selfie cannot be deleted now, nothing is decided.
    await removeSelfie(tx, row.file_name)
    const who = { actorId: actor.id, requestId: actor.requestId }
    await record(tx, { ...who, action: `verification_${decision}`, target: personOf(row), reason: why ?? '' })
  })
}
