import type { DuetSocket } from '../../../../platform/socket/socket.ts'
import type { Message } from '../messages.ts'
import { createTimers } from '../timers.ts'
import { createPace } from './pace.ts'
import { createSending } from './sending.ts'
import { createUnsent, type UnsentParts } from './unsent.ts'

/** How long what is written now waits for what an earlier page left. */
const longestLoad = 1_000
/** How long other tabs leave a message to the one that wrote it. */
const courtesy = 2_000

interface OutboxParts extends UnsentParts {
  socket(): DuetSocket | null
}

/**
 * Own messages that the server has not acknowledged: kept over a reload, sent in order, one at a time to each person,
 * never on a broken line, and again with the same id until there is an answer. The server takes each id once.
 */
export function createOutbox({ socket, ...parts }: OutboxParts) {
  const { tabs } = parts
  const timers = createTimers()
  const unsent = createUnsent(parts)
  const pace = createPace({ unsent, timers, wake: drain })
  const sending = createSending({ socket, unsent, pace, timers })
  let isReady = true
  let hasAskedTabs = false

  /** Sends what waits, once no other tab does. */
  function drain(): void {
    sending.pump()
    if (hasAskedTabs || !isReady || !sending.canSend()) return
    hasAskedTabs = true
    void tabs.alone(sending.run).finally(() => {
      hasAskedTabs = false
      drain()
    })
  }

  /** Takes up what an earlier page left, and listens to the other tabs. Returns how to stop. */
  function start(): () => void {
    const silence = tabs.hear((news) => {
      unsent.hear(news)
      if (news.kind === 'kept') timers.later(drain, courtesy)
    })
    let stopped = false
    isReady = false
    const begin = () => {
      if (stopped || isReady) return
      isReady = true
      drain()
    }
    // A database that does not open must not hold back what is written now.
    timers.later(begin, longestLoad)
    void unsent.load().then((stored) => {
      if (stopped) return
      for (const message of stored) unsent.takeUp(message)
      begin()
    })
    return () => {
      stopped = true
      silence()
      timers.stop()
      pace.stop()
      sending.stop()
    }
  }

  return {
    start,
    drain,
    keep: unsent.keep,
    waiting: unsent.list,
    /** The server has it: its own word came, or another device of ours told of it. */
    taken: (message: Message) => unsent.has(message) && unsent.forget(message),
    drop: unsent.drop,
    clear: unsent.clear,
  }
}

export type Outbox = ReturnType<typeof createOutbox>
