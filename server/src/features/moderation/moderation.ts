import type { PhotoForReview } from '@duet/contract/moderation.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { photosWaiting, reviewPhoto, type WaitingPhoto } from '../photos/photos.ts'

export { type AuditEntry, record, verifyChain, watchChain } from './audit.ts'

const list = 'photos-for-review'

function view({ row, photo }: WaitingPhoto): PhotoForReview {
  const owner = { id: row.owner_id, name: row.owner_name }
  return { photo, state: row.state, owner, uploadedAt: row.created_at.toISOString() }
}

interface Page {
  cursor?: string | undefined
  limit: number
}

/** A page of the photos nobody has reviewed yet, oldest first. */
export async function listPhotosForReview(platform: Platform, reviewerId: string, { cursor, limit }: Page) {
  const [at, fileName] = cursor ? readCursor(platform.secrets, list, cursor) : []
  const after = cursor ? { at: String(at), fileName: String(fileName) } : undefined
  const found = await photosWaiting(platform, reviewerId, after, limit + 1)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1)?.row : undefined
  const nextCursor = last ? writeCursor(platform.secrets, list, [last.created_at.toISOString(), last.file_name]) : null
  return { photos: page.map(view), nextCursor }
}

/** Approves or rejects a photo; its owner is told. Throws not found, conflict when somebody was faster. */
export function decidePhoto(
  platform: Platform,
  reviewerId: string,
  fileName: string,
  state: 'approved' | 'rejected',
): Promise<void> {
  return transaction(platform, async (tx) => {
    const ownerId = await reviewPhoto(tx, reviewerId, fileName, state)
    const kind = state === 'approved' ? 'photo_approved' : 'photo_rejected'
    await notify(tx, ownerId, { kind, link: `/profile/${ownerId}` })
  })
}
