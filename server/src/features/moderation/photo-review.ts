import type { PhotoForReview } from '@duet/contract/moderation.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { recordInAudit } from '../audit/audit.ts'
import { claimsOn, dropClaim, requireClaim } from '../claims/claims.ts'
import { notify } from '../notifications/notifications.ts'
import { photosWaiting, reviewPhoto } from '../photos/photos.ts'
import { type Actor, requireOther } from '../sanctions/rulings.ts'
import { tellLostBadge } from '../verification/badge.ts'

const list = 'photos-for-review'

/** A page of the unreviewed photos, oldest first. The reviewer's own are for another reviewer. */
export async function listPhotosForReview(platform: Platform, reviewerId: string, { cursor, limit }: PageRequest) {
  const after = readTimedPosition(platform.secrets, list, cursor)
  const rows = await photosWaiting(platform, reviewerId, after && { at: after.at, fileName: after.id }, limit + 1)
  const positionOf = ({ row }: (typeof rows)[number]) => timedPosition(row.created_at, row.file_name)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const names = page.map(({ photo }) => photo.fileName)
  const claims = await claimsOn(platform, 'photo', names)
  const ofOthers = page.filter(({ row }) => row.owner_id !== reviewerId)
  const photos = ofOthers.map(({ row, photo }): PhotoForReview => {
    const owner = { id: row.owner_id, name: row.owner_name }
    return { photo, state: row.state, owner, uploadedAt: row.created_at.toISOString(), claim: claims(photo.fileName) }
  })
  return { photos, nextCursor }
}

/**
 * Approves or rejects a photo; its owner is told. Throws not found, forbidden for one's own, conflict when another reviewer was
 * faster or has claimed it.
 */
export async function decidePhoto(
  platform: Platform,
  actor: Actor,
  fileName: string,
  state: 'approved' | 'rejected',
): Promise<void> {
  await transaction(platform, async (tx) => {
    const ownerId = await reviewPhoto(tx, actor.id, fileName, state)
    requireOther(actor, ownerId)
    await requireClaim(tx, 'photo', fileName, actor.id)
    await dropClaim(tx, 'photo', fileName, actor.id)
    const kind = state === 'approved' ? 'photo_approved' : 'photo_rejected'
    await notify(tx, ownerId, { kind, link: `/profile/${ownerId}` })
    tx.afterCommit((done) => tellLostBadge(done, ownerId))
    const target = { kind: 'photo', id: fileName, person: ownerId }
    await recordInAudit(tx, { actorId: actor.id, action: kind, target, reason: '', requestId: actor.requestId })
  })
}
