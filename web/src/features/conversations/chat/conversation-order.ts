import { by, descending } from '@duet/contract/order.ts'
import type { Message } from './messages.ts'
import { type Conversation, newestTaken, type Thread, threadOf } from './thread.ts'

type Conversations = readonly Conversation[]

const placeOf = (conversation: Conversation) => threadOf(conversation).place
const takenSeq = (conversation: Conversation) => newestTaken(threadOf(conversation))?.seq ?? 0
const isWaiting = (message: Message | null) => message?.delivery === 'pending'

const byNewest = descending(by(placeOf))

/** Sorts by newest message. Conversations without a message keep their index. */
export function conversationsNewestFirst(list: Conversations): Conversation[] {
  const sorted = list.filter(({ lastMessage }) => lastMessage).sort(byNewest)
  let next = 0
  return list.map((conversation) => (conversation.lastMessage ? sorted[next++]! : conversation))
}

const withPlace = (conversation: Conversation, place: number): Conversation => {
  const thread = threadOf(conversation)
  return thread.place === place ? conversation : { ...conversation, thread: { ...thread, place } }
}

export function rise(list: Conversations, before: Conversation, after: Conversation): Conversation {
  const waits = isWaiting(after.lastMessage)
  const isNew = waits && !(isWaiting(before.lastMessage) && before.lastMessage?.id === after.lastMessage?.id)
  if (!isNew && takenSeq(after) <= takenSeq(before)) return after
  const others = list.filter((one) => one !== before)
  const top = others.reduce((highest, one) => Math.max(highest, placeOf(one)), 0)
  return withPlace(after, Math.max(placeOf(after), top + 1))
}

/**
 * Returns a conversation's sort rank after its row arrived. A row whose last message is already known doesn't change
 * the rank yet.
 */
export function placeIn(known: Conversation, told: Thread): Pick<Thread, 'place' | 'toldAt'> {
  const { place, toldAt } = threadOf(known)
  const isNewer = (told.told?.seq ?? 0) > takenSeq(known)
  return {
    place: isNewer ? Math.max(told.place, isWaiting(known.lastMessage) ? place : 0) : place,
    toldAt: Math.max(told.toldAt, toldAt),
  }
}

/**
 * Call when the rows of all changed conversations have arrived; then the server's order applies. Conversations with
 * newer or unsent messages stay at the top, in their current order.
 */
export function inServersOrder(list: Conversations): Conversation[] {
  const isTold = (conversation: Conversation) =>
    !isWaiting(conversation.lastMessage) && (threadOf(conversation).told?.seq ?? 0) === takenSeq(conversation)
  const told = list.filter(isTold)
  const top = told.reduce((highest, one) => Math.max(highest, threadOf(one).toldAt), 0)
  const since = list.filter((one) => !isTold(one)).sort(byNewest)
  const placed = new Map(since.map(({ id }, index) => [id, top + since.length - index]))
  return list.map((one) => withPlace(one, placed.get(one.id) ?? threadOf(one).toldAt))
}
