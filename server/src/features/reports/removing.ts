import type { ProfilePart } from '@duet/contract/reports.ts'
import { conflict } from '../../platform/errors.ts'
import type { Tx } from '../../platform/platform.ts'
import { putMessageBack, takeMessageAway } from '../conversations/moderated.ts'
import { lockOwner } from '../photos/photos.queries.ts'
import type { KeptItem } from '../sanctions/sanctions.queries.ts'
import { keepLostBadge, tellLostBadge } from '../verification/badge.ts'
import type { CaseRow } from './queue.queries.ts'
import { clearWords, hidePhoto, holdProfile, restoreWords, showPhoto } from './removing.queries.ts'

const gone = () => conflict('It is already gone.')

interface Taking {
  by: string
  /** Only for profiles. */
  parts: readonly ProfilePart[]
}

/**
 * Removes the reported item: hides a photo from everyone but its owner, deletes a message, or clears texts of a
 * profile. Returns what a reversal can restore. Throws conflict if the item is already gone.
 */
export async function takeAway(tx: Tx, found: CaseRow, { by, parts }: Taking): Promise<KeptItem> {
  const { subject, reported_id: userId, reporter_id: reporterId } = found
  if (subject.kind === 'photo') {
    const { fileName } = subject
    await holdProfile(tx.db, userId)
    await lockOwner(tx.db, userId)
    if (!(await hidePhoto(tx.db, userId, fileName, { by, now: tx.clock.now() }))) throw gone()
    await keepLostBadge(tx, userId)
    return { kind: 'photo', fileName }
  }
  if (subject.kind === 'message') {
    const taken = reporterId && (await takeMessageAway(tx, userId, reporterId, subject.seq))
    if (!taken) throw gone()
    const { pairId: conversationId, ...message } = taken
    return { kind: 'message', conversationId, ...message }
  }
  const words = await clearWords(tx.db, userId, parts, tx.clock.now())
  if (!words) throw gone()
  return { kind: 'profile', ...words }
}

/**
 * Restores what was removed: photos, message texts, and profile texts that weren't replaced. Photos and voice messages
 * sent in a chat can't be restored. False if nothing could be restored.
 */
export async function restoreRemovedItem(tx: Tx, userId: string, item: KeptItem): Promise<boolean> {
  if (item.kind === 'photo') {
    await lockOwner(tx.db, userId)
    // The restored photo may replace the first photo, which the badge depends on.
    tx.afterCommit((platform) => tellLostBadge(platform, userId))
    return showPhoto(tx.db, item.fileName)
  }
  if (item.kind === 'message') return putMessageBack(tx, { ...item, pairId: item.conversationId })
  return restoreWords(tx.db, userId, item, tx.clock.now())
}
