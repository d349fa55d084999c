import { hiddenBy } from '@duet/contract/hidden-words.ts'
import { createLanes } from '../../platform/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import { notifyMany } from '../notifications/notifications.ts'
import { findListeners } from './conversations.queries.ts'

const previewLength = 80

interface Told {
  senderId: string
  receiverId: string
  seq: number
}

const signs = { photo: '📷', voice: '🎤' }

/** The beginning of a message, as a notification quotes it. */
export function previewOf(text: string, attachment: 'photo' | 'voice' | null): string {
  const short = text.length > previewLength ? `${text.slice(0, previewLength).trimEnd()}…` : text
  return attachment ? `${signs[attachment]} ${short}`.trimEnd() : short
}

/** Notifies those who were away when they were written to, in batches of their own: nobody waits for it. */
export function createAbsence(platform: Platform): { tell(told: Told): void; drain(): Promise<void> } {
  async function flush(told: Told[]): Promise<undefined[]> {
    const listeners = await findListeners(platform.db, told)
    await notifyMany(
      platform,
      listeners.map(({ place, name, body, attachment, hidden_words }) => {
        const { receiverId, senderId } = told[place] as Told
        // What is folded in the conversation is not repeated outside of it.
        const shown = hiddenBy(hidden_words)(body) ? '…' : previewOf(body, attachment)
        return {
          userId: receiverId,
          kind: 'message' as const,
          params: { name, preview: shown },
          link: `/chat/${senderId}`,
          collapseKey: `chat:${senderId}`,
        }
      }),
    )
    return told.map(() => undefined)
  }

  const lanes = createLanes<Told, undefined>({
    flush,
    mayBeOne: () => false,
    lanes: 1,
    most: 500,
    mostWaitMs: Infinity,
  })
  return {
    tell: (told) =>
      void lanes
        .push('', told)
        .catch((err: unknown) => platform.log.warn({ err }, 'somebody absent was not told of a message')),
    drain: lanes.drain,
  }
}
