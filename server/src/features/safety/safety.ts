import { AppError, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { blockedBy, canBeBlocked, deleteBlock, insertBlock } from './safety.queries.ts'

/** More than anybody has to defend themselves from. */
const changes = { name: 'blocks', points: 600, seconds: 3_600 }

/**
 * Blocks somebody, silently and in both directions. Safe to repeat. `onBlocked` runs once it is kept, for what must
 * happen at once on live connections. Throws not found for unknown people and hidden strangers, `validation_failed` for
 * oneself, `rate_limited`.
 */
export async function blockUser(
  platform: Pick<Platform, 'db' | 'clock' | 'limits'>,
  viewerId: string,
  userId: string,
  onBlocked: (a: string, b: string) => void,
): Promise<void> {
  await platform.limits.spendHere(changes, viewerId)
  if (userId === viewerId) throw new AppError('validation_failed', 'Nobody can block themselves.')
  if (!isUuid(userId) || !(await canBeBlocked(platform.db, viewerId, userId))) throw notFound()
  await insertBlock(platform.db, viewerId, userId, platform.clock.now())
  onBlocked(viewerId, userId)
}

/** Takes the viewer's own block back. Throws not found when there is none, `rate_limited`. */
export async function unblockUser(
  platform: Pick<Platform, 'db' | 'limits'>,
  viewerId: string,
  userId: string,
): Promise<void> {
  await platform.limits.spendHere(changes, viewerId)
  if (!isUuid(userId) || !(await deleteBlock(platform.db, viewerId, userId))) throw notFound()
}

/** Whom the viewer has blocked, latest first. */
export function listBlocks(platform: Pick<Platform, 'db'>, viewerId: string): Promise<{ id: string; name: string }[]> {
  return blockedBy(platform.db, viewerId)
}
