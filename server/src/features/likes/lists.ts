import type { Like, LikedItemView } from '@duet/contract/likes.ts'
import type { Photo } from '@duet/contract/photos.ts'
import type { Decision } from '@duet/contract/profiles.ts'
import { cutPage, type PageRequest, readTimedPosition, timedPosition, writeCursor } from '../../platform/http/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { likableAmong, type Searcher, searcherOf } from '../candidates/candidates.ts'
import { photosOf } from '../photos/photos.ts'
import { cardsOf } from '../profiles/cards.ts'
import { findLikers, findMade, findReceived, type LikeRow, type Liker } from './likes.queries.ts'

/** How many of a person's likes are checked, newest first, and how many of those they can answer are listed. */
const most = { looked: 1_000, listed: 500 }

async function received(
  platform: Pick<Platform, 'pool' | 'db'>,
  viewerId: string,
  searcher: Searcher | undefined,
): Promise<Liker[]> {
  const likers = await findLikers(platform.pool, viewerId, most.looked)
  const ids = likers.map(({ id }) => id)
  const likable = await likableAmong(platform, searcher, ids)
  return likers.filter(({ id }) => likable.has(id)).slice(0, most.listed)
}

/** The newest people whose likes the viewer hasn't answered, even if the viewer can't like them back. */
export async function likersOf(platform: Pick<Platform, 'pool'>, viewerId: string): Promise<string[]> {
  return (await findLikers(platform.pool, viewerId, most.looked)).map(({ id }) => id)
}

export async function countReceived(
  platform: Pick<Platform, 'pool' | 'db' | 'clock'>,
  viewerId: string,
): Promise<number> {
  return (await received(platform, viewerId, await searcherOf(platform, viewerId))).length
}

function itemView(row: LikeRow, photos: readonly Photo[]): LikedItemView | null {
  if (row.item_kind === 'photo')
    return { kind: 'photo', photo: photos.find(({ fileName }) => fileName === row.item_id) ?? null }
  if (row.item_kind === 'prompt') return { kind: 'prompt', prompt: row.item_id as never, answer: row.item_text ?? '' }
  return null
}

/** `otherOf` returns the person to show for a like. */
async function views(
  platform: Platform,
  viewerId: string,
  searcher: Searcher | undefined,
  rows: LikeRow[],
  otherOf: (row: LikeRow) => string,
): Promise<Like[]> {
  const cards = new Map((await cardsOf(platform, searcher, rows.map(otherOf))).map((card) => [card.id, card]))
  const isOwn = (row: LikeRow) => row.target_id === viewerId && row.item_kind === 'photo'
  const own = rows.some(isOwn) ? ((await photosOf(platform, viewerId, [viewerId])).get(viewerId) ?? []) : []
  return rows.flatMap((row) => {
    const user = cards.get(otherOf(row))
    if (!user) return []
    const photos = row.target_id === viewerId ? own : user.photos
    return [{ user, item: itemView(row, photos), comment: row.comment, at: row.decided_at.toISOString() }]
  })
}

/** A page of the likes that await the viewer's answer. Throws `validation_failed` for a cursor of another list. */
export async function listReceived(platform: Platform, viewerId: string, { cursor, limit }: PageRequest) {
  const list = `likes:${viewerId}`
  const after = readTimedPosition(platform.secrets, list, cursor)
  const searcher = await searcherOf(platform, viewerId)
  const likers = await received(platform, viewerId, searcher)
  const from = after
    ? likers.findIndex(
        ({ decided_at, id }) =>
          decided_at.toISOString() < after.at || (decided_at.toISOString() === after.at && id > after.id),
      )
    : 0
  const page = from < 0 ? [] : likers.slice(from, from + limit)
  const ids = page.map(({ id }) => id)
  const rows = ids.length > 0 ? await findReceived(platform.pool, viewerId, ids, platform.clock.now()) : []
  const last = page.at(-1)
  const more = last && from + limit < likers.length
  return {
    likes: await views(platform, viewerId, searcher, rows, (row) => row.actor_id),
    count: likers.length,
    nextCursor: more ? writeCursor(platform.secrets, list, timedPosition(last.decided_at, last.id)) : null,
  }
}

/**
 * A page of the people the viewer liked, passed or saved for later. Passed and saved people are included only while the
 * viewer can like them.
 */
export async function listMade(
  platform: Platform,
  viewerId: string,
  decision: Decision,
  { cursor, limit }: PageRequest,
) {
  const list = `${decision}:${viewerId}`
  const after = readTimedPosition(platform.secrets, list, cursor)
  const rows = await findMade(platform.db, viewerId, decision, { after, limit: limit + 1 })
  const positionOf = (row: (typeof rows)[number]) => timedPosition(row.decided_at, row.target_id)
  const { page, nextCursor } = cutPage(platform.secrets, list, { rows, limit, positionOf })
  const ids = page.map((row) => row.target_id)
  const searcher = await searcherOf(platform, viewerId)
  const shown = decision === 'like' ? new Set(ids) : await likableAmong(platform, searcher, ids)
  const kept = page.filter((row) => shown.has(row.target_id))
  return {
    decisions: await views(platform, viewerId, searcher, kept, (row) => row.target_id),
    nextCursor,
  }
}
