import { AppError, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { blockedBy, deleteBlock, insertBlock } from './safety.queries.ts'

/** What must happen at once on live connections. */
export interface BlockHooks {
  /** Once a block is kept. */
  onBlocked(a: string, b: string): void
  /** Once the viewer has taken one back. */
  onUnblocked(viewerId: string): Promise<void>
}

// The viewer's own devices alone: the other one is told nothing.
const tellOwnDevices = ({ realtime }: Pick<Platform, 'realtime'>, viewerId: string) =>
  realtime.publish([viewerId], 'resync', { withinMs: 0 })

/**
 * Blocks a person, silently and in both directions, on all of the viewer's devices. Safe to repeat. Does the same for people
 * who are gone, so that the answer doesn't say why someone can't be seen. Throws `validation_failed` for oneself.
 */
export async function blockUser(
  platform: Pick<Platform, 'db' | 'clock' | 'realtime'>,
  viewerId: string,
  userId: string,
  onBlocked: BlockHooks['onBlocked'],
): Promise<void> {
  if (userId === viewerId) throw new AppError('validation_failed', "You can't block yourself.")
  if (!isUuid(userId)) throw notFound()
  if (await insertBlock(platform.db, viewerId, userId, platform.clock.now())) onBlocked(viewerId, userId)
  tellOwnDevices(platform, viewerId)
}

/** Takes the viewer's own block back, on all of their devices. Answers the same when there is none. */
export async function unblockUser(
  platform: Pick<Platform, 'db' | 'realtime'>,
  viewerId: string,
  userId: string,
  onUnblocked: BlockHooks['onUnblocked'],
): Promise<void> {
  if (!isUuid(userId)) throw notFound()
  if (await deleteBlock(platform.db, viewerId, userId)) await onUnblocked(viewerId)
  tellOwnDevices(platform, viewerId)
}

/** The people the viewer could see and has blocked, latest first. */
export function listBlocks(platform: Pick<Platform, 'db'>, viewerId: string): Promise<{ id: string; name: string }[]> {
  return blockedBy(platform.db, viewerId)
}
