import { cutText } from '@duet/contract/cut-text.ts'
import { hiddenBy } from '@duet/contract/hidden-words.ts'
import type { Platform } from '../../platform/platform.ts'
import { createLanes } from '../../platform/realtime/lanes.ts'
import { notifyMany, readKey } from '../notifications/notifications.ts'
import { findListeners } from './conversations.queries.ts'
import { isOfOne } from './faults.ts'

const previewLength = 80

interface Told {
  senderId: string
  receiverId: string
  seq: number
}

const signs = { photo: '📷', voice: '🎤' }

/** The beginning of a message, as a notification quotes it. */
export function previewOf(text: string, attachment: 'photo' | 'voice' | null): string {
  const cut = cutText(text, previewLength)
  const short = cut === text ? text : `${cut.trimEnd()}…`
  return attachment ? `${signs[attachment]} ${short}`.trimEnd() : short
}

/** Notifies those who were away when they were written to, in batches of their own, in the background. */
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
    // Who reads at this moment reads before there was anything to mark as read.
    const still = new Set((await findListeners(platform.db, told)).map(({ place }) => place))
    for (const { place } of listeners) {
      const { receiverId, senderId } = told[place] as Told
      if (!still.has(place)) await readKey(platform, receiverId, `chat:${senderId}`)
    }
    return told.map(() => undefined)
  }

  const lanes = createLanes<Told, undefined>({
    flush,
    mayBeOne: isOfOne,
    lanes: 1,
    most: 500,
    mostWaitMs: Infinity,
  })
  return {
    tell: (told) =>
      void lanes
        .push('', told)
        .catch((err: unknown) => platform.log.warn({ err }, 'a person who is away was not notified of a message')),
    drain: lanes.drain,
  }
}
