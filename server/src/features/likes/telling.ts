import type { Platform, Tx } from '../../platform/platform.ts'
import { likableAmong, searcherOf } from '../candidates/candidates.ts'
import { pairKey, revealMatch } from '../matches/matches.ts'
import { notify, withdraw, withdrawUntold } from '../notifications/notifications.ts'
import { findPair, findUnheard, lockLikes, lockPair, setHeard } from './likes.queries.ts'
import { countReceived } from './lists.ts'
import { addPending } from './pending.queries.ts'

type Pair = Awaited<ReturnType<typeof findPair>>

/**
 * Publishes to a person, if they are here, how many likes wait for their answer; one count after the other, so that the
 * newest comes last. No one waits for it: how long an answer takes must not tell whether the other one is here.
 */
export function publishCount(platform: Platform, userId: string): void {
  publish(platform, userId, async () => true)
}

/**
 * The same to someone who answered the like of `likerId`, or took their answer back, where that like can be on their list.
 * To hear of one that can't would tell them that it is there.
 */
export function publishAnswered(platform: Platform, userId: string, likerId: string): void {
  publish(platform, userId, async () => {
    const likable = await likableAmong(platform, await searcherOf(platform, userId), [likerId])
    return likable.has(likerId)
  })
}

function publish(platform: Platform, userId: string, isTold: () => Promise<boolean>): void {
  if (!platform.realtime.isConnected(userId)) return
  const told = platform.inOrder(`likes:${userId}`, async () => {
    if (await isTold())
      platform.realtime.publish([userId], 'likes_changed', { count: await countReceived(platform, userId) })
  })
  told.catch((err: unknown) => platform.log.error({ err }, 'the number of likes could not be told'))
}

/** Notifies a person that they are liked. */
export async function tellOfLike(
  tx: Tx,
  actorId: string,
  targetId: string,
  { my_name: name }: Pick<Pair, 'my_name'>,
): Promise<void> {
  await notify(tx, targetId, { kind: 'like', params: { name }, link: '/likes', collapseKey: pairKey(actorId) })
}

/** Withdraws the notification of a like; people who cannot see the actor do not notice. */
export function withdrawLike(tx: Tx, actorId: string, targetId: string, { unseen }: Pick<Pair, 'unseen'>) {
  return (unseen ? withdrawUntold : withdraw)(tx, targetId, pairKey(actorId))
}

/**
 * A person can be seen again: their unheard likes now wait like all others, and the matches among them are on
 * both lists. Those who were liked are notified when `isTold`.
 */
export async function releaseLikes(tx: Tx, actorId: string, isTold: boolean): Promise<void> {
  // No likes meanwhile: one that is missed here would stay unheard.
  await lockLikes(tx.db, actorId)
  for (const targetId of await findUnheard(tx.db, actorId)) {
    await lockPair(tx.db, actorId, targetId)
    const pair = await findPair(tx.db, actorId, targetId)
    if (!pair.my_held) continue
    await setHeard(tx.db, actorId, targetId)
    if (pair.theirs === null || pair.theirs === 'later')
      await addPending(tx.db, [{ id: targetId, by: 1, since: pair.my_decided_at ?? tx.clock.now() }], tx.clock.now())
    if (!isTold || !pair.there || pair.apart) continue
    if (pair.matched) {
      const lines = pair.their_comment ? [{ from: targetId, to: actorId, text: pair.their_comment }] : []
      await revealMatch(tx, { userId: targetId, peerId: actorId }, lines)
    } else await tellOfLike(tx, actorId, targetId, pair)
    tx.afterCommit((platform) => publishCount(platform, targetId))
  }
}
