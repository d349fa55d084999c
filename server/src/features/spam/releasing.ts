import { after } from '../../platform/clock.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import type { Holding } from '../conversations/holding.ts'
import { showAnew } from '../presence/presence.ts'
import { lockAccount } from '../sanctions/sanctions.queries.ts'
import { findUnseenSince, isFoundOut, lockReviewAbout, setUnseen } from './linked.queries.ts'
import { longestUnseen, type ReleaseLikes, reviewKind } from './linked.ts'
import { findSendersToRelease, isHeldBack } from './spam.queries.ts'

const mostPeople = 500

interface Releasing {
  holding: Pick<Holding, 'release'>
  releaseLikes: ReleaseLikes
}

/**
 * Releases a batch of a person's held likes, and their messages that are no longer held, except messages that a
 * moderator found to be spam. Returns whether there may be more. Waits for a concurrent start or end of a restriction.
 * Idempotent.
 */
export async function releasePart(tx: Tx, userId: string, { holding, releaseLikes }: Releasing): Promise<boolean> {
  if (!(await lockAccount(tx.db, userId))) return false
  const isMore = await releaseLikes(tx, userId, !(await isFoundOut(tx.db, userId, reviewKind)))
  if (!(await isHeldBack(tx.db, userId, tx.clock.now()))) await holding.release(tx, userId)
  return isMore
}

export async function releaseSender(platform: Platform, userId: string, releasing: Releasing): Promise<void> {
  while (await transaction(platform, (tx) => releasePart(tx, userId, releasing)));
}

/** Makes a hidden person visible after a week without a decision on their review. The review stays open. */
function endUnseen(platform: Platform, userId: string): Promise<void> {
  return transaction(platform, async (tx) => {
    // If the review isn't open, a concurrent decision has already made them visible.
    if ((await lockReviewAbout(tx.db, userId, reviewKind))?.outcome !== 'open') return
    await setUnseen(tx.db, userId, false)
    await setFoundAfter(tx, [userId])
    tx.afterCommit(() => showAnew(tx, userId))
  })
}

/**
 * Ends holds that are a week old, and releases all likes and messages that are no longer held, for whatever reason. A
 * failure for one person doesn't stop the others.
 */
export async function releaseDue(
  platform: Platform,
  releasing: Releasing,
  findUnheardActors: (db: Platform['db'], most: number) => Promise<string[]>,
): Promise<void> {
  const { db, clock, log } = platform
  const each = async (ids: Iterable<string>, release: (userId: string) => Promise<void>) => {
    for (const id of ids)
      await release(id).catch((err: unknown) =>
        log.error({ err }, 'held likes and messages could not be released; the next run retries'),
      )
  }
  const unseen = await findUnseenSince(db, reviewKind, after(clock.now(), -longestUnseen), mostPeople)
  await each(unseen, (userId) => endUnseen(platform, userId))
  const senders = await findSendersToRelease(db, clock.now(), mostPeople)
  const actors = await findUnheardActors(db, mostPeople)
  await each(new Set([...senders, ...actors]), (userId) => releaseSender(platform, userId, releasing))
}
