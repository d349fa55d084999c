import type { Match } from '@duet/contract/matches.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { endConversation, type OnOpened, openForBoth } from '../conversations/conversations.ts'
import { notify, withdraw } from '../notifications/notifications.ts'
import { photosOf } from '../photos/photos.ts'
import { endMatch, findMatches, insertMatch } from './matches.queries.ts'
import { openersFor } from './openers.ts'

const mostListed = 500

type Looking = Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>

async function views(platform: Looking, viewerId: string, peerId?: string): Promise<Match[]> {
  const rows = await findMatches(platform.db, viewerId, mostListed, peerId)
  const photos = await photosOf(
    platform,
    viewerId,
    rows.map((row) => row.peer_id),
  )
  return rows.map((row) => ({
    user: { id: row.peer_id, name: row.name, photo: photos.get(row.peer_id)?.[0] ?? null },
    matchedAt: row.matched_at.toISOString(),
    openers: openersFor(row),
    hasMessages: row.has_messages,
  }))
}

/** The viewer's matches, newest first. */
export function listMatches(platform: Looking, viewerId: string): Promise<Match[]> {
  return views(platform, viewerId)
}

/** The viewer's match with somebody; null when there is none that lasts. */
export async function matchWith(platform: Looking, viewerId: string, peerId: string): Promise<Match | null> {
  return (await views(platform, viewerId, peerId))[0] ?? null
}

/** What is told about a pair shares a key: the match takes the place of a like that was not read. */
export const pairKey = (otherId: string) => `pair:${otherId}`

/** What somebody wrote with their like; it becomes the first message. */
interface Line {
  from: string
  to: string
  text: string
}

/**
 * Makes two people a match: one row, one conversation that both see, one notification each. The caller holds the pair's
 * lock. False, and nothing happens, when the two were matched before.
 */
export async function makeMatch(tx: Tx, a: string, b: string, lines: Line[], onOpened: OnOpened): Promise<boolean> {
  if (!(await insertMatch(tx.db, a, b, tx.clock.now()))) return false
  await openForBoth(tx, a, b, lines, onOpened)
  for (const [me, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const match = await matchWith(tx, me, other)
    if (!match) continue
    await notify(tx, me, {
      kind: 'match',
      params: { name: match.user.name },
      link: `/chat/${other}`,
      collapseKey: pairKey(other),
    })
    tx.afterCommit(() => tx.realtime.publish([me], 'match', match))
  }
  return true
}

/** Ends the viewer's match with somebody, and their conversation with it. Throws not found when there is none. */
export async function unmatch(
  platform: Platform,
  viewerId: string,
  userId: string,
  onParted: (a: string, b: string) => void,
): Promise<void> {
  if (!isUuid(userId)) throw notFound()
  await transaction(platform, async (tx) => {
    if (!(await endMatch(tx.db, viewerId, userId, tx.clock.now()))) throw notFound()
    await withdraw(tx, userId, pairKey(viewerId))
    await endConversation(tx, viewerId, userId)
    tx.afterCommit(() => {
      onParted(viewerId, userId)
      tx.realtime.publish([viewerId], 'match_ended', { userId })
      tx.realtime.publish([userId], 'match_ended', { userId: viewerId })
    })
  })
}
