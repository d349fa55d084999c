import { cutText } from '@duet/contract/cut-text.ts'
import { hiddenBy } from '@duet/contract/hidden-words.ts'
import { after, minutes } from '../../platform/clock.ts'
import { passingFault } from '../../platform/database/database-faults.ts'
import { createLanes } from '../../platform/database/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import { notifyMany, readKey } from '../notifications/notifications.ts'
import { findListeners } from './conversations.queries.ts'

const previewLength = 80
/** Before failed notifications are tried again; each wait is twice as long as the one before. */
const retryMs = { first: 500, longest: 30_000 }
/** A repeat of a message this old notifies no one again: its sender has been answered since. */
const repeatedMs = minutes(10)

interface Told {
  senderId: string
  receiverId: string
  seq: number
  /** The message was kept before, and its sender perhaps not answered: the receiver may not have been notified. */
  repeated?: boolean
}

const signs = { photo: '📷', voice: '🎤' }

/** The beginning of a message, as a notification quotes it. */
export function previewOf(text: string, attachment: 'photo' | 'voice' | null): string {
  const cut = cutText(text, previewLength)
  const short = cut === text ? text : `${cut.trimEnd()}…`
  return attachment ? `${signs[attachment]} ${short}`.trimEnd() : short
}

/**
 * Notifies those who were away when they were written to, in batches of their own, in the background. After a fault that
 * passes, such as an outage of the database, a notification is tried again.
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
  // By pair of people: a notification quotes the last message.
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
    log.warn({ err }, 'people who are away could not be notified of messages; it is tried again')
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
        else log.warn({ err }, 'a person who is away was not notified of a message')
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
  const still = new Set((await findListeners(platform.db, told, repeatedSince)).map(({ place }) => place))
  for (const { place } of listeners) {
    const { receiverId, senderId } = told[place] as Told
    if (!still.has(place)) await readKey(platform, receiverId, `chat:${senderId}`)
  }
  return told.map(() => undefined)
}
