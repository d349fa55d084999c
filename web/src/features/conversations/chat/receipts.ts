import { ask, liveLine } from './ask.ts'
import type { ChatContext } from './context.ts'
import { changeOne, readTo } from './conversation-list.ts'
import { messageAt } from './messages.ts'
import { type Conversation, threadOf, unreadIn } from './thread.ts'
import { createTimers } from './timers.ts'

/** How often the server hears what arrived, at most; and of how many conversations at once. */
const deliveredEvery = 1_000
const deliveredAtOnce = 10
const readAgainAfter = 3_000

/** Up to where this device has everything: what a row told of, and what came after it without a hole. */
function arrivedUpTo(conversation: Conversation): number {
  const { count, known } = threadOf(conversation)
  let seq = count.lastSeq
  while (messageAt(known, seq + 1)) seq += 1
  return seq
}

/** Tells the server what was read and what arrived: each once, and again where the line broke. */
export function createReceipts({ viewerId, list, socket }: Pick<ChatContext, 'viewerId' | 'list' | 'socket'>) {
  const readTold = new Map<string, number>()
  const deliveredTold = new Map<string, number>()
  const arrived = new Set<string>()
  const timers = createTimers()
  let lastTold = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  /** We have read up to `seq`; without it, up to the newest that shows. */
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
    // Own messages need no mark: the server hears of theirs alone.
    if (myReadSeq <= heard || unreadIn(threadOf(conversation), id, heard) === 0) return
    readTold.set(id, myReadSeq)
    line.emit('mark_as_read', { conversationId: id, userId: viewerId(), upToSeq: myReadSeq }, (answer) => {
      if (!answer.ok) readAgain(id, answer.retryAfterMs ?? readAgainAfter)
    })
  }

  // Refused for now: a server without its database, or too much at once. Where the line breaks, its return says it again.
  function readAgain(id: string, delay: number): void {
    timers.later(() => {
      readTold.delete(id)
      tellRead(id)
    }, delay)
  }

  /** Something of theirs arrived in the conversation with `id`. */
  function deliver(id: string): void {
    arrived.add(id)
    timer ??= setTimeout(tellArrived, Math.max(0, lastTold + deliveredEvery - performance.now()))
  }

  function tellArrived(): void {
    timer = undefined
    // What arrived before a broken line is told of when it is back.
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
    // What was not taken is told with the next that arrives.
    const failed = () => deliveredTold.set(id, before)
    ask(line, 'mark_as_delivered', { conversationId: id, upToSeq: upTo }).then(
      (answer) => answer.ok || failed(),
      failed,
    )
  }

  /** Says everything again that the server may not have heard. */
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
