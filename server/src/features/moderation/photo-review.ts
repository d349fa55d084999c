import type { PhotoForReview } from '@duet/contract/moderation.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { photosWaiting, reviewPhoto } from '../photos/photos.ts'
import { tellLostBadge } from '../verification/verification.ts'
import { record } from './audit.ts'
import { claimsOn, dropClaim, requireClaim } from './claims.ts'
import { type Actor, requireOther } from './rulings.ts'

const list = 'photos-for-review'
const reviews = { name: 'photo_reviews', points: 3_000, seconds: 3_600 }

interface Page {
  cursor?: string | undefined
  limit: number
}

/** A page of the photos nobody has reviewed yet, oldest first. The reviewer's own wait for somebody else. */
export async function listPhotosForReview(platform: Platform, reviewerId: string, { cursor, limit }: Page) {
  const [at, fileName] = cursor ? readCursor(platform.secrets, list, cursor) : []
  const after = cursor ? { at: String(at), fileName: String(fileName) } : undefined
  const found = await photosWaiting(platform, reviewerId, after, limit + 1)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1)?.row : undefined
  const nextCursor = last ? writeCursor(platform.secrets, list, [last.created_at.toISOString(), last.file_name]) : null
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
 * Approves or rejects a photo; its owner is told. Throws not found, forbidden for one's own, conflict when somebody was
 * faster or has claimed it.
 */
export async function decidePhoto(
  platform: Platform,
  actor: Actor,
  fileName: string,
  state: 'approved' | 'rejected',
): Promise<void> {
  await platform.limits.spendHere(reviews, actor.id)
  await transaction(platform, async (tx) => {
    const ownerId = await reviewPhoto(tx, actor.id, fileName, state)
    requireOther(actor, ownerId)
    await requireClaim(tx, 'photo', fileName, actor.id)
    await dropClaim(tx, 'photo', fileName, actor.id)
    const kind = state === 'approved' ? 'photo_approved' : 'photo_rejected'
    await notify(tx, ownerId, { kind, link: `/profile/${ownerId}` })
    tx.afterCommit((done) => tellLostBadge(done, ownerId))
    const target = { kind: 'photo', id: fileName, person: ownerId }
    await record(tx, { actorId: actor.id, action: kind, target, reason: '', requestId: actor.requestId })
  })
}
