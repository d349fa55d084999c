import type { Conversation as WireConversation } from '@duet/contract/conversations.ts'
import { isSameMessage, joinStates, keyOf, type Message, messageAt, placeOf, quoteOf, runAround } from './messages.ts'

/** The unread count when the newest message was `lastSeq` and we had read up to `myReadSeq`. */
interface Count {
  lastSeq: number
  myReadSeq: number
  unreadCount: number
}

export interface Trial {
  key: string
  change: Partial<Message>
}

export type Flags = Pick<WireConversation, 'muted' | 'archived' | 'isRequest'>

/** The internal state of a conversation. `show` derives the visible fields from it. */
export interface Thread {
  /** Sorted by seq, possibly with gaps. */
  known: readonly Message[]
  /** Our messages that the server hasn't accepted, including those it refused. */
  own: readonly Message[]
  count: Count
  /** The last message according to the conversation's list row. */
  told: Message | null
  /** The newest seq of the page that is shown. Undefined before the first page. */
  tail: number | undefined
  /** The seq that the viewer jumped to. While set, the messages around it are shown instead of the newest ones. */
  focus: number | undefined
  /** All changes up to this revision have arrived. Undefined before the first page. */
  complete: number | undefined
  /** Revisions that arrived while an earlier one was still missing. */
  ahead: readonly number[]
  trials: readonly Trial[]
  flags: Flags
  /** Optimistic changes to `flags`, each removed when the server responds. */
  wanted: readonly Partial<Flags>[]
  /** Changes to messages that aren't loaded yet, applied when they load. */
  strays: readonly Message[]
  selected: boolean
  /**
   * Sort rank of the conversation; higher comes first. It counts arrivals on this device until a row brings the
   * server's timestamp.
   */
  place: number
  /** When the server says the conversation was last active, in ms since 1970. */
  toldAt: number
  /** The lowest seq added or changed since the last `show`; infinite if there is none. */
  fresh: number
  marks: Pick<WireConversation, 'readSeq' | 'deliveredSeq'>
}

/** A conversation as shown. `id` is the other person's id. `messages` has no gaps and ends with our unsent messages. */
export type Conversation = Omit<WireConversation, 'messages' | 'lastMessage'> & {
  messages?: Message[] | undefined
  lastMessage: Message | null
  thread?: Thread
}

// After an empty page `tail` is 0, which isn't a seq, so use the first seq.
const anchorOf = ({ focus, tail }: Thread) => focus ?? (tail === 0 ? 1 : tail)

/** The newest seq that connects to the last loaded page without a gap. */
export const reachedOf = (thread: Thread) =>
  runAround(thread.known, anchorOf({ ...thread, focus: undefined })).at(-1)?.seq ?? 0

const newestOf = (messages: readonly Message[] = []) => messages.findLast(({ seq }) => seq !== undefined)?.seq ?? 0

export function threadOf(conversation: Conversation): Thread {
  if (conversation.thread) return conversation.thread
  const { messages = [], lastMessage, lastSeq = 0, myReadSeq = 0, unreadCount } = conversation
  const { muted, archived, isRequest } = conversation
  const toldAt = conversation.lastAt ? Date.parse(conversation.lastAt) : 0
  const newest = Math.max(lastSeq, lastMessage?.seq ?? 0, newestOf(messages))
  return {
    known: messages.filter(({ seq }) => seq !== undefined),
    own: messages.filter(({ seq }) => seq === undefined),
    count: { lastSeq: newest, myReadSeq, unreadCount },
    told: lastMessage?.seq === undefined ? null : lastMessage,
    tail: undefined,
    focus: undefined,
    complete: undefined,
    ahead: [],
    trials: [],
    flags: { muted, archived, isRequest },
    wanted: [],
    strays: [],
    selected: false,
    place: toldAt,
    toldAt,
    fresh: 0,
    marks: { readSeq: 0, deliveredSeq: 0 },
  }
}

/** Both fields only grow, so higher values are later. */
export function laterCount(one: Count, other: Count): Count {
  if (one.lastSeq !== other.lastSeq) return one.lastSeq > other.lastSeq ? one : other
  return one.myReadSeq > other.myReadSeq ? one : other
}

export function laterMessage(one: Message | null, other: Message | null): Message | null {
  if (!one || !other) return one ?? other
  if (isSameMessage(one, other)) return joinStates(one, other)
  return (one.seq ?? 0) > (other.seq ?? 0) ? one : other
}

function countTheirs({ known }: Thread, id: string, after: number, upTo = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (let index = placeOf(known, after + 1); index < known.length; index += 1) {
    const message = known[index]!
    if ((message.seq ?? 0) > upTo) break
    if (message.senderId === id && !message.deletedAt) count += 1
  }
  return count
}

const covers = ({ known }: Thread, after: number, upTo: number) =>
  placeOf(known, upTo + 1) - placeOf(known, after + 1) === upTo - after

