import { eachOne } from '../../platform/jobs/each-one.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { fitsAsShown, searcherOf } from '../candidates/candidates.ts'
import { findArrived, findPair, findWaitingForPlace, lockLike, lockLikes, setHeard } from './likes.queries.ts'
import { tellOfReleased } from './telling.ts'

/** The maximum number of people whose likes one scheduled run releases; the next run picks others. */
const mostPeople = 500

/**
 * Whether a moderator identified this person as someone banned who has come back. Nobody is notified of their likes.
 */
export type IsFoundOut = (db: Tx['db'], userId: string) => Promise<boolean>

async function release(tx: Tx, actorId: string, targetId: string, isFoundOut: IsFoundOut): Promise<void> {
  await lockLike(tx.db, actorId, targetId)
  const actor = await searcherOf(tx, actorId)
  const pair = await findPair(tx.db, actorId, targetId)
  if (!actor || !pair.my_held || !pair.my_wait_for_place || pair.unseen || !pair.there || pair.apart) return
  // The like stays held while its sender is paused, hidden or waiting for erasure, or if they have moved again.
  if (!actor.mayLike || !(await fitsAsShown(tx, actor, targetId))) return
  await setHeard(tx.db, actorId, targetId)
  await tellOfReleased(tx, actorId, targetId, pair, !(await isFoundOut(tx.db, actorId)))
}

/**
 * Releases the likes that a person sent before their location was published. Throws if some can't be released, so that
 * the job is retried.
 */
export async function releaseMoved(platform: Platform, actorId: string, isFoundOut: IsFoundOut): Promise<void> {
  const waiting = await transaction(platform, async (tx) => {
    // Waits for likes that are being stored right now: they may have read the location before it was published.
    await lockLikes(tx.db, actorId)
    return findWaitingForPlace(tx.db, actorId)
  })
  const message = 'a like that waited for a published place could not be released; it will be retried'
  const failed = await eachOne(platform, waiting, message, (targetId) =>
    transaction(platform, (tx) => release(tx, actorId, targetId, isFoundOut)),
  )
  if (failed > 0) throw new Error(`${failed} likes could not be released`)
}

/**
 * Releases the held likes of everyone whose current location is published. Their filters may fit by now, or a pause may
 * have ended.
 */
export async function releaseArrived(platform: Platform, isFoundOut: IsFoundOut): Promise<void> {
  const message = 'likes that waited for a published place could not be released; they will be retried'
  await eachOne(platform, await findArrived(platform.db, mostPeople), message, (actorId) =>
    releaseMoved(platform, actorId, isFoundOut),
  )
}
