import { mostPhotos } from '../attachments/attachments.api.ts'
import type { ThreadItem } from './message-groups.ts'

export type MessageItem = Extract<ThreadItem, { kind: 'message' }>

export interface AlbumItem {
  kind: 'album'
  /** The key of the first photo, so that it doesn't change when photos are added. */
  key: string
  items: readonly MessageItem[]
  mine: boolean
  last: boolean
}

/**
 * The longest time between two consecutive photos of an album, in milliseconds. The photos are sent together, but if
 * the device's clock is wrong, the server replaces their timestamps with arrival times.
 */
const longestPause = 10_000

const photosOf = (row: { kind: string } | undefined) =>
  messagesOf(row).filter(({ message }) => message.attachment?.kind === 'photo')

export function messagesOf(row: { kind: string } | undefined): readonly MessageItem[] {
  if (row?.kind === 'album') return (row as AlbumItem).items
  return row?.kind === 'message' ? [row as MessageItem] : []
}

/**
 * A photo's text appears below its album, so it must be the last photo; a quote appears above, so it must be on the
 * first.
 */
function continues(photos: readonly MessageItem[], next: MessageItem): boolean {
  const before = photos.at(-1)?.message
  const { message } = next
  if (!before || photos.length >= mostPhotos || message.attachment?.kind !== 'photo') return false
  if (before.senderId !== message.senderId || before.message || message.replyTo) return false
  return Math.abs(Date.parse(message.timestamp) - Date.parse(before.timestamp)) <= longestPause
}

/**
 * A message whose key is in `starts` always begins a new row, so that visible albums don't grow when older messages
 * load above.
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