/** Counts the other person's undeleted messages after the last one we have read on any device. */
export function unreadIn(thread: Thread, id: string, readSeq: number): number {
  const { lastSeq, myReadSeq, unreadCount } = thread.count
  const since = countTheirs(thread, id, Math.max(lastSeq, readSeq))
  if (readSeq >= lastSeq) return since
  const isCovered = covers(thread, readSeq, lastSeq)
  if (readSeq <= myReadSeq) {
    // Either the row or the messages may learn of a deletion first, so use the lower count.
    const told = isCovered ? Math.min(unreadCount, countTheirs(thread, id, readSeq, lastSeq)) : unreadCount
    return told + since
  }
  if (isCovered) return countTheirs(thread, id, readSeq)
  // Another device has read some messages that aren't in memory, so this is an upper bound until the server recounts.
  return Math.min(unreadCount - countTheirs(thread, id, myReadSeq, readSeq), lastSeq - readSeq) + since
}

/** Unlike `unreadCount`, includes the open conversation. */
export const unreadOf = (conversation: Conversation) =>
  unreadIn(threadOf(conversation), conversation.id, conversation.myReadSeq ?? 0)

export const newestTaken = ({ told, known }: Pick<Thread, 'told' | 'known'>): Message | null =>
  laterMessage(told, known.at(-1) ?? null)

/** Our latest pending message, or else the latest refused one if no message has arrived since. */
function newestOwn({ own }: Thread, taken: Message | null): Message | undefined {
  const waiting = own.findLast(({ delivery }) => delivery !== 'failed')
  return waiting ?? own.findLast(({ after = 0 }) => after >= (taken?.seq ?? 0))
}

type Marks = Pick<Conversation, 'id' | 'readSeq' | 'deliveredSeq'>

function statusOf(message: Message, { id, readSeq, deliveredSeq = 0 }: Marks): Message['status'] {
  if (message.senderId === id || message.seq === undefined) return message.status
  if (message.seq <= readSeq) return 'read'
  return message.seq <= deliveredSeq && message.status === 'sent' ? 'delivered' : message.status
}

function quoteNow(message: Message, known: readonly Message[]): Message['replyTo'] {
  const { replyTo } = message
  const answered = replyTo && messageAt(known, replyTo.seq)
  if (!answered) return replyTo
  const quote = quoteOf(answered)
  return quote.message === replyTo.message && quote.kind === replyTo.kind ? replyTo : quote
}

/** Unchanged messages keep their identity. */
function settled(known: readonly Message[], marks: Marks, from: number): readonly Message[] {
  let changed: Message[] | undefined
  for (let index = from; index < known.length; index += 1) {
    const message = known[index]!
    const status = statusOf(message, marks)
    const replyTo = quoteNow(message, known)
    if (status === message.status && replyTo === message.replyTo) continue
    changed ??= [...known]
    changed[index] = { ...message, status, ...(replyTo && { replyTo }) }
  }
  return changed ?? known
}

// Messages only quote earlier ones, so nothing changes before the first new message or moved receipt.
function unsettledFrom({ known, fresh, marks }: Thread, { readSeq, deliveredSeq }: Marks): number {
  const moved = [
    ...(readSeq === marks.readSeq ? [] : [marks.readSeq + 1]),
    ...(deliveredSeq === marks.deliveredSeq ? [] : [marks.deliveredSeq + 1]),
  ]
  return placeOf(known, Math.min(fresh, ...moved))
}

function withTrials(messages: readonly Message[], trials: readonly Trial[]): readonly Message[] {
  if (trials.length === 0) return messages
  return messages.map((message) => {
    const trial = trials.findLast(({ key }) => key === keyOf(message))
    return trial ? { ...message, ...trial.change } : message
  })
}

export function show(conversation: Conversation, facts: Thread): Conversation {
  const { readSeq = 0, deliveredSeq = 0, myReadSeq = 0, revision = 0, id } = conversation
  const marks = { id, readSeq, deliveredSeq }
  const known = settled(facts.known, marks, unsettledFrom(facts, marks))
  const isRequest = facts.flags.isRequest && !known.some(({ senderId }) => senderId !== id)
  const flags = { ...facts.flags, isRequest }
  const thread: Thread = { ...facts, known, flags, fresh: Number.POSITIVE_INFINITY, marks }
  const { own, tail, count, trials } = thread
  const loaded = known.length + own.length > 0 || tail !== undefined
  const run = withTrials(runAround(known, anchorOf(thread)), trials)
  const taken = newestTaken(thread)
  const newest = newestOwn(thread, taken) ?? taken
  const last = newest && settled([newest], marks, 0)
  return {
    ...conversation,
    thread,
    ...(loaded && { messages: own.length > 0 ? [...run, ...own] : (run as Message[]) }),
    lastMessage: (last && withTrials(last, trials)[0]) ?? null,
    unreadCount: thread.selected ? 0 : unreadIn(thread, id, myReadSeq),
    ...Object.assign({}, flags, ...thread.wanted),
    readSeq,
    deliveredSeq,
    myReadSeq,
    lastSeq: Math.max(count.lastSeq, newestOf(known)),
    revision: Math.max(revision, thread.complete ?? 0, ...thread.ahead),
  }
}
