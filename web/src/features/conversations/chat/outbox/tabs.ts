import { permitted } from '../../../../platform/permitted.ts'
import type { Message } from '../messages.ts'

/** What a tab tells the others of the messages that wait to be sent. */
export type TabNews =
  | { kind: 'kept' | 'taken'; message: Message }
  | { kind: 'dropped'; message: Pick<Message, 'id' | 'receiverId'> }
  | { kind: 'cleared' }

/** The other tabs of the same person. */
export interface Tabs {
  /** Runs `work` while no other tab does; `work` ends early when there is nothing left to do. */
  alone(work: () => Promise<void>): Promise<void>
  tell(news: TabNews): void
  /** Returns how to stop. */
  hear(listen: (news: TabNews) => void): () => void
}

/** For where there are no other tabs, or no means to speak with them: each works by itself, and the server dedupes. */
export const soloTabs: Tabs = { alone: (work) => work(), tell: () => undefined, hear: () => () => undefined }

// A tab that the system put to sleep may hold the lock: it is taken from it then. Both working at once does no harm.
const patience = 15_000

async function locked(locks: LockManager, name: string, work: () => Promise<void>): Promise<void> {
  const waiting = new AbortController()
  const tooLong = setTimeout(() => waiting.abort(), patience)
  let begun = false
  const begin = () => {
    begun = true
    clearTimeout(tooLong)
    return work()
  }
  const ask = async (options: LockOptions) => locks.request(name, options, begin)
  try {
    await ask({ signal: waiting.signal })
  } catch {
    // The lock was taken from us: what is on its way goes on. Or it never came.
    if (begun) return
    await ask({ steal: true }).catch(() => (begun ? undefined : begin()))
  } finally {
    clearTimeout(tooLong)
  }
}

/** The tabs of this browser: one of them sends at a time, and they tell each other what waits and what was taken. */
export function browserTabs(viewerId: string): Tabs {
  const name = `duet-outbox ${viewerId}`
  const locks = permitted(() => navigator.locks)
  let channel: BroadcastChannel | undefined
  return {
    alone: (work) => (locks ? locked(locks, name, work) : work()),
    tell: (news) => permitted(() => channel?.postMessage(news)),
    hear: (listen) => {
      const opened = permitted(() => new BroadcastChannel(name))
      if (!opened) return () => undefined
      channel = opened
      opened.onmessage = ({ data }: MessageEvent<TabNews>) => listen(data)
      return () => {
        opened.close()
        if (channel === opened) channel = undefined
      }
    },
  }
}
