import type { Message } from '@duet/contract/conversations.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/realtime/realtime.ts'
import { createAbsence } from './absent.ts'
import { publishBefore } from './appearing.ts'
import { toRefusal } from './faults.ts'
import type { HoldingHooks, OnOpened } from './hooks.ts'
import type { Appended, NewMessage } from './messages.queries.ts'
import { getMessage } from './messages.ts'
import { refused } from './refusals.ts'

export interface Entry extends NewMessage {
  connection: Connection | undefined
}

interface Hooks extends Partial<HoldingHooks> {
  onOpened: OnOpened
}

/** A new plain text message as both people see it. Needs no query. */
function plainView(entry: Entry, { seq, revision }: Appended, conversationId: string): Message {
  const { id, body: message, sentAt: timestamp, senderId, receiverId } = entry
  return { id, message, timestamp, senderId, receiverId, status: 'sent', seq, revision, conversationId }
}

const isPlain = (entry: Entry, kept: Appended) =>
  !kept.duplicate && entry.replyTo === undefined && entry.attachmentId === undefined

/**
 * Publishes a conversation that a message adds to a list: to both people, or only to the sender if the message is held.
 */
async function publishConversation(
  platform: Platform,
  hooks: Hooks,
  entry: Entry,
  { holding, seq }: Appended,
): Promise<void> {
  const { senderId, receiverId } = entry
  if (holding === 'held') hooks.onHeld?.(senderId, receiverId)
  // biome-ignore lint/plugin/void: presence retries a failed read until it succeeds.
  if (holding === 'released') void hooks.onSettled?.(senderId)
  if (holding === null) {
    hooks.onOpened(senderId, receiverId)
    hooks.onOpened(receiverId, senderId)
  }
  const publishTo = (userId: string, peerId: string) =>
    publishBefore(platform, userId, peerId, seq).catch((err) =>
      platform.log.warn({ err }, 'a conversation could not be published'),
    )
  if (holding !== 'held') await publishTo(receiverId, senderId)
  await publishTo(senderId, receiverId)
}

/** Publishes stored messages to the sender's other devices and, unless they are held, to the receiver. */
export function createPublishing(platform: Platform, hooks: Hooks) {
  const { realtime } = platform
  const absence = createAbsence(platform)
  const held = new WeakSet<Message>()

  function publish(entry: Entry, kept: Appended, own: Message, theirs: Message | undefined): Message {
    if (theirs) realtime.publish([entry.receiverId], 'private message', theirs)
    else held.add(own)
    realtime.publish([entry.senderId], 'private message', own, entry.connection)
    if (theirs && !realtime.isLooking(entry.receiverId))
      absence.tell({ ...entry, seq: kept.seq, repeated: kept.duplicate })
    return own
  }
  const publishPlain = (entry: Entry, kept: Appended) =>
    publish(
      entry,
      kept,
      plainView(entry, kept, entry.receiverId),
      kept.holding === 'held' ? undefined : plainView(entry, kept, entry.senderId),
    )
  /** Publishes the current state of a message that was repeated or contains more than plain text. */
  async function publishWhole(entry: Entry, kept: Appended): Promise<Message> {
    const { senderId, receiverId } = entry
    const [own, theirs] = await Promise.all([
      getMessage(platform, senderId, receiverId, kept.seq),
      kept.holding === 'held' ? undefined : getMessage(platform, receiverId, senderId, kept.seq),
    ])
    return publish(entry, kept, own, theirs)
  }

  return {
    isReady: (entry: Entry, kept: Appended) => kept.refusal === null && !kept.appeared && isPlain(entry, kept),
    publishPlain,
    async publishAny(entry: Entry, kept: Appended): Promise<Message | Error> {
      if (kept.refusal) return refused(kept.refusal)
      if (kept.appeared) await publishConversation(platform, hooks, entry, kept)
      if (isPlain(entry, kept)) return publishPlain(entry, kept)
      // The message is stored, so the client can safely send it again and gets its current state.
      return publishWhole(entry, kept).catch(toRefusal)
    },
    isHeld: (message: Message) => held.has(message),
    drain: absence.drain,
  }
}
