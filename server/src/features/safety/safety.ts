import type { BlockedPerson } from '@duet/contract/safety.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { blockedBy, deleteBlock, insertBlock } from './safety.queries.ts'

/** Callbacks that update live connections immediately. */
export interface BlockHooks {
  onBlocked(a: string, b: string): void
  onUnblocked(viewerId: string): Promise<void>
}

// Only the viewer's own devices, because the other person isn't told.
const tellOwnDevices = ({ realtime }: Pick<Platform, 'realtime'>, viewerId: string) =>
  realtime.publish([viewerId], 'resync', { withinMs: 0 })

/**
 * Blocks a person, silently and in both directions, and updates all of the viewer's devices. Safe to repeat. Also
 * succeeds for erased people, so that the response doesn't reveal why someone can't be seen. Throws `validation_failed`
 * for oneself.
 */
export async function blockUser(
  platform: Pick<Platform, 'db' | 'clock' | 'realtime' | 'log'>,
  viewerId: string,
  userId: string,
  onBlocked: BlockHooks['onBlocked'],
): Promise<void> {
  if (userId === viewerId) throw new AppError('validation_failed', "You can't block yourself.")
  if (!isUuid(userId)) throw notFound()
  const isKept = await transaction(platform, async ({ db, clock }) => {
    if (!(await insertBlock(db, viewerId, userId, clock.now()))) return false
    await addJobIn(db, 'compare-others', { userId }, `compare-others:${userId}`)
    return true
  })
  if (isKept) onBlocked(viewerId, userId)
  tellOwnDevices(platform, viewerId)
}

/** Also succeeds if there is no block. */
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

/** People whom the viewer has blocked and could see before, newest first. An erased account has no name. */
export async function listBlocks(platform: Pick<Platform, 'db'>, viewerId: string): Promise<BlockedPerson[]> {
  const rows = await blockedBy(platform.db, viewerId)
  return rows.map(({ id, name, since: at }) => {
    const since = at.toISOString()
    return name === null ? { id, name: '', erased: true, since } : { id, name, since }
  })
}
