import type { Match } from '@duet/contract/matches.ts'
import type { Row } from './thread-row.tsx'

interface Between {
  viewerId: string
  peerId: string
  /** True if the oldest message is loaded. */
  whole: boolean
}

/** The server turns the comment of a like into a first message with such an id. */
const cameWithLike = /^like-\d/

/** Puts each liked item before the comment that came with the like, or at the start of the thread if there is none. */
export function withLiked(rows: readonly Row[], liked: Match['liked'], { viewerId, peerId, whole }: Between): Row[] {
  let result = [...rows]
  const sides = [
    { mine: true, item: liked?.mine, senderId: viewerId },
    { mine: false, item: liked?.theirs, senderId: peerId },
  ]
  for (const { mine, item, senderId } of sides) {
    if (!item) continue
    const words = result.findIndex(
      (row) => row.kind === 'message' && row.message.senderId === senderId && cameWithLike.test(row.message.id),
    )
    if (words < 0 && !whole) continue
    const row: Row = { kind: 'liked', key: mine ? 'liked mine' : 'liked theirs', mine, item }
    result = result.toSpliced(Math.max(words, 0), 0, row)
  }
  return result
}
