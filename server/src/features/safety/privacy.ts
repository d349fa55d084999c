import type { Privacy, PrivacyChanges } from '@duet/contract/privacy.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import { readGazetteer } from '../places/gazetteer.ts'
import { widenPlace } from '../places/places.ts'
import { findPrivacy, updatePrivacy } from './privacy.queries.ts'

export async function getPrivacy(platform: Pick<Platform, 'db'>, viewerId: string): Promise<Privacy> {
  const privacy = await findPrivacy(platform.db, viewerId)
  if (!privacy) throw notFound()
  return privacy
}

/**
 * Changes the viewer's privacy settings. If others now see more or less of them, `onShown` runs after the commit and
 * before the response, to update live connections.
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
