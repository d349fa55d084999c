import type { Message, OutgoingMessage } from '@duet/contract/conversations.ts'
import { minutes } from '../../platform/clock.ts'
import { createLanes } from '../../platform/database/lanes.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime/realtime.ts'
import { toRefusal } from './faults.ts'
import type { Gate, HoldingHooks, OnOpened } from './hooks.ts'
import { avoidLocked } from './locked.ts'
import { type Appended, appendMessages, findLocked } from './messages.queries.ts'
import { createPublishing, type Entry } from './publishing.ts'

/** A sender's clock is believed when it is this close to ours. */
const plausibleMs = minutes(5)

export type Outgoing = Pick<OutgoingMessage, 'id' | 'message' | 'timestamp' | 'receiverId' | 'replyTo' | 'attachmentId'>

interface Hooks extends Partial<HoldingHooks> {
  gate?: Gate
}

export interface Sending {
  /**
   * Sends a message. It is kept once this resolves; a repeat of the same id to the same person gives the original as it
   * is now, and is delivered again. Messages of two people are kept and delivered in the order they came. `connection`
   * is the one it came by, which is told by its acknowledgement. Throws not found for people one cannot write to and for
   * attachments that are not there, forbidden where it needs a match, `rate_limited`, `retry`.
   */
  sendMessage(senderId: string, outgoing: Outgoing, connection?: Connection): Promise<Message>
  /** Whether a message it gave is held back: its receiver does not hear of it. */
  isHeld(message: Message): boolean
  /** Takes no more messages. Resolves once every message that was taken is kept, delivered and its receiver notified. */
  close(): Promise<void>
}

/** The time that is shown with a message: the sender's when it is plausible. */
function sentAt(timestamp: string | undefined, now: Date): string {
  const claimed = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return Math.abs(claimed - now.getTime()) <= plausibleMs ? new Date(claimed).toISOString() : now.toISOString()
}

/** Sends messages in batches: one statement, then all are published, in the order they came. */
export function createSending(platform: Platform, onOpened: OnOpened, hooks: Hooks = {}): Sending {
  const { clock, config } = platform
  const { gate } = hooks
  const publishing = createPublishing(platform, { ...hooks, onOpened })

  async function flush(entries: Entry[]): Promise<(Message | Error)[]> {
    const { isReady, publishPlain, publishAny } = publishing
    const needsMatch = config.chatPolicy === 'matches'
    const all = await appendMessages(platform.pool, entries, { needsMatch, now: clock.now() })
    const answers: (Message | Error)[] = []
    for (const [place, entry] of entries.entries()) {
      const kept = all[place] as Appended
      try {
        answers.push(isReady(entry, kept) ? publishPlain(entry, kept) : await publishAny(entry, kept))
      } catch (error) {
        // The batch is committed: a second try would take its other messages for repeats and notify no one of them.
        answers.push(toRefusal(error))
      }
    }
    return answers
  }

  const avoiding = avoidLocked(flush, (entries: Entry[]) => findLocked(platform.pool, entries))
  const lanes = createLanes({ flush: avoiding, most: 200 })

  return {
    async sendMessage(senderId, outgoing, connection) {
      const { id, message: body, timestamp, receiverId, replyTo, attachmentId } = outgoing
      if (!isUuid(receiverId)) throw notFound()
      const entry = {
        senderId,
        receiverId,
        id,
        body,
        sentAt: sentAt(timestamp, clock.now()),
        replyTo,
        attachmentId,
        connection,
      }
      const pair = senderId < receiverId ? senderId + receiverId : receiverId + senderId
      const send = () => lanes.push(pair, entry)
      // What Duet's own people send comes by no connection.
      return (gate && connection ? gate.pass(entry, send) : send()).catch((error: unknown) => {
        throw toRefusal(error)
      })
    },
    isHeld: publishing.isHeld,
    async close() {
      await lanes.close()
      await publishing.drain()
    },
  }
}
