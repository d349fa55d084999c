import type { Privacy, PrivacyChanges } from '@duet/contract/privacy.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import { readGazetteer } from '../places/gazetteer.ts'
import { widenPlace } from '../places/places.ts'
import { findPrivacy, updatePrivacy } from './privacy.queries.ts'

/** How much of themselves the viewer shows. */
export async function getPrivacy(platform: Pick<Platform, 'db'>, viewerId: string): Promise<Privacy> {
  const privacy = await findPrivacy(platform.db, viewerId)
  if (!privacy) throw notFound()
  return privacy
}

/**
 * Changes how much of themselves the viewer shows. `onShown` runs once it is kept and before the answer, when others see
 * more or less of them on live connections.
 */
export async function changePrivacy(
  platform: Platform,
  viewerId: string,
  changes: PrivacyChanges,
  onShown: (userId: string) => Promise<void>,
): Promise<Privacy> {
  if (changes.hideDistance) readGazetteer()
  await transaction(platform, async (tx) => {
    if (changes.hideDistance) await widenPlace(tx, viewerId)
    await updatePrivacy(tx.db, viewerId, changes)
    if (changes.incognito === false) await setFoundAfter(tx, [viewerId])
  })
  if (changes.incognito !== undefined || changes.hidePresence !== undefined) await onShown(viewerId)
  return getPrivacy(platform, viewerId)
}
