import type { Match } from '@duet/contract/matches.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { endConversation, openForMatch } from '../conversations/conversations.ts'
import type { OnOpened } from '../conversations/hooks.ts'
import { notify, withdrawUntold } from '../notifications/notifications.ts'
import { photosOf } from '../photos/photos.ts'
import { showAnew } from '../presence/presence.ts'
import { shownLiked } from './liked-items.ts'
import { endMatch, endUnheard, findMatches, insertMatch } from './matches.queries.ts'
import { openersFor } from './openers.ts'

const mostListed = 500

type Looking = Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>

async function views(platform: Looking, viewerId: string, peerId?: string): Promise<Match[]> {
  const rows = await findMatches(platform.db, viewerId, mostListed, peerId)
  const photos = await photosOf(platform, viewerId, [viewerId, ...rows.map((row) => row.peer_id)])
  return rows.map((row) => ({
    user: { id: row.peer_id, name: row.name, photo: photos.get(row.peer_id)?.[0] ?? null },
    matchedAt: row.matched_at.toISOString(),
    openers: openersFor(row),
    hasMessages: row.has_messages,
    liked: {
      mine: shownLiked(row.my_liked, { photos: photos.get(row.peer_id), prompts: row.prompts }),
      theirs: shownLiked(row.their_liked, { photos: photos.get(viewerId), prompts: row.own_prompts }),
    },
  }))
}

export function listMatches(platform: Looking, viewerId: string): Promise<Match[]> {
  return views(platform, viewerId)
}

export async function matchWith(platform: Looking, viewerId: string, peerId: string): Promise<Match | null> {
  return (await views(platform, viewerId, peerId))[0] ?? null
}

/** Notifications about a pair share a key, so that the one about the match replaces an unread one about a like. */
export const pairKey = (otherId: string) => `pair:${otherId}`

interface Line {
  from: string
  to: string
  text: string
}

interface Hearer {
  userId: string
  peerId: string
}

/**
 * Matches two people: creates the match and a conversation that both see, and notifies each of them once. Does nothing
 * if they have matched before. The caller must hold the pair's lock.
 */
export async function makeMatch(tx: Tx, a: string, b: string, lines: Line[], onOpened: OnOpened): Promise<void> {
  if (!(await insertMatch(tx.db, a, b, tx.clock.now()))) return
  const both = [
    { userId: a, peerId: b },
    { userId: b, peerId: a },
  ]
  await tellOfMatch(tx, both, lines, onOpened)
}

/**
 * Like `makeMatch`, for an actor whom moderation hides: only `hearer` sees the match until `revealMatch` notifies the
 * other person.
 */
export async function makeUnheardMatch(tx: Tx, hearer: Hearer, lines: Line[]): Promise<void> {
  if (await insertMatch(tx.db, hearer.userId, hearer.peerId, tx.clock.now()))
    await tellOfMatch(tx, [hearer], lines, (userId) => showAnew(tx, userId))
}

/** Opens a match's conversation for someone who hasn't seen the match yet, and notifies them if `isTold`. */
export function revealMatch(tx: Tx, hearer: Hearer, lines: Line[], isTold: boolean): Promise<void> {
  const tell = isTold ? tellOfMatch : openForMatch
  return tell(tx, [hearer], lines, (userId) => showAnew(tx, userId))
}

/** Ends a match that `userId` doesn't know of yet, after `userId` retracted the like. */
export function endUnheardMatch(tx: Pick<Tx, 'db' | 'clock'>, userId: string, peerId: string): Promise<void> {
  return endUnheard(tx.db, userId, peerId, tx.clock.now())
}

async function tellOfMatch(tx: Tx, hearing: readonly Hearer[], lines: Line[], onOpened: OnOpened): Promise<void> {
  await openForMatch(tx, hearing, lines, onOpened)
  for (const { userId, peerId } of hearing) {
    const match = await matchWith(tx, userId, peerId)
    if (!match) continue
    await notify(tx, userId, {
      kind: 'match',
      params: { name: match.user.name },
      link: `/chat/${peerId}`,
      collapseKey: pairKey(peerId),
    })
    tx.afterCommit(() => tx.realtime.publish([userId], 'match', match))
  }
}

/**
 * Ends the viewer's match with a person, and their conversation. Notifies only the viewer's devices; the other person
 * finds out when they next look at their list, as after a block. Throws not found if there is no match.
 */
export async function unmatch(
  platform: Platform,
  viewerId: string,
  userId: string,
  onParted: (a: string, b: string) => void,
): Promise<void> {
  if (!isUuid(userId)) throw notFound()
  await transaction(platform, async (tx) => {
    if (!(await endMatch(tx.db, viewerId, userId, tx.clock.now()))) throw notFound()
    await withdrawUntold(tx, userId, pairKey(viewerId))
    await endConversation(tx, viewerId, userId)
    tx.afterCommit(() => {
      onParted(viewerId, userId)
      tx.realtime.publish([viewerId], 'match_ended', { userId })
    })
  })
}
