import type { Message } from '../chat/conversation-list.ts'
import { keyOf } from '../chat/messages.ts'

/** The items of a thread from top to bottom. `first` and `last` mark the ends of a group of messages by one person. */
export type ThreadItem =
  | { kind: 'day'; key: string; timestamp: string }
  | { kind: 'new'; key: string }
  | { kind: 'message'; key: string; message: Message; mine: boolean; first: boolean; last: boolean }

const groupSpan = 5 * 60_000
const dayOf = ({ timestamp }: Message) => new Date(timestamp).setHours(0, 0, 0, 0)

function together(one: Message | undefined, other: Message | undefined): boolean {
  if (!one || !other || one.senderId !== other.senderId || dayOf(one) !== dayOf(other)) return false
  return one.delivery === other.delivery && Date.parse(other.timestamp) - Date.parse(one.timestamp) <= groupSpan
}

/**
 * Timestamps come from the senders' clocks, so near midnight a message may have an earlier date than the one above it.
 * Each day still gets only one separator.
 */
export function threadItems(messages: readonly Message[], viewerId: string, newFromSeq?: number): ThreadItem[] {
  let latest = Number.NEGATIVE_INFINITY
  return messages.flatMap((message, index) => {
    const before = messages[index - 1]
    const after = messages[index + 1]
    const isNew = newFromSeq !== undefined && message.seq === newFromSeq
    const endsBeforeNew = newFromSeq !== undefined && after?.seq === newFromSeq
    const items: ThreadItem[] = []
    const begins = dayOf(message) > latest
    latest = Math.max(latest, dayOf(message))
    if (begins) items.push({ kind: 'day', key: `day ${latest}`, timestamp: message.timestamp })
    if (isNew) items.push({ kind: 'new', key: 'new' })
    const first = isNew || !together(before, message)
    const last = endsBeforeNew || !together(message, after)
    items.push({ kind: 'message', key: keyOf(message), message, mine: message.senderId === viewerId, first, last })
    return items
  })
}
