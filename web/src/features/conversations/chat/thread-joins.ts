import { ascending } from '@duet/contract/order.ts'
import { isSameMessage, keyOf, type Message, revisionOf, upsertMessages } from './messages.ts'
import { type Conversation, laterMessage, reachedOf, show, type Thread, threadOf } from './thread.ts'

/** What came in order of revision counts as complete; what came ahead waits for what lacks. */
function advance(complete: number, ahead: readonly number[]): Pick<Thread, 'complete' | 'ahead'> {
  const waiting = new Set(ahead)
  let reached = complete
  while (waiting.has(reached + 1)) reached += 1
  return { complete: reached, ahead: [...waiting].filter((revision) => revision > reached) }
}

function withMessages(thread: Thread, messages: readonly Message[]): Thread {
  const arrived = new Set(messages.map(keyOf))
  const isHere = (message: Message) => arrived.has(keyOf(message))
  const own = thread.own.some(isHere) ? thread.own.filter((message) => !isHere(message)) : thread.own
  const known = upsertMessages(thread.known, messages)
  const fresh = messages.reduce((first, { seq = 0 }) => Math.min(first, seq), thread.fresh)
  const late = thread.strays.filter(isHere)
  if (late.length === 0) return { ...thread, own, known, fresh }
  const strays = thread.strays.filter((message) => !isHere(message))
  return { ...thread, own, known: upsertMessages(known, late), strays, fresh }
}

// How many revisions are remembered of a thread before its first page comes.
const aheadOfPage = 50

/** One thing happened to a message: it is new, or in a new state. */
export function joinEvent(conversation: Conversation, thread: Thread, message: Message): Conversation {
  const { complete, ahead } = thread
  const revision = revisionOf(message)
  const next = withMessages(thread, [message])
  const told = thread.told && isSameMessage(thread.told, message) ? laterMessage(thread.told, message) : thread.told
  const came = [...new Set([...ahead, revision])].sort(ascending)
  const progress = complete === undefined ? { ahead: came.slice(-aheadOfPage) } : advance(complete, came)
  const latest = Math.max(conversation.revision ?? 0, revision)
  return show({ ...conversation, revision: latest }, { ...next, told, ...progress })
}

export interface MessagePage {
  messages: readonly Message[]
  /** The revision that the conversation had when the page was asked for. */
  asOf: number | undefined
  /** Whether it ends with the newest message there was. */
  isNewest?: boolean
}

const newestIn = (messages: readonly Message[], of: (message: Message) => number) =>
  messages.reduce((newest, message) => Math.max(newest, of(message)), 0)
const seqOf = ({ seq = 0 }: Message) => seq

/** A page of messages was read. */
export function joinPage(thread: Thread, { messages, asOf = 0, isNewest = false }: MessagePage): Thread {
  const keys = new Set(thread.known.map(keyOf))
  const since = Math.max(asOf, newestIn(messages, revisionOf))
  // Messages that are new here know nothing of what happened after they were read.
  const isNew = thread.complete === undefined || messages.some((message) => !keys.has(keyOf(message)))
  const complete = isNew ? Math.min(thread.complete ?? since, since) : (thread.complete ?? since)
  const tail = isNewest ? Math.max(thread.tail ?? 0, newestIn(messages, seqOf)) : thread.tail
  return { ...withMessages(thread, messages), tail, ...advance(complete, thread.ahead) }
}

/** Begins anew with the newest page, where too much was missed to read it all. */
export function restart(thread: Thread, page: MessagePage): Thread {
  const newest = newestIn(page.messages, seqOf)
  const known = thread.known.filter((message) => seqOf(message) > newest)
  return joinPage({ ...thread, known, tail: undefined, focus: undefined, complete: undefined }, page)
}

/** Everything up to `revision` was read. */
export const completeTo = (thread: Thread, revision: number): Thread => ({
  ...thread,
  ...advance(Math.max(thread.complete ?? 0, revision), thread.ahead),
})

/** Up to where a thread that was read has everything, when it lacks something; undefined otherwise. */
export function lacking(conversation: Conversation): { after: number; since: number } | undefined {
  const thread = threadOf(conversation)
  if (thread.complete === undefined || thread.tail === undefined) return undefined
  const after = reachedOf(thread)
  const lacks = after < conversation.lastSeq || thread.complete < conversation.revision
  return lacks ? { after, since: thread.complete } : undefined
}
