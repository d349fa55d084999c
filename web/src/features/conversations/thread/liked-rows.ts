import type { Match } from '@duet/contract/matches.ts'
import type { Row } from './thread-row.tsx'

interface Between {
  viewerId: string
  peerId: string
  whole: boolean
}

/** The server turns a like's comment into a first message with an id of this form. */
const cameWithLike = /^like-\d/

/** Places each liked item above the like's comment, or at the start of the thread if there was no comment. */
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
