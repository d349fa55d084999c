import type { Quote, Message as WireMessage } from '@duet/contract/conversations.ts'
import { cutText } from '@duet/contract/cut-text.ts'
import { by } from '@duet/contract/order.ts'

/**
 * A message as this device knows it. One of our own that the server hasn't accepted yet has no `seq`; only such
 * messages have the fields from `delivery` on.
 */
export type Message = Omit<WireMessage, 'seq' | 'revision'> & {
  seq?: number
  revision?: number
  delivery?: 'pending' | 'failed'
  /** Why the server refused it. On a pending message: the error it keeps answering. */
  refusal?: string
  /** When it can be sent again, if that is more than a minute away. */
  retryAt?: string
  /** The newest seq known when it was written. */
  after?: number
  attachmentId?: string
}

/** Identifies a message. Ids are only unique per sender, so two people may use the same one. */
export const keyOf = ({ senderId, id }: Pick<Message, 'senderId' | 'id'>): string => `${senderId} ${id}`

export const isSameMessage = (one: Message, other: Message): boolean =>
  one.id === other.id && one.senderId === other.senderId

const unsentFirst = Number.POSITIVE_INFINITY
const position = ({ seq }: Message) => seq ?? unsentFirst
/** Revisions start at the seq, so a message that never changed has at least its seq. */
export const revisionOf = ({ revision, seq }: Message) => revision ?? seq ?? 0

/** Sorts by seq. Messages without one come last, by id, which is the order they were written in. */
export const bySeq = by<Message>(position, ({ id }) => id)

const ranks = { sent: 0, delivered: 1, read: 2 }
const further = (one: Message['status'], other: Message['status']) => (ranks[one] >= ranks[other] ? one : other)

/** Merges two copies of a message: the higher revision wins, and a read message stays read. */
export function joinStates(known: Message, arrived: Message): Message {
  if (known.seq !== undefined && arrived.seq === undefined) return known
  const fresh = known.seq === undefined || revisionOf(arrived) >= revisionOf(known)
  const status = further(known.status, arrived.status)
  // At equal revisions the later copy wins, because attachment URLs expire.
  const holds = fresh ? arrived : known
  return holds.status === status ? holds : { ...holds, status }
}

export function upsertMessages(known: readonly Message[], arrived: readonly Message[]): Message[] {
  const last = known.at(-1)
  const next = arrived[0]
  // The common case: a single message that is newer than all others.
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

/** The index of the message with `seq` in a sorted list, or the index it would get. */
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

/** Returns the messages around `seq` up to the nearest gaps. Without `seq`, starts from the newest message. */
export function runAround(known: readonly Message[], seq: number | undefined): readonly Message[] {
  const place = seq === undefined ? known.length - 1 : placeOf(known, seq)
  const anchor = known[place]?.seq
  if (anchor === undefined || (seq !== undefined && anchor !== seq)) return []
  // Seqs only grow, so a message is in the same run as the anchor exactly if its distance in seq equals that in index.
  // That makes the search logarithmic.
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
