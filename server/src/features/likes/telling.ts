import type { Platform, Tx } from '../../platform/platform.ts'
import { likableAmong, searcherOf } from '../candidates/candidates.ts'
import { isListed } from '../candidates/waiting-likes.ts'
import { makeMatch, makeUnheardMatch, pairKey, revealMatch } from '../matches/matches.ts'
import { notify, withdraw, withdrawUntold } from '../notifications/notifications.ts'
import { showAnew } from '../presence/presence.ts'
import { beginNews, findPair, findUnheard, lockLikes, lockPair, setHeard } from './likes.queries.ts'
import { countReceived } from './lists.ts'
import { addPending } from './pending.queries.ts'

type Pair = Awaited<ReturnType<typeof findPair>>

/**
 * Publishes to a connected person how many likes await their answer. Calls run in order, so that the newest count
 * arrives last, and in the background, so that the response time doesn't reveal whether the person is connected.
 */
export function publishCount(platform: Platform, userId: string): void {
  publish(platform, userId, async () => true)
}

/**
 * Publishes the count to someone who answered the like of `likerId`, or retracted their answer. Does nothing if that
 * like couldn't be on their list: otherwise the event would reveal it.
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
  told.catch((err: unknown) => platform.log.error({ err }, 'the number of likes could not be published'))
}

/**
 * Notifies a person of a like if it is on their list, and returns whether it is. They get at most one notification a
 * day about the same actor, however often the actor retracts the like and sends it again.
 */
export async function tellOfLike(
  tx: Tx,
  actorId: string,
  targetId: string,
  { my_name: name }: Pick<Pair, 'my_name'>,
): Promise<boolean> {
  if (!(await isListed(tx, actorId, targetId))) return false
  if (await beginNews(tx.db, actorId, targetId, tx.clock.now()))
    await notify(tx, targetId, { kind: 'like', params: { name }, link: '/likes', collapseKey: pairKey(actorId) })
  return true
}

/** Withdraws the notification of a like. People who don't have the like on their list must not notice. */
export function withdrawLike(tx: Tx, actorId: string, targetId: string, wasListed: boolean) {
  return (wasListed ? withdraw : withdrawUntold)(tx, targetId, pairKey(actorId))
}

/** Releases a held like: it makes a match, or starts to await an answer. Notifies the target if `isTold`. */
export async function tellOfReleased(tx: Tx, actorId: string, targetId: string, pair: Pair, isTold: boolean) {
  const theirs = pair.their_comment ? [{ from: targetId, to: actorId, text: pair.their_comment }] : []
  const mine = pair.my_comment ? [{ from: actorId, to: targetId, text: pair.my_comment }] : []
  const now = tx.clock.now()
  const isAnswer = pair.matched || pair.theirs === 'like'
  if (isAnswer && !pair.matched && isTold) {
    await makeMatch(tx, actorId, targetId, [...theirs, ...mine], (userId) => showAnew(tx, userId))
  } else if (isAnswer) {
    if (!pair.matched) await makeUnheardMatch(tx, { userId: actorId, peerId: targetId }, mine)
    await revealMatch(tx, { userId: targetId, peerId: actorId }, theirs, isTold)
  } else {
    if (pair.theirs !== 'pass')
      await addPending(tx.db, [{ id: targetId, by: 1, since: pair.my_decided_at ?? now }], now)
    if (isTold && !(await tellOfLike(tx, actorId, targetId, pair))) return
  }
  if (isTold && pair.there) tx.afterCommit((platform) => publishCount(platform, targetId))
}

/** The most likes that one transaction releases, because each of them locks two people. */
const mostReleased = 100

/**
 * Releases held likes of someone who has become visible again, and adds resulting matches to both people's lists.
 * Notifies the people they liked if `isTold`. Returns whether there may be more to release.
 */
export async function releaseLikes(tx: Tx, actorId: string, isTold: boolean, most = mostReleased): Promise<boolean> {
  // Blocks new likes of the actor: one that is stored during this run would never be released.
  await lockLikes(tx.db, actorId)
  const targets = await findUnheard(tx.db, actorId, most)
  let heard = 0
  for (const targetId of targets) {
    await lockPair(tx.db, actorId, targetId)
    const pair = await findPair(tx.db, actorId, targetId)
    if (!pair.my_held || pair.apart) continue
    await setHeard(tx.db, actorId, targetId)
    heard += 1
    await tellOfReleased(tx, actorId, targetId, pair, isTold)
  }
  // Counts only released likes: one that can't be released would be found again on each run.
  return heard === most
}
