import type { OnArriving } from './features/accounts/accounts.ts'
import { createHolding } from './features/conversations/holding.ts'
import { announceConversation } from './features/conversations/listing.ts'
import { createSending } from './features/conversations/sending.ts'
import { forgetIdentities } from './features/identities/identities.ts'
import { releaseLikes } from './features/likes/telling.ts'
import { forgetLearned } from './features/matching/learning.ts'
import { forgetPasskeys } from './features/passkeys/passkeys.ts'
import { createPresence } from './features/presence/presence.ts'
import { continueSanctions, isClosedMailbox } from './features/spam/banned.ts'
import { createGate } from './features/spam/gate.ts'
import {
  addRecognition,
  linkedWith,
  noteIdentities,
  noteMove,
  noteNewcomer,
  noteNewPhotos,
} from './features/spam/linked.ts'
import { createShadow } from './features/spam/shadow.ts'
import { tellLostBadge } from './features/verification/badge.ts'
import type { Platform, Tx } from './platform/platform.ts'

interface Listener {
  onLiked(actorId: string, targetId: string): void
  onSent(senderId: string, receiverId: string, text: string): void
  onPlaced(userId: string): Promise<void>
}

function chatting(platform: Platform) {
  const presence = createPresence(platform)
  const onHolding = { onHeld: presence.hold, onSettled: presence.changed }
  const holding = createHolding(platform, onHolding)
  const shadow = createShadow(platform, holding, releaseLikes)
  const gate = createGate(platform, shadow.restrict)
  const sending = createSending(platform, presence.watch, { ...onHolding, gate })
  return { presence, holding, shadow, gate, sending }
}

export type Wires = ReturnType<typeof wire>

const onArriving: OnArriving = async (tx, newcomer) => {
  await noteNewcomer(tx, newcomer)
  await continueSanctions(tx, newcomer.userId, newcomer.language)
  await addRecognition(tx.db, newcomer.userId)
}

/** Called when an account at a sign-in provider is linked to an account here, or linked again. */
async function onLinked(tx: Tx, userId: string): Promise<void> {
  await noteIdentities(tx, userId)
  await continueSanctions(tx, userId)
}

/** Removes the sign-in methods that work without access to the mailbox. */
async function forgetWaysIn(tx: Tx, userId: string): Promise<void> {
  await forgetPasskeys(tx, userId)
  await forgetIdentities(tx, userId)
}

/** Connects features through callbacks, so that they don't import each other. */
export function wire(platform: Platform) {
  const { jobs, log } = platform
  const { presence, shadow, ...chat } = chatting(platform)
  const listeners: Listener[] = []
  return {
    ...chat,
    presence,
    listen: (listener: Listener) => listeners.push(listener),
    forgetLearned: (userId: string) => forgetLearned(platform, userId),
    arrivals: {
      onArriving,
      onLinked,
    },
    addresses: {
      isClosed: isClosedMailbox,
      async onMoved(tx: Tx, move: { userId: string; from: string; to: string }) {
        await noteMove(tx, move)
        await addRecognition(tx.db, move.userId)
      },
      onUndone: forgetWaysIn,
    },
    onPhotosChanged(userId: string) {
      void noteNewPhotos(platform, userId).catch((err) =>
        log.warn({ err }, 'new photos could not be compared with those of other accounts yet'),
      )
      return tellLostBadge(platform, userId).catch((err) =>
        log.warn({ err }, 'the person could not be notified about a lost badge yet'),
      )
    },
    async onPlaced(userId: string) {
      await jobs.add('announce-newcomer', { userId })
      for (const listener of listeners) await listener.onPlaced(userId)
    },
    decisions: {
      onOpened: presence.watch,
      onDecided(actorId: string, targetId: string, yes: boolean) {
        if (yes) for (const listener of listeners) listener.onLiked(actorId, targetId)
      },
    },
    messages: {
      onOpened: presence.watch,
      onSent(senderId: string, receiverId: string, text: string) {
        if (presence.appears(senderId, receiverId)) announceConversation(platform, receiverId, senderId)
        for (const listener of listeners) listener.onSent(senderId, receiverId, text)
      },
    },
    blocks: { onBlocked: presence.part, onUnblocked: presence.changed },
    reviews: { onDecided: shadow.onReviewDecided, linkedWith },
  }
}
