import type { Platform, Tx } from '../../platform/platform.ts'
import { deleteAttachments } from './attachments.ts'
import { findConversation } from './conversations.queries.ts'
import { changeMessage, findMessagesAt, lockMessage } from './messages.queries.ts'
import { messageViews } from './messages.ts'
import { conversationIdOf, findPair, restoreBody } from './moderated.queries.ts'
import { renewPreviews } from './previews.ts'
import { seatOf } from './views.ts'

/** Tells both how messages look now, as far as they still see each other. */
async function tellBoth(platform: Platform, pair: readonly [string, string], seqs: readonly number[]): Promise<void> {
  for (const [userId, otherId] of [pair, [pair[1], pair[0]] as const]) {
    const conversation = await findConversation(platform.db, userId, otherId)
    if (!conversation) continue
    const rows = await findMessagesAt(
      platform.db,
      seqs.map(() => conversation.id),
      seqs,
    )
    for (const view of await messageViews(platform, seatOf(conversation, userId), rows))
      platform.realtime.publish([userId], 'message_changed', view)
  }
}

export interface TakenMessage {
  conversationId: string
  seq: number
  body: string
}

/**
 * Takes somebody's message to another away, as if they had taken it back; what it carried is deleted. Undefined when it
 * is gone already, or not theirs.
 */
export async function takeMessageAway(
  tx: Tx,
  senderId: string,
  receiverId: string,
  seq: number,
): Promise<TakenMessage | undefined> {
  const conversationId = await conversationIdOf(tx.db, senderId, receiverId)
  const row = await lockMessage(tx.db, conversationId, seq)
  if (!row || row.sender_id !== senderId || row.deleted_at) return undefined
  const carried = row.attachment_id
  const seqs = await changeMessage(tx.db, conversationId, seq, { deletedAt: tx.clock.now() })
  await renewPreviews(tx, row, receiverId)
  tx.afterCommit((platform) => tellBoth(platform, [senderId, receiverId], seqs))
  if (carried) tx.afterCommit((platform) => deleteAttachments(platform, [carried]))
  return { conversationId, seq, body: row.body }
}

/** Gives a message its text back that was taken away; false when there is nothing to give it back to, or no text. */
export async function putMessageBack(tx: Tx, { conversationId, seq, body }: TakenMessage): Promise<boolean> {
  const row = await lockMessage(tx.db, conversationId, seq)
  const pair = await findPair(tx.db, conversationId)
  if (!row?.deleted_at || !pair || body === '') return false
  await restoreBody(tx.db, conversationId, seq, body)
  const seqs = await changeMessage(tx.db, conversationId, seq, { body })
  tx.afterCommit((platform) => tellBoth(platform, pair, seqs))
  return true
}
