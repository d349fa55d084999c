import { ascending } from '@duet/contract/order.ts'
import { isSameMessage, keyOf, type Message, revisionOf, upsertMessages } from './messages.ts'
import { type Conversation, laterMessage, reachedOf, show, type Thread, threadOf } from './thread.ts'

/** Revisions after a gap stay in `ahead`. */
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

// The most revisions to remember for a thread whose first page hasn't arrived.
const aheadOfPage = 50

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
  asOf: number | undefined
  isNewest?: boolean
}

const newestIn = (messages: readonly Message[], of: (message: Message) => number) =>
  messages.reduce((newest, message) => Math.max(newest, of(message)), 0)
const seqOf = ({ seq = 0 }: Message) => seq

export function joinPage(thread: Thread, { messages, asOf = 0, isNewest = false }: MessagePage): Thread {
  const keys = new Set(thread.known.map(keyOf))
  const since = Math.max(asOf, newestIn(messages, revisionOf))
  // Messages that this device didn't have may have changed since the server read the page.
  const isNew = thread.complete === undefined || messages.some((message) => !keys.has(keyOf(message)))
  const complete = isNew ? Math.min(thread.complete ?? since, since) : (thread.complete ?? since)
  const tail = isNewest ? Math.max(thread.tail ?? 0, newestIn(messages, seqOf)) : thread.tail
  return { ...withMessages(thread, messages), tail, ...advance(complete, thread.ahead) }
}

export function restart(thread: Thread, page: MessagePage): Thread {
  const newest = newestIn(page.messages, seqOf)
  const known = thread.known.filter((message) => seqOf(message) > newest)
  return joinPage({ ...thread, known, tail: undefined, focus: undefined, complete: undefined }, page)
}

export const completeTo = (thread: Thread, revision: number): Thread => ({
  ...thread,
  ...advance(Math.max(thread.complete ?? 0, revision), thread.ahead),
})

/** The seq and revision from which to fetch what a loaded thread is missing; undefined if nothing is missing. */
export function lacking(conversation: Conversation): { after: number; since: number } | undefined {
  const thread = threadOf(conversation)
  if (thread.complete === undefined || thread.tail === undefined) return undefined
  const after = reachedOf(thread)
  const lacks = after < conversation.lastSeq || thread.complete < conversation.revision
  return lacks ? { after, since: thread.complete } : undefined
}
