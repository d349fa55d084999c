import { mostPhotos } from '../attachments/attachments.api.ts'
import type { ThreadItem } from './message-groups.ts'

export type MessageItem = Extract<ThreadItem, { kind: 'message' }>

export interface AlbumItem {
  kind: 'album'
  /** The key of the first photo, which stays the same while more photos arrive. */
  key: string
  items: readonly MessageItem[]
  mine: boolean
  last: boolean
}

/**
 * The longest time between two photos of an album, in milliseconds. One press sends them all, but a wrong device clock
 * is replaced by each photo's time of arrival.
 */
const longestPause = 10_000

const photosOf = (row: { kind: string } | undefined) =>
  messagesOf(row).filter(({ message }) => message.attachment?.kind === 'photo')

export function messagesOf(row: { kind: string } | undefined): readonly MessageItem[] {
  if (row?.kind === 'album') return (row as AlbumItem).items
  return row?.kind === 'message' ? [row as MessageItem] : []
}

/** A photo's text shows below its album, so it ends the album; a quote shows above, so it starts one. */
function continues(photos: readonly MessageItem[], next: MessageItem): boolean {
  const before = photos.at(-1)?.message
  const { message } = next
  if (!before || photos.length >= mostPhotos || message.attachment?.kind !== 'photo') return false
  if (before.senderId !== message.senderId || before.message || message.replyTo) return false
  return Math.abs(Date.parse(message.timestamp) - Date.parse(before.timestamp)) <= longestPause
}

/**
 * Joins neighbouring photos of one person into albums. A message whose key is in `starts` always begins a new row, so
 * that an album already shown doesn't grow when older messages load above it.
 */
export function withAlbums(items: readonly ThreadItem[], starts: ReadonlySet<string>): (ThreadItem | AlbumItem)[] {
  const rows: (ThreadItem | AlbumItem)[] = []
  for (const item of items) {
    const photos = photosOf(rows.at(-1))
    if (item.kind === 'message' && !starts.has(item.key) && continues(photos, item)) {
      const all = [...photos, item]
      const { key, mine } = all[0] ?? item
      rows[rows.length - 1] = { kind: 'album', key, items: all, mine, last: item.last }
    } else rows.push(item)
  }
  return rows
}
