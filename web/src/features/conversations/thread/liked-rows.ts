import type { Match } from '@duet/contract/matches.ts'
import type { Row } from './thread-row.tsx'

interface Between {
  viewerId: string
  peerId: string
  /** Nothing comes in above the first row any more. */
  whole: boolean
}

/** The server makes a first message of the words that came with a like, and gives it such an id. */
const cameWithLike = /^like-\d/

/**
 * Puts what each of the two liked before the words that came with the like, as what they are about; where there were none,
 * or they are not in the thread, at its beginning.
 */
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
