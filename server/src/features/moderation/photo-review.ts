import type { PhotoForReview, PhotoGround } from '@duet/contract/moderation.ts'
import { conflict } from '../../platform/errors.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition } from '../../platform/http/cursor.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { lift } from '../appeals/appeals.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { claimsOn, dropClaim, requireClaim } from '../claims/claims.ts'
import { notify } from '../notifications/notifications.ts'
import { getOwnReview, photosWaiting, reviewPhoto, unreviewPhoto } from '../photos/photos.ts'
import { inTurn } from '../sanctions/rulings.ts'
import { findPhotoRejection, lockAccount } from '../sanctions/sanctions.queries.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { keepLostBadge, tellLostBadge } from '../verification/badge.ts'
import { photoStatements } from './photo-statements.ts'

const list = 'photos-for-review'

export async function listPhotosForReview(platform: Platform, reviewerId: string, { cursor, limit }: PageRequest) {
  const after = readTimedPosition(platform.secrets, list, cursor)
  const rows = await photosWaiting(platform, reviewerId, after && { at: after.at, fileName: after.id }, limit + 1)
  const positionOf = ({ row }: (typeof rows)[number]) => timedPosition(row.created_at, row.file_name)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const names = page.map(({ photo }) => photo.fileName)
  const claims = await claimsOn(platform, 'photo', names)
  const photos = page.map(({ row, photo }): PhotoForReview => {
    const owner = { id: row.owner_id, name: row.owner_name }
    return { photo, state: row.state, owner, uploadedAt: row.created_at.toISOString(), claim: claims(photo.fileName) }
  })
  return { photos, nextCursor }
}

async function reject(
  tx: Tx,
  actor: Actor,
  fileName: string,
  { ownerId, ground }: { ownerId: string; ground: PhotoGround },
) {
  await keepLostBadge(tx, ownerId)
  const account = await lockAccount(tx.db, ownerId)
  return sanction(tx, {
    userId: ownerId,
    kind: 'item_removed',
    ground,
    item: { kind: 'photo', fileName },
    isStrike: false,
    decidedBy: actor.id,
    requestId: actor.requestId,
    statement: photoStatements[languageOf(account?.language)][ground],
  })
}

async function undo(tx: Tx, actor: Actor, fileName: string): Promise<void> {
  const { user_id: ownerId, state } = await getOwnReview(tx, actor.id, fileName)
  if (state === 'rejected') {
    const rejection = await findPhotoRejection(tx.db, ownerId, fileName)
    if (!rejection) throw conflict("This review can't be undone any more.")
    await lift(tx, actor, rejection, 'the reviewer undid it')
  }
  await unreviewPhoto(tx, fileName)
  tx.afterCommit((platform) => tellLostBadge(platform, ownerId))
  const target = { kind: 'photo', id: fileName, person: ownerId }
  await recordInAudit(tx, {
    actorId: actor.id,
    action: 'photo_review_undone',
    target,
    reason: '',
    requestId: actor.requestId,
    details: { state },
  })
}

async function decide(tx: Tx, actor: Actor, fileName: string, { state, ground }: Review): Promise<void> {
  if (state === 'pending') return undo(tx, actor, fileName)
  const ownerId = await reviewPhoto(tx, actor.id, fileName, state)
  await requireClaim(tx, 'photo', fileName, actor.id)
  await dropClaim(tx, 'photo', fileName, actor.id)
  const details = state === 'rejected' ? { sanction: await reject(tx, actor, fileName, { ownerId, ground }) } : {}
  if (state === 'approved') {
    await notify(tx, ownerId, { kind: 'photo_approved', link: `/profile/${ownerId}` })
    tx.afterCommit((platform) => tellLostBadge(platform, ownerId))
  }
  const target = { kind: 'photo', id: fileName, person: ownerId }
  const action = `photo_${state}`
  await recordInAudit(tx, { actorId: actor.id, action, target, reason: '', details, requestId: actor.requestId })
}

interface Review {
  state: 'approved' | 'rejected' | 'pending'
  ground: PhotoGround
}

/**
 * Approves or rejects a photo and notifies its owner. A rejection is a sanction that states its reasons and can be
 * appealed, but it isn't a strike. `pending` undoes the actor's own review of the last day. Throws not found; forbidden
 * for the actor's own photo; conflict if another reviewer was faster or has claimed the photo, or if there is nothing
 * to undo.
 */
export async function decidePhoto(platform: Platform, actor: Actor, fileName: string, review: Review): Promise<void> {
  await inTurn(platform, (tx) => decide(tx, actor, fileName, review))
}
