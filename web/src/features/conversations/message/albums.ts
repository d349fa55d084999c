import { mostPhotos } from '../attachments/attachments.api.ts'
import type { ThreadItem } from './message-groups.ts'

export type MessageItem = Extract<ThreadItem, { kind: 'message' }>

/** Photos that one person sent together: each is a message of its own. */
export interface AlbumItem {
  kind: 'album'
  /** That of its first photo: it stays the same while more come in. */
  key: string
  items: readonly MessageItem[]
  mine: boolean
  /** It ends a group by one person. */
  last: boolean
}

/** Between two photos of an album: one tap sent them, but a clock that is wrong is replaced by the time of each arrival. */
const longestPause = 10_000

const photosOf = (row: { kind: string } | undefined) =>
  messagesOf(row).filter(({ message }) => message.attachment?.kind === 'photo')

/** The messages of a row of the thread: one, those of an album, or none. */
export function messagesOf(row: { kind: string } | undefined): readonly MessageItem[] {
  if (row?.kind === 'album') return (row as AlbumItem).items
  return row?.kind === 'message' ? [row as MessageItem] : []
}

/** The text of a photo stands under its album and ends it; what a photo answers stands above, and begins one. */
function continues(photos: readonly MessageItem[], next: MessageItem): boolean {
  const before = photos.at(-1)?.message
  const { message } = next
  if (!before || photos.length >= mostPhotos || message.attachment?.kind !== 'photo') return false
  if (before.senderId !== message.senderId || before.message || message.replyTo) return false
  return Math.abs(Date.parse(message.timestamp) - Date.parse(before.timestamp)) <= longestPause
}

/**
 * Joins neighbouring photos of one person to albums; whatever stands between them keeps them apart. A message whose key is
 * in `starts` always begins anew: what was drawn does not grow when older messages come in above it.
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
