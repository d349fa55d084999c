import type { Platform, Tx } from '../../platform/platform.ts'
import { withdrawUntold } from '../notifications/notifications.ts'
import { createAbsence } from './absent.ts'
import { publishBefore } from './appearing.ts'
import { findConversation } from './conversations.queries.ts'
import { holdUnanswered, releaseHeld } from './holding.queries.ts'
import type { HoldingHooks } from './hooks.ts'
import { pageSize } from './listing.ts'
import { findMessages } from './messages.queries.ts'
import { messageViews } from './messages.ts'
import { seatOf } from './views.ts'

/** Holds messages to people who never answered: the receivers don't see the messages, and the sender doesn't notice. */
export interface Holding {
  /** Holds a person's messages to people who never wrote back. Later messages are held as they are sent. */
  hold(tx: Tx, senderId: string): Promise<void>
  release(tx: Tx, senderId: string): Promise<void>
  drain(): Promise<void>
}

export function createHolding(platform: Platform, hooks: HoldingHooks): Holding {
  const { realtime, db, log } = platform
  const absence = createAbsence(platform)

  async function deliver(senderId: string, receiverId: string): Promise<void> {
    const conversation = await findConversation(db, receiverId, senderId)
    const rows = conversation ? await findMessages(db, conversation.id, { limit: pageSize }) : []
    const first = rows[0]
    const last = rows.at(-1)
    if (!conversation?.visible || !first || !last) return
    const views = await messageViews(platform, seatOf(conversation, receiverId), rows)
    await publishBefore(platform, receiverId, senderId, first.seq)
    for (const view of views) realtime.publish([receiverId], 'private message', view)
    if (!realtime.isLooking(receiverId)) absence.tell({ senderId, receiverId, seq: last.seq })
  }

  return {
    async hold(tx, senderId) {
      const receivers = await holdUnanswered(tx.db, senderId)
      for (const receiverId of receivers) await withdrawUntold(tx, receiverId, `chat:${senderId}`)
      // Receivers get no event. As after a block, the messages are missing from their next response.
      tx.afterCommit(() => hooks.onSettled(senderId))
    },
    async release(tx, senderId) {
      const receivers = await releaseHeld(tx.db, senderId)
      tx.afterCommit(async () => {
        await hooks.onSettled(senderId)
        for (const receiverId of receivers)
          await deliver(senderId, receiverId).catch((err) =>
            log.warn({ err }, 'released messages could not be published'),
          )
      })
    },
    drain: absence.drain,
  }
}
