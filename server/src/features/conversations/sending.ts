import type { Message, OutgoingMessage } from '@duet/contract/conversations.ts'
import { minutes } from '../../platform/clock.ts'
import { notFound, overloaded } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { createLanes } from '../../platform/lanes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime.ts'
import { createAbsence } from './absent.ts'
import { publishBefore } from './appearing.ts'
import type { HoldingHooks } from './holding.ts'
import { type Appended, appendMessages, type NewMessage } from './messages.queries.ts'
import { getMessage } from './messages.ts'
import { refused } from './refusals.ts'

/** A sender's clock is believed when it is this close to ours. */
const plausibleMs = minutes(5)
const sends = { name: 'messages', points: 120, seconds: 60 }

/** Hears of conversations that appear, so that presence and typing know who talks to whom. */
export type OnOpened = (userId: string, peerId: string) => void

export type Outgoing = Pick<OutgoingMessage, 'id' | 'message' | 'timestamp' | 'receiverId' | 'replyTo' | 'attachmentId'>

/** What a message by somebody's own hand has to pass before it is kept, in the order it came. */
export interface Gate {
  pass<T>(
    attempt: { senderId: string; receiverId: string; id: string; body: string },
    send: () => Promise<T>,
  ): Promise<T>
}

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
  /** Resolves once everything that was taken is kept, delivered and told. */
  drain(): Promise<void>
}

interface Entry extends NewMessage {
  connection: Connection | undefined
}

/** The time that is shown with a message: the sender's when it is plausible. */
function sentAt(timestamp: string | undefined, now: Date): string {
  const claimed = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return Math.abs(claimed - now.getTime()) <= plausibleMs ? new Date(claimed).toISOString() : now.toISOString()
}

/** A new message of text alone, as both see it but for `conversationId`: nothing has to be looked up for it. */
function plainView(entry: Entry, { seq, revision }: Appended, conversationId: string): Message {
  const { id, body: message, sentAt: timestamp, senderId, receiverId } = entry
  return { id, message, timestamp, senderId, receiverId, status: 'sent', seq, revision, conversationId }
}

const isPlain = (entry: Entry, kept: Appended) =>
  !kept.duplicate && entry.replyTo === undefined && entry.attachmentId === undefined

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '')
/** What a batch may have failed of because of one of its messages: what it holds, or whom it waited for in a circle. */
const mayBeOne = (error: unknown) => /^(22|23|40)/.test(codeOf(error))
/** Lost connections, and a database that is too busy. */
const passing = /^(08|40|53|55P03|57)|^E[A-Z]+$/

/** A fault that passes is answered with `retry`: the same id again is safe. */
function toRefusal(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return passing.test(codeOf(error)) || /timeout|terminated|connection/i.test(error.message) ? overloaded() : error
}

/** Sends messages in batches: one statement, then everybody is told, in the order they came. */
export function createSending(platform: Platform, onOpened: OnOpened, hooks: Hooks = {}): Sending {
  const { realtime, limits, clock, config, log } = platform
  const { gate } = hooks
  const absence = createAbsence(platform)
  const held = new WeakSet<Message>()

  function publish(entry: Entry, kept: Appended, own: Message, theirs: Message | undefined): Message {
    if (theirs) realtime.publish([entry.receiverId], 'private message', theirs)
    else held.add(own)
    realtime.publish([entry.senderId], 'private message', own, entry.connection)
    if (theirs && !kept.duplicate && !realtime.isConnected(entry.receiverId)) absence.tell({ ...entry, seq: kept.seq })
    return own
  }

  const publishPlain = (entry: Entry, kept: Appended) =>
    publish(
      entry,
      kept,
      plainView(entry, kept, entry.receiverId),
      kept.holding === 'held' ? undefined : plainView(entry, kept, entry.senderId),
    )

  /** What has more to it than its text, or was sent before: both look at it as it is now. */
  async function publishWhole(entry: Entry, kept: Appended): Promise<Message> {
    const { senderId, receiverId } = entry
    const [own, theirs] = await Promise.all([
      getMessage(platform, senderId, receiverId, kept.seq),
      kept.holding === 'held' ? undefined : getMessage(platform, receiverId, senderId, kept.seq),
    ])
    return publish(entry, kept, own, theirs)
  }

  async function appear({ senderId, receiverId }: Entry, { holding, seq }: Appended): Promise<void> {
    if (holding === 'held') hooks.onHeld?.(senderId, receiverId, false)
    if (holding === 'released') hooks.onReleased?.(senderId, receiverId)
    if (holding === null) {
      onOpened(senderId, receiverId)
      onOpened(receiverId, senderId)
    }
    const tell = (userId: string, peerId: string) =>
      publishBefore(platform, userId, peerId, seq).catch((err) => log.warn({ err }, 'a conversation was not told of'))
    if (holding !== 'held') await tell(receiverId, senderId)
    await tell(senderId, receiverId)
  }

  async function tell(entry: Entry, kept: Appended): Promise<Message | Error> {
    if (kept.refusal) return refused(kept.refusal)
    if (kept.appeared) await appear(entry, kept)
    if (isPlain(entry, kept)) return publishPlain(entry, kept)
    // It is kept: sending it again tells how it looks.
    return publishWhole(entry, kept).catch(toRefusal)
  }

  async function flush(entries: Entry[]): Promise<(Message | Error)[]> {
    const needsMatch = config.chatPolicy === 'matches'
    const all = await appendMessages(platform.pool, entries, { needsMatch, now: clock.now() })
    const answers: (Message | Error)[] = []
    for (const [place, entry] of entries.entries()) {
      const kept = all[place] as Appended
      const isReady = kept.refusal === null && !kept.appeared && isPlain(entry, kept)
      answers.push(isReady ? publishPlain(entry, kept) : await tell(entry, kept))
    }
    return answers
  }

  const lanes = createLanes({ flush, mayBeOne, most: 200 })

  return {
    async sendMessage(senderId, outgoing, connection) {
      const { id, message: body, timestamp, receiverId, replyTo, attachmentId } = outgoing
      await limits.spendHere(sends, senderId)
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
    isHeld: (message) => held.has(message),
    async drain() {
      await lanes.drain()
      await absence.drain()
    },
  }
}
