import type { Privacy, PrivacyChanges } from '@duet/contract/privacy.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { widenPlace } from '../places/places.ts'
import { findPrivacy, findUnshown, updatePrivacy } from './privacy.queries.ts'

/** Long enough that not everybody asks at once, and that nothing tells which change it was. */
const resyncWithinMs = 1_000
const changesLimit = { name: 'privacy_changes', points: 60, seconds: 3_600 }

/** How much of themselves the viewer shows. */
export async function getPrivacy(platform: Pick<Platform, 'db'>, viewerId: string): Promise<Privacy> {
  const privacy = await findPrivacy(platform.db, viewerId)
  if (!privacy) throw notFound()
  return privacy
}

// Their devices ask what there is to see, and are told neither whom nor what it is about.
async function tellUnshown({ db, realtime }: Pick<Platform, 'db' | 'realtime'>, userId: string): Promise<void> {
  const unshown = await findUnshown(db, userId)
  if (unshown.length > 0) realtime.publish(unshown, 'resync', { withinMs: resyncWithinMs })
}

/**
 * Changes how much of themselves the viewer shows. `onShown` runs once it is kept and before the answer, when others see
 * more or less of them on live connections. Throws `rate_limited` after 60 changes an hour.
 */
export async function changePrivacy(
  platform: Platform,
  viewerId: string,
  changes: PrivacyChanges,
  onShown: (userId: string) => Promise<void>,
): Promise<Privacy> {
  await platform.limits.spend(changesLimit, viewerId)
  const isTurned = await transaction(platform, async (tx) => {
    const before = await findPrivacy(tx.db, viewerId)
    if (changes.hideDistance) await widenPlace(tx, viewerId)
    await updatePrivacy(tx.db, viewerId, changes)
    return changes.incognito !== undefined && changes.incognito !== before?.incognito
  })
  if (changes.incognito !== undefined || changes.hidePresence !== undefined) await onShown(viewerId)
  if (isTurned) await tellUnshown(platform, viewerId)
  return getPrivacy(platform, viewerId)
}
