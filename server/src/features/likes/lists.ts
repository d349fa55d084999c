import type { Like, LikedItemView } from '@duet/contract/likes.ts'
import type { Photo } from '@duet/contract/photos.ts'
import type { Decision } from '@duet/contract/profiles.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Platform } from '../../platform/platform.ts'
import { likableAmong } from '../candidates/candidates.ts'
import { photosOf } from '../photos/photos.ts'
import { cardsOf } from '../profiles/profiles.ts'
import { findLikers, findMade, findReceived, type LikeRow } from './likes.queries.ts'

/** Nobody answers more likes than this; older ones wait behind them. */
const mostReceived = 500

/** Who likes the viewer and can be liked back, newest first. */
async function received(platform: Pick<Platform, 'db' | 'pool' | 'clock'>, viewerId: string): Promise<LikeRow[]> {
  const rows = await findReceived(platform.db, viewerId, mostReceived)
  const likable = await likableAmong(
    platform,
    viewerId,
    rows.map((row) => row.actor_id),
  )
  return rows.filter((row) => likable.has(row.actor_id))
}

/** The newest who like the viewer and wait for an answer, likable or not. */
export function likersOf(platform: Pick<Platform, 'pool'>, viewerId: string): Promise<string[]> {
  return findLikers(platform.pool, viewerId, 200)
}

/** How many likes wait for the viewer's answer. */
export async function countReceived(
  platform: Pick<Platform, 'db' | 'pool' | 'clock'>,
  viewerId: string,
): Promise<number> {
  return (await received(platform, viewerId)).length
}

function itemView(row: LikeRow, photos: readonly Photo[]): LikedItemView | null {
  if (row.item_kind === 'photo')
    return { kind: 'photo', photo: photos.find(({ fileName }) => fileName === row.item_id) ?? null }
  if (row.item_kind === 'prompt') return { kind: 'prompt', prompt: row.item_id as never, answer: row.item_text ?? '' }
  return null
}

/** The likes as the viewer sees them; `otherOf` says who of the two is the other one. */
async function views(
  platform: Platform,
  viewerId: string,
  rows: LikeRow[],
  otherOf: (row: LikeRow) => string,
): Promise<Like[]> {
  const cards = new Map((await cardsOf(platform, viewerId, rows.map(otherOf))).map((card) => [card.id, card]))
  const own = (await photosOf(platform, viewerId, [viewerId])).get(viewerId) ?? []
  return rows.flatMap((row) => {
    const user = cards.get(otherOf(row))
    if (!user) return []
    const photos = row.target_id === viewerId ? own : user.photos
    return [{ user, item: itemView(row, photos), comment: row.comment, at: row.decided_at.toISOString() }]
  })
}

interface Page {
  cursor?: string | undefined
  limit: number
}

interface Place {
  at: string
  id: string
}

function placeIn(platform: Pick<Platform, 'secrets'>, list: string, cursor: string | undefined): Place | undefined {
  if (!cursor) return undefined
  const [at, id] = readCursor(platform.secrets, list, cursor)
  return { at: String(at), id: String(id) }
}

/** A page of the likes that wait for the viewer. Throws `validation_failed` for a cursor that is not of this list. */
export async function listReceived(platform: Platform, viewerId: string, { cursor, limit }: Page) {
  const list = `likes:${viewerId}`
  const after = placeIn(platform, list, cursor)
  const rows = await received(platform, viewerId)
  const from = after
    ? rows.findIndex(
        ({ decided_at, actor_id }) =>
          decided_at.toISOString() < after.at || (decided_at.toISOString() === after.at && actor_id > after.id),
      )
    : 0
  const page = from < 0 ? [] : rows.slice(from, from + limit)
  const last = page.at(-1)
  const more = last && from + limit < rows.length
  return {
    likes: await views(platform, viewerId, page, (row) => row.actor_id),
    count: rows.length,
    nextCursor: more ? writeCursor(platform.secrets, list, [last.decided_at.toISOString(), last.actor_id]) : null,
  }
}

/** A page of whom the viewer liked, passed or put off; of the last two only whom they could like now. */
export async function listMade(platform: Platform, viewerId: string, decision: Decision, { cursor, limit }: Page) {
  const list = `${decision}:${viewerId}`
  const after = placeIn(platform, list, cursor)
  const rows = await findMade(platform.db, viewerId, decision, { after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const ids = page.map((row) => row.target_id)
  const shown = decision === 'like' ? new Set(ids) : await likableAmong(platform, viewerId, ids)
  const kept = page.filter((row) => shown.has(row.target_id))
  return {
    decisions: await views(platform, viewerId, kept, (row) => row.target_id),
    nextCursor:
      rows.length > limit && last
        ? writeCursor(platform.secrets, list, [last.decided_at.toISOString(), last.target_id])
        : null,
  }
}
