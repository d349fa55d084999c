import type { Tx } from '../../platform/platform.ts'
import { withdraw } from '../notifications/notifications.ts'
import { previewOf } from './absent.ts'
import type { MessageRow } from './messages.queries.ts'
import { hasUnread, rewordPreviews } from './previews.queries.ts'

type Before = Pick<MessageRow, 'sender_id' | 'body' | 'created_at' | 'attachment_id'>

/**
 * Updates the quote in the notification of a receiver who was away. An edited message is quoted with its new text. A
 * deleted one (no `body`) is no longer quoted, and the notification is withdrawn if nothing else is unread.
 */
export async function renewPreviews(tx: Tx, row: Before, receiverId: string, body?: string): Promise<void> {
  const collapseKey = `chat:${row.sender_id}`
  if (body === undefined && !(await hasUnread(tx.db, row.sender_id, receiverId)))
    await withdraw(tx, receiverId, collapseKey)
  const kinds = row.attachment_id === null ? [null] : (['photo', 'voice'] as const)
  for (const kind of kinds) {
    const to = body === undefined ? '…' : previewOf(body, kind)
    const told = { receiverId, collapseKey, since: row.created_at, from: previewOf(row.body, kind), to }
    if (await rewordPreviews(tx.db, told))
      tx.afterCommit(({ realtime }) => realtime.publish([receiverId], 'notifications_changed', {}))
  }
}
