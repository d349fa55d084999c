import type { Platform } from '../../platform/platform.ts'
import { findListed } from './listing.ts'
import { countUnreadBefore } from './messages.queries.ts'

/**
 * Publishes a conversation as it was before its newest message. The message's own event then raises the unread count.
 */
export async function publishBefore(platform: Platform, userId: string, peerId: string, seq: number): Promise<void> {
  const rows = await findListed(platform, userId, peerId)
  const before = await Promise.all(
    rows.map(async (row) => ({
      ...row,
      lastMessage: null,
      lastAt: null,
      lastSeq: seq - 1,
      unreadCount: await countUnreadBefore(platform.db, userId, peerId, { seq, readSeq: row.myReadSeq }),
    })),
  )
  if (before.length > 0) platform.realtime.publish([userId], 'conversations', before)
}
