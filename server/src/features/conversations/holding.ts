import type { Platform, Tx } from '../../platform/platform.ts'
import { withdraw } from '../notifications/notifications.ts'
import { createAbsence } from './absent.ts'
import { publishBefore } from './appearing.ts'
import { findConversation } from './conversations.queries.ts'
import { holdUnanswered, releaseHeld } from './holding.queries.ts'
import { pageSize } from './listing.ts'
import { findMessages } from './messages.queries.ts'
import { messageViews } from './messages.ts'
import { seatOf } from './views.ts'

/** Who is told of whom, on live connections. */
export interface HoldingHooks {
  /** The receiver hears nothing of the sender from now on, who does not know; `known` when they did before. */
  onHeld(senderId: string, receiverId: string, known: boolean): void
  /** Both hear of each other from now on. */
  onReleased(senderId: string, receiverId: string): void
}

/** Holds back what is written to people who never answered: their sender sees what they always see, the others nothing. */
export interface Holding {
  /** Takes what somebody wrote to people who never wrote to them away from those; what they write from now on goes by itself. */
  hold(tx: Tx, senderId: string): Promise<void>
  /** Delivers everything of somebody that is held back, once and in its order. */
  release(tx: Tx, senderId: string): Promise<void>
  /** Resolves once everybody absent is told. */
  drain(): Promise<void>
}

export function createHolding(platform: Platform, hooks: HoldingHooks): Holding {
  const { realtime, db, log } = platform
  const absence = createAbsence(platform)

  async function deliver(senderId: string, receiverId: string): Promise<void> {
    hooks.onReleased(senderId, receiverId)
    const conversation = await findConversation(db, receiverId, senderId)
    const rows = conversation ? await findMessages(db, conversation.id, { limit: pageSize }) : []
    const [first, last] = [rows[0], rows.at(-1)]
    if (!conversation || !first || !last) return
    const views = await messageViews(platform, seatOf(conversation, receiverId), rows)
    await publishBefore(platform, receiverId, senderId, first.seq)
    for (const view of views) realtime.publish([receiverId], 'private message', view)
    if (!realtime.isConnected(receiverId)) absence.tell({ senderId, receiverId, seq: last.seq })
  }

  return {
    async hold(tx, senderId) {
      const receivers = await holdUnanswered(tx.db, senderId)
      for (const receiverId of receivers) await withdraw(tx, receiverId, `chat:${senderId}`)
      tx.afterCommit(() => {
        for (const receiverId of receivers) hooks.onHeld(senderId, receiverId, true)
        if (receivers.length > 0) realtime.publish(receivers, 'resync', { withinMs: 0 })
      })
    },
    async release(tx, senderId) {
      const receivers = await releaseHeld(tx.db, senderId)
      tx.afterCommit(async () => {
        for (const receiverId of receivers)
          await deliver(senderId, receiverId).catch((err) => log.warn({ err }, 'what was released is not told of yet'))
      })
    },
    drain: absence.drain,
  }
}
