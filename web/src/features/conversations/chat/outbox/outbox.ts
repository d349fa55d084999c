import type { DuetSocket } from '../../../../platform/socket/socket.ts'
import type { Message } from '../messages.ts'
import { createTimers } from '../timers.ts'
import { createPace } from './pace.ts'
import { createSending } from './sending.ts'
import { createUnsent, type UnsentParts } from './unsent.ts'

/** How long new messages wait for messages stored by an earlier page to load, in milliseconds. */
const longestLoad = 1_000
/** How long other tabs wait before sending a message that this tab wrote, in milliseconds. */
const courtesy = 2_000

interface OutboxParts extends UnsentParts {
  socket(): DuetSocket | null
}

/**
 * The messages that the server hasn't acknowledged yet. They survive a reload and are sent in order, one at a time per
 * person, with the same id on each retry. The server accepts each id only once.
 */
export function createOutbox({ socket, ...parts }: OutboxParts) {
  const { tabs } = parts
  const timers = createTimers()
  const unsent = createUnsent(parts)
  const pace = createPace({ unsent, timers, wake: drain })
  const sending = createSending({ socket, unsent, pace, timers })
  let isReady = true
  let hasAskedTabs = false

  function drain(): void {
    sending.pump()
    if (hasAskedTabs || !isReady || !sending.canSend()) return
    hasAskedTabs = true
    void tabs.alone(sending.run).finally(() => {
      hasAskedTabs = false
      drain()
    })
  }

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
    // Don't wait forever for a database that fails to open.
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
    /** The server has the message: it acknowledged it, or sent it as an event from another device or tab. */
    taken: (message: Message) => unsent.has(message) && unsent.forget(message),
    drop: unsent.drop,
    clear: unsent.clear,
  }
}

export type Outbox = ReturnType<typeof createOutbox>
