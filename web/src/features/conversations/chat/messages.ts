import type { Quote, Message as WireMessage } from '@duet/contract/conversations.ts'
import { cutText } from '@duet/contract/cut-text.ts'
import { by } from '@duet/contract/order.ts'

/**
 * A message on this device. Our own messages have no `seq` until the server accepts them, and only those have the
 * fields from `delivery` on.
 */
export type Message = Omit<WireMessage, 'seq' | 'revision'> & {
  seq?: number
  revision?: number
  delivery?: 'pending' | 'failed'
  /** While the message is pending, this is the error of the latest attempts. */
  refusal?: string
  /** When the message can be sent again, if that is more than a minute away. */
  retryAt?: string
  /** The newest known seq when the message was written. */
  after?: number
  attachmentId?: string
}

/** A unique key. Message ids alone are unique only per sender. */
export const keyOf = ({ senderId, id }: Pick<Message, 'senderId' | 'id'>): string => `${senderId} ${id}`

export const isSameMessage = (one: Message, other: Message): boolean =>
  one.id === other.id && one.senderId === other.senderId

const unsentFirst = Number.POSITIVE_INFINITY
const position = ({ seq }: Message) => seq ?? unsentFirst
/** Revisions start at the seq, so an unchanged message has its seq as its revision. */
export const revisionOf = ({ revision, seq }: Message) => revision ?? seq ?? 0

/** Sorts by seq. Messages without a seq come last, by id, which is the order of writing. */
export const bySeq = by<Message>(position, ({ id }) => id)

const ranks = { sent: 0, delivered: 1, read: 2 }
const further = (one: Message['status'], other: Message['status']) => (ranks[one] >= ranks[other] ? one : other)

/** Merges two copies of a message. The higher revision wins, and a message marked as read stays read. */
export function joinStates(known: Message, arrived: Message): Message {
  if (known.seq !== undefined && arrived.seq === undefined) return known
  const fresh = known.seq === undefined || revisionOf(arrived) >= revisionOf(known)
  const status = further(known.status, arrived.status)
  // If the revisions are equal, prefer the copy that arrived later, because attachment URLs expire.
  const holds = fresh ? arrived : known
  return holds.status === status ? holds : { ...holds, status }
}

export function upsertMessages(known: readonly Message[], arrived: readonly Message[]): Message[] {
  const last = known.at(-1)
  const next = arrived[0]
  // Fast path for the common case of a single message newer than all others.
  if (arrived.length === 1 && next?.seq !== undefined && last?.seq !== undefined && next.seq > last.seq)
    return [...known, next]
  const byKey = new Map(known.map((message) => [keyOf(message), message]))
  for (const message of arrived) {
    const key = keyOf(message)
    const before = byKey.get(key)
    byKey.set(key, before ? joinStates(before, message) : message)
  }
  return [...byKey.values()].sort(bySeq)
}

/** The index of the message with `seq` in a sorted list, or the index at which to insert it. */
export function placeOf(known: readonly Message[], seq: number): number {
  let low = 0
  let high = known.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (position(known[middle]!) < seq) low = middle + 1
    else high = middle
  }
  return low
}

export function messageAt(known: readonly Message[], seq: number): Message | undefined {
  const message = known[placeOf(known, seq)]
  return message?.seq === seq ? message : undefined
}

/** Returns the messages without gaps around `seq`, or before the newest message if `seq` is undefined. */
export function runAround(known: readonly Message[], seq: number | undefined): readonly Message[] {
  const place = seq === undefined ? known.length - 1 : placeOf(known, seq)
  const anchor = known[place]?.seq
  if (anchor === undefined || (seq !== undefined && anchor !== seq)) return []
  // Seqs are strictly increasing, so there is no gap between two messages if their seqs are as far apart as their
  // indexes. This allows a binary search.
  const follows = (index: number) => known[index]?.seq === anchor + index - place
  let start = place
  for (let step = place + 1; step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2))
    while (start - step >= 0 && follows(start - step)) start -= step
  let end = place
  for (let step = known.length; step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2))
    while (end + step < known.length && follows(end + step)) end += step
  return start === 0 && end === known.length - 1 ? known : known.slice(start, end + 1)
}

const quoted = 140

export function quoteOf({ seq = 0, senderId, message, attachment, deletedAt }: Message): Quote {
  const kind = deletedAt ? 'deleted' : (attachment?.kind ?? 'text')
  return { seq, senderId, message: deletedAt ? '' : cutText(message, quoted), kind }
}
