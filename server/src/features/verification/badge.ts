import { removeWithCommit } from '../../platform/file-removal.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { selfieKey } from './selfies.ts'
import {
  deleteLost,
  deleteVerification,
  findVerification,
  lockPerson,
  setRestored,
  setRevoked,
  setVerified,
} from './verification.queries.ts'

const lostBadge = { kind: 'verification_lost', link: '/settings/profile' } as const

type Forgetting = Pick<Tx, 'db' | 'clock' | 'afterCommit'>

/** Also removes the badge and the file. False if there was no verification. The caller must hold the person's lock. */
export async function forgetVerification(tx: Forgetting, userId: string): Promise<boolean> {
  const row = await findVerification(tx.db, userId)
  if (!row) return false
  await deleteVerification(tx.db, userId)
  if (row.state === 'approved') await setVerified(tx.db, userId, false)
  if (row.state === 'waiting' || row.state === 'asked') await removeWithCommit(tx, [selfieKey(row.file_name)])
  return true
}

/**
 * Removes a person's badge and any open request, because their photos turned out to show someone else. Keeps a record,
 * even of a badge lost with its photo, so that it can be restored.
 */
export async function revokeVerification(tx: Forgetting, userId: string): Promise<void> {
  await lockPerson(tx.db, userId)
  if (await setRevoked(tx.db, userId)) await setVerified(tx.db, userId, false)
  else await forgetVerification(tx, userId)
}

/**
 * Stores a badge that was lost because a moderator removed its photo, so that a reversal can restore it. Notifies the
 * person.
 */
export async function keepLostBadge(tx: Tx, userId: string): Promise<void> {
  if (await setRevoked(tx.db, userId, ['lost'])) await notify(tx, userId, lostBadge)
}

/**
 * Restores a badge that was removed by mistake, if the first photo is still the one it was granted for. Returns whether
 * it did.
 */
export async function restoreVerification(tx: Pick<Tx, 'db'>, userId: string): Promise<boolean> {
  await lockPerson(tx.db, userId)
  if (!(await setRestored(tx.db, userId))) return false
  await setVerified(tx.db, userId, true)
  return true
}

export function tellLostBadge(
  platform: Pick<Platform, 'db' | 'clock' | 'log' | 'realtime'>,
  userId: string,
): Promise<void> {
  return transaction(platform as Platform, async (tx) => {
    if (await deleteLost(tx.db, userId)) await notify(tx, userId, lostBadge)
  })
}
