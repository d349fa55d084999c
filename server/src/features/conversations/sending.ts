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

/** If the sender's clock differs by more, the message shows the server's time. */
const plausibleMs = minutes(5)

export type Outgoing = Pick<OutgoingMessage, 'id' | 'message' | 'timestamp' | 'receiverId' | 'replyTo' | 'attachmentId'>

interface Hooks extends Partial<HoldingHooks> {
  gate?: Gate
}

export interface Sending {
  /**
   * Sends a message; it is stored once this resolves. Sending the same id to the same person again returns and delivers
   * the original message in its current state. Messages between two people are stored and delivered in order of
   * arrival. `connection` gets no event, because it gets the acknowledgement. Throws not found for missing attachments
   * and for people the sender can't write to, forbidden if writing needs a match, `rate_limited`, and `retry`.
   */
  sendMessage(senderId: string, outgoing: Outgoing, connection?: Connection): Promise<Message>
  /** Whether a message returned by `sendMessage` is held, which means that its receiver doesn't see it. */
  isHeld(message: Message): boolean
  /**
   * Stops accepting messages. Resolves once all accepted messages are stored and delivered, and all receivers notified.
   */
  close(): Promise<void>
}

/** The time shown with a message: the sender's if it is plausible, otherwise the server's. */
function sentAt(timestamp: string | undefined, now: Date): string {
  const claimed = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return Math.abs(claimed - now.getTime()) <= plausibleMs ? new Date(claimed).toISOString() : now.toISOString()
}

/** Sends messages in batches. One statement stores a batch, then its messages are published in order of arrival. */
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
        // The batch has committed. If it were retried, its other messages would count as repeats and notify nobody.
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
      // Messages without a connection come from the server itself and skip the gate.
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
