import { cutText } from '@duet/contract/cut-text.ts'
import { hiddenBy } from '@duet/contract/hidden-words.ts'
import { after, minutes } from '../../platform/clock.ts'
import { passingFault } from '../../platform/database/database-faults.ts'
import { createLanes } from '../../platform/database/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import { notifyMany, readKey } from '../notifications/notifications.ts'
import { findListeners } from './conversations.queries.ts'

const previewLength = 80
/** The pause before failed notifications are retried; it doubles each time. */
const retryMs = { first: 500, longest: 30_000 }
/** Repeats of messages older than this notify nobody, because the sender has had an answer in the meantime. */
const repeatedMs = minutes(10)

interface Told {
  senderId: string
  receiverId: string
  seq: number
  /** The message was stored earlier, but perhaps without notifying the receiver: the sender may have got no answer. */
  repeated?: boolean
}

const signs = { photo: '📷', voice: '🎤' }

export function previewOf(text: string, attachment: 'photo' | 'voice' | null): string {
  const cut = cutText(text, previewLength)
  const short = cut === text ? text : `${cut.trimEnd()}…`
  return attachment ? `${signs[attachment]} ${short}`.trimEnd() : short
}

/**
 * Notifies people who were away when a message arrived. Works in the background, in separate batches, and retries after
 * a temporary failure such as a database outage.
 */
export function createAbsence(platform: Platform): { tell(told: Told): void; drain(): Promise<void> } {
  const { log } = platform
  const lanes = createLanes<Told, undefined>({
    flush: (told) => notifyAbsent(platform, told),
    lanes: 1,
    most: 500,
    mostWaiting: Infinity,
    mostWaitMs: Infinity,
  })
  // One entry per pair is enough, because a notification quotes only the last message.
  const failed = new Map<string, Told>()
  let waitMs = retryMs.first
  let timer: NodeJS.Timeout | undefined

  function retry(): void {
    clearTimeout(timer)
    timer = undefined
    const all = [...failed.values()]
    failed.clear()
    for (const told of all) tell(told)
  }
  function retryLater(pair: string, told: Told, err: unknown): void {
    failed.set(pair, told)
    if (timer) return
    log.warn({ err }, 'absent people could not be notified of messages; it will be retried')
    timer = setTimeout(retry, waitMs).unref()
    waitMs = Math.min(waitMs * 2, retryMs.longest)
  }
  function tell(told: Told): void {
    const pair = told.senderId + told.receiverId
    failed.delete(pair)
    void lanes
      .push('', told)
      .then(() => {
        waitMs = retryMs.first
        if ((failed.get(pair)?.seq ?? told.seq) < told.seq) failed.delete(pair)
      })
      .catch((err: unknown) => {
        if (passingFault(err)) retryLater(pair, told, err)
        else log.warn({ err }, 'an absent person was not notified of a message')
      })
  }
  return {
    tell,
    async drain() {
      await lanes.drain()
      retry()
      await lanes.drain()
    },
  }
}

async function notifyAbsent(platform: Platform, told: Told[]): Promise<undefined[]> {
  const repeatedSince = after(platform.clock.now(), -repeatedMs)
  const listeners = await findListeners(platform.db, told, repeatedSince)
  await notifyMany(
    platform,
    listeners.map(({ place, name, body, attachment, hidden_words }) => {
      const { receiverId, senderId } = told[place] as Told
      // Doesn't quote a text that contains one of the receiver's hidden words.
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
  // If the receiver read the message before its notification existed, the notification has to be marked as read here.
  const still = new Set((await findListeners(platform.db, told, repeatedSince)).map(({ place }) => place))
  for (const { place } of listeners) {
    const { receiverId, senderId } = told[place] as Told
    if (!still.has(place)) await readKey(platform, receiverId, `chat:${senderId}`)
  }
  return told.map(() => undefined)
}
