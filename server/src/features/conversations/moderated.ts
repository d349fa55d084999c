import type { Tx } from '../../platform/platform.ts'
import { deleteAttachments } from './attachments.ts'
import { changeMessage, lockMessage } from './messages.queries.ts'
import { publishChanged } from './messages.ts'
import { findPeopleOf, pairIdOf } from './moderated.queries.ts'
import { renewPreviews } from './previews.ts'

export interface TakenMessage {
  pairId: string
  seq: number
  body: string
}

/**
 * Removes a message as if its sender had deleted it, including its attachment. Undefined if it is already gone or has
 * another sender.
 */
export async function takeMessageAway(
  tx: Tx,
  senderId: string,
  receiverId: string,
  seq: number,
): Promise<TakenMessage | undefined> {
  const pairId = await pairIdOf(tx.db, senderId, receiverId)
  const row = await lockMessage(tx.db, pairId, seq)
  if (!row || row.sender_id !== senderId || row.deleted_at) return undefined
  const carried = row.attachment_id
  await changeMessage(tx.db, pairId, seq, { deletedAt: tx.clock.now() })
  await renewPreviews(tx, row, receiverId)
  tx.afterCommit((platform) => publishChanged(platform, [senderId, receiverId], seq))
  if (carried) tx.afterCommit((platform) => deleteAttachments(platform, [carried]))
  return { pairId, seq, body: row.body }
}

/** Restores the text of a removed message. Returns false if the message is gone or had no text. */
export async function putMessageBack(tx: Tx, { pairId, seq, body }: TakenMessage): Promise<boolean> {
  const row = await lockMessage(tx.db, pairId, seq)
  const pair = await findPeopleOf(tx.db, pairId)
  if (!row?.deleted_at || !pair || body === '') return false
  await changeMessage(tx.db, pairId, seq, { body, deletedAt: null })
  tx.afterCommit((platform) => publishChanged(platform, pair, seq))
  return true
}
