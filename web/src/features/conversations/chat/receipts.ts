import { ask, liveLine } from './ask.ts'
import type { ChatContext } from './context.ts'
import { changeOne, readTo } from './conversation-list.ts'
import { messageAt } from './messages.ts'
import { type Conversation, threadOf, unreadIn } from './thread.ts'
import { createTimers } from './timers.ts'

/** Rate limit for delivery receipts: one batch per this many milliseconds, and this many conversations per batch. */
const deliveredEvery = 1_000
const deliveredAtOnce = 10
const readAgainAfter = 3_000

/**
 * The highest seq up to which this device has every message: the `lastSeq` of the row, plus any consecutive messages
 * after it.
 */
function arrivedUpTo(conversation: Conversation): number {
  const { count, known } = threadOf(conversation)
  let seq = count.lastSeq
  while (messageAt(known, seq + 1)) seq += 1
  return seq
}

export function createReceipts({ viewerId, list, socket }: Pick<ChatContext, 'viewerId' | 'list' | 'socket'>) {
  const readTold = new Map<string, number>()
  const deliveredTold = new Map<string, number>()
  const arrived = new Set<string>()
  const timers = createTimers()
  let lastTold = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  function read(id: string, seq?: number): void {
    const conversation = list.find(id)
    if (!conversation) return
    const shown = conversation.messages?.findLast((message) => message.seq !== undefined)?.seq
    const upTo = seq ?? shown ?? threadOf(conversation).count.lastSeq
    list.change((known) => changeOne(known, id, (one) => readTo(one, upTo)))
    tellRead(id)
  }

  function tellRead(id: string): void {
    const conversation = list.find(id)
    const line = liveLine(socket)
    if (!conversation || !line) return
    const { myReadSeq } = conversation
    const heard = Math.max(threadOf(conversation).count.myReadSeq, readTold.get(id) ?? 0)
    if (myReadSeq <= heard || unreadIn(threadOf(conversation), id, heard) === 0) return
    readTold.set(id, myReadSeq)
    line.emit('mark_as_read', { conversationId: id, userId: viewerId(), upToSeq: myReadSeq }, (answer) => {
      if (!answer.ok) readAgain(id, answer.retryAfterMs ?? readAgainAfter)
    })
  }

  // Retries after a temporary server error or a rate limit. A lost connection needs no timer, because reconnecting
  // resends all receipts.
  function readAgain(id: string, delay: number): void {
    timers.later(() => {
      readTold.delete(id)
      tellRead(id)
    }, delay)
  }

  function deliver(id: string): void {
    arrived.add(id)
    timer ??= setTimeout(tellArrived, Math.max(0, lastTold + deliveredEvery - performance.now()))
  }

  function tellArrived(): void {
    timer = undefined
    // Without a connection, drop the receipts; reconnecting sends them again.
    if (!liveLine(socket)) arrived.clear()
    const ids = [...arrived].slice(0, deliveredAtOnce)
    for (const id of ids) {
      arrived.delete(id)
      const conversation = list.find(id)
      if (conversation) tellDelivered(conversation)
    }
    if (ids.length > 0) lastTold = performance.now()
    if (arrived.size > 0) timer = setTimeout(tellArrived, deliveredEvery)
  }

  function tellDelivered(conversation: Conversation): void {
    const { id, myReadSeq } = conversation
    const before = deliveredTold.get(id) ?? 0
    const upTo = arrivedUpTo(conversation)
    const line = liveLine(socket)
    const heard = Math.max(myReadSeq, before)
    if (!line || upTo <= heard || unreadIn(threadOf(conversation), id, heard) === 0) return
    deliveredTold.set(id, upTo)
    // After a failure, the next message to arrive sends the receipt again.
    const failed = () => deliveredTold.set(id, before)
    ask(line, 'mark_as_delivered', { conversationId: id, upToSeq: upTo }).then(
      (answer) => answer.ok || failed(),
      failed,
    )
  }

  function repeat(): void {
    readTold.clear()
    for (const conversation of list.read()) {
      tellRead(conversation.id)
      if (conversation.lastSeq > conversation.myReadSeq) deliver(conversation.id)
    }
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    timers.stop()
  }

  return { read, deliver, repeat, stop }
}
