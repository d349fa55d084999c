import type { OutgoingMessage, SendAck } from '@duet/contract/conversations.ts'
import type { DuetSocket } from '../../platform/socket.ts'
import { ask } from './ask.ts'
import { inOrder, type Message } from './messages.ts'
import type { OutboxStorage } from './outbox-storage.ts'
import type { TabNews, Tabs } from './tabs.ts'

const atOnce = 8
/** How long to wait after an answer that never came, or one that says to wait but not how long. */
const pause = 1_000
/** How long other tabs leave a message to the one that wrote it. */
const courtesy = 2_000

/** Refusals that mean: later. */
const passing = new Set(['rate_limited', 'retry'])
/** Those that may be the fault of the message: it is tried so often, more and more seldom, while others go on. */
const broken = new Set(['internal', 'unavailable'])
const mostTries = 8
const longestRest = 15_000

interface OutboxParts {
  viewerId(): string
  socket(): DuetSocket | null
  storage: OutboxStorage
  tabs: Tabs
  /** Shows a message that waits or was refused. */
  show(message: Message): void
  /** The server took it. */
  taken(message: Message): void
  /** It was given up. */
  dropped(message: Pick<Message, 'id' | 'receiverId'>): void
}

/** What send_message carries: the six fields of every client, and what belongs to the message beyond them. */
function payloadOf({ id, message, timestamp, senderId, receiverId, replyTo, attachmentId }: Message): OutgoingMessage {
  const fields = { id, message, timestamp, senderId, receiverId, status: 'sent' }
  return { ...fields, ...(replyTo && { replyTo: replyTo.seq }), ...(attachmentId && { attachmentId }) }
}

/**
 * Own messages that the server has not acknowledged: kept over a reload, sent in order, one at a time to each person,
 * never on a broken line, and again with the same id until there is an answer. The server takes each id once.
 */
export function createOutbox({ viewerId, socket, storage, tabs, ...on }: OutboxParts) {
  const kept = new Map<string, Message>()
  const over = new Set<string>()
  const onTheirWay = new Set<string>()
  const tries = new Map<string, number>()
  const resting = new Set<string>()
  // By a clock that is never set back, as that of a device may be: in milliseconds.
  let waitUntil = 0
  let ready = true
  let finish: (() => void) | undefined
  let asked = false
  const timers = new Set<ReturnType<typeof setTimeout>>()

  const later = (act: () => void, delay: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, delay)
    timers.add(timer)
  }
  const waiting = () => [...kept.values()].sort(inOrder)
  const live = () => {
    const line = socket()
    return line?.connected ? line : undefined
  }

  /** The oldest that waits for each person who is not being written to already. */
  function due(): Message[] {
    const firsts = new Map<string, Message>()
    for (const message of waiting())
      if (message.delivery !== 'failed' && !firsts.has(message.receiverId)) firsts.set(message.receiverId, message)
    return [...firsts.values()].filter(({ receiverId }) => !onTheirWay.has(receiverId) && !resting.has(receiverId))
  }

  function pump(): void {
    if (!finish) return
    const line = live()
    const next = line ? due() : []
    const wait = waitUntil - performance.now()
    if (next.length === 0 && onTheirWay.size === 0) finish()
    else if (wait > 0) later(pump, wait)
    else if (line) for (const message of next.slice(0, atOnce - onTheirWay.size)) send(line, message)
  }

  function send(line: DuetSocket, message: Message): void {
    onTheirWay.add(message.receiverId)
    ask(line, 'send_message', payloadOf(message))
      .then(
        (answer) => settle(message, answer),
        () => noAnswer(line),
      )
      .finally(() => {
        onTheirWay.delete(message.receiverId)
        pump()
      })
  }

  // Ten seconds of silence on a line that looks open: it is dead. Closing it makes it come back.
  function noAnswer(line: DuetSocket): void {
    if (!line.connected) return
    waitUntil = performance.now() + pause
    line.io?.engine?.close()
  }

  function settle(message: Message, answer: SendAck): void {
    if (answer.ok) {
      forget(message)
      on.taken(answer.message)
      tabs.tell({ kind: 'taken', message: answer.message })
    } else if (answer.retryAfterMs !== undefined || passing.has(answer.code))
      waitUntil = performance.now() + (answer.retryAfterMs ?? pause)
    else if (broken.has(answer.code) && (tries.get(message.id) ?? 0) < mostTries) rest(message)
    else if (kept.has(message.id)) keep({ ...message, delivery: 'failed', refusal: answer.code })
  }

  function rest({ id, receiverId }: Message): void {
    const tried = (tries.get(id) ?? 0) + 1
    const delay = Math.min(longestRest, pause * 2 ** (tried - 1))
    tries.set(id, tried)
    resting.add(receiverId)
    later(() => {
      resting.delete(receiverId)
      drain()
    }, delay)
  }

  function forget(message: Pick<Message, 'id'>): void {
    over.add(message.id)
    kept.delete(message.id)
    tries.delete(message.id)
    storage.drop({ id: message.id, senderId: viewerId() })
  }

  function keep(message: Message): void {
    kept.set(message.id, message)
    storage.keep(message)
    on.show(message)
    tabs.tell({ kind: 'kept', message })
  }

  /** Sends what waits, once no other tab does. */
  function drain(): void {
    if (finish) pump()
    if (asked || !ready || !live() || due().length === 0) return
    asked = true
    void tabs
      .alone(
        () =>
          new Promise<void>((resolve) => {
            finish = () => {
              finish = undefined
              resolve()
            }
            pump()
          }),
      )
      .finally(() => {
        asked = false
        drain()
      })
  }

  function hearKept(message: Message): void {
    if (over.has(message.id)) return
    kept.set(message.id, message)
    on.show(message)
    later(drain, courtesy)
  }

  function hear(news: TabNews): void {
    if (news.kind === 'cleared') kept.clear()
    else if (news.kind === 'kept') hearKept(news.message)
    else {
      over.add(news.message.id)
      kept.delete(news.message.id)
      if (news.kind === 'taken') on.taken(news.message)
      else on.dropped(news.message)
    }
  }

  /** Takes up what an earlier page left, and listens to the other tabs. Returns how to stop. */
  function start(left: readonly Message[] = []): () => void {
    const silence = tabs.hear(hear)
    let stopped = false
    ready = false
    const begin = () => {
      if (stopped || ready) return
      ready = true
      drain()
    }
    for (const message of left) storage.keep(message)
    // A database that does not open must not hold back what is written now.
    later(begin, pause)
    void storage.list(viewerId()).then((stored) => {
      if (stopped) return
      for (const message of [...left, ...stored]) takeUp(message)
      begin()
    })
    return () => {
      stopped = true
      silence()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      resting.clear()
      finish?.()
    }
  }

  function takeUp(message: Message): void {
    if (over.has(message.id) || kept.has(message.id)) return
    kept.set(message.id, message)
    on.show(message)
  }

  return {
    start,
    keep,
    drain,
    waiting,
    /** The server has it: its own word came, or another device of ours told of it. */
    taken: (message: Message) => kept.has(message.id) && forget(message),
    drop(message: Message): void {
      forget(message)
      on.dropped(message)
      tabs.tell({ kind: 'dropped', message: { id: message.id, receiverId: message.receiverId } })
    },
    /** Forgets everything, as on signing out. */
    async clear(): Promise<void> {
      kept.clear()
      tabs.tell({ kind: 'cleared' })
      await storage.clear(viewerId())
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
