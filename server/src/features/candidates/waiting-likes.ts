import type { Platform } from '../../platform/platform.ts'
import { fitsWith, likableAmong, searcherOf } from './candidates.ts'
import { findLikersAmong } from './waiting-likes.queries.ts'

/** The people among `ids` who like a person, and whether each like is on that person's list now. */
export async function likersAmong(
  platform: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  const likers = await findLikersAmong(platform.db, userId, ids)
  const waiting = likers.flatMap(({ id, waits }) => (waits ? id : []))
  const searcher = waiting.length > 0 ? await searcherOf(platform, userId) : undefined
  const listed = await likableAmong(platform, searcher, waiting)
  return new Map(likers.map(({ id }) => [id, listed.has(id)]))
}

/** Whether the actor's like is on the person's list. The caller has checked for blocks and ended matches. */
export async function isListed(
  platform: Pick<Platform, 'db' | 'clock'>,
  actorId: string,
  userId: string,
): Promise<boolean> {
  const [liker] = await findLikersAmong(platform.db, userId, [actorId])
  const searcher = liker?.waits ? await searcherOf(platform, userId) : undefined
  return searcher !== undefined && fitsWith(platform, searcher, actorId)
}
