import type { Quote, Message as WireMessage } from '@duet/contract/conversations.ts'
import { cutText } from '@duet/contract/cut-text.ts'
import { by } from '@duet/contract/order.ts'

/**
 * A message as this device knows it: one of our own that the server has not taken yet has no `seq`. All that follows
 * `delivery` is of such a one alone.
 */
export type Message = Omit<WireMessage, 'seq' | 'revision'> & {
  seq?: number
  revision?: number
  delivery?: 'pending' | 'failed'
  /** Why the server did not take it; of a pending one, what it answers again and again. */
  refusal?: string
  /** When it may be sent again, where that is long. */
  retryAt?: string
  /** The newest seq that was known when it was written. */
  after?: number
  attachmentId?: string
}

/** What tells one message from all others: an id is its sender's own, and two people may come to the same one. */
export const keyOf = ({ senderId, id }: Pick<Message, 'senderId' | 'id'>): string => `${senderId} ${id}`

/** Whether two states are of one message. */
export const isSameMessage = (one: Message, other: Message): boolean =>
  one.id === other.id && one.senderId === other.senderId

const unsentFirst = Number.POSITIVE_INFINITY
const position = ({ seq }: Message) => seq ?? unsentFirst
/** Revisions count on from seq, so that a message that never changed has at least its seq. */
export const revisionOf = ({ revision, seq }: Message) => revision ?? seq ?? 0

/** By seq; those that the server has not taken stand last, in the order of their ids, which are made from the time. */
export const bySeq = by<Message>(position, ({ id }) => id)

const ranks = { sent: 0, delivered: 1, read: 2 }
const further = (one: Message['status'], other: Message['status']) => (ranks[one] >= ranks[other] ? one : other)

/** Of two states of one message the one with the higher revision holds; what was read stays read. */
export function joinStates(known: Message, arrived: Message): Message {
  if (known.seq !== undefined && arrived.seq === undefined) return known
  const fresh = known.seq === undefined || revisionOf(arrived) >= revisionOf(known)
  const status = further(known.status, arrived.status)
  // Of equal revisions the later copy is taken: the addresses of what is attached expire.
  const holds = fresh ? arrived : known
  return holds.status === status ? holds : { ...holds, status }
}

/** Puts messages where their seq says, each once. */
export function upsertMessages(known: readonly Message[], arrived: readonly Message[]): Message[] {
  const last = known.at(-1)
  const next = arrived[0]
  // The common case: one that is newer than all.
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

/** Where the message with `seq` stands in a list by seq, or where it would. */
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

/** The message with `seq`, if it is known. */
export function messageAt(known: readonly Message[], seq: number): Message | undefined {
  const message = known[placeOf(known, seq)]
  return message?.seq === seq ? message : undefined
}

/** Those around the one with `seq` that follow each other without a hole. Without it, the newest ones. */
export function runAround(known: readonly Message[], seq: number | undefined): readonly Message[] {
  const place = seq === undefined ? known.length - 1 : placeOf(known, seq)
  const anchor = known[place]?.seq
  if (anchor === undefined || (seq !== undefined && anchor !== seq)) return []
  // Seqs only grow: what follows without a hole keeps its distance to the anchor, and whatever lies beyond does not.
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

/** The beginning of a message, as one that answers it shows it. */
export function quoteOf({ seq = 0, senderId, message, attachment, deletedAt }: Message): Quote {
  const kind = deletedAt ? 'deleted' : (attachment?.kind ?? 'text')
  return { seq, senderId, message: deletedAt ? '' : cutText(message, quoted), kind }
}
