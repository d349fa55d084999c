import { permitted } from '../../../../platform/permitted.ts'
import type { Message } from '../messages.ts'

export type TabNews =
  | { kind: 'kept' | 'taken'; message: Message }
  | { kind: 'dropped'; message: Pick<Message, 'id' | 'receiverId'> }
  | { kind: 'cleared' }

export interface Tabs {
  alone(work: () => Promise<void>): Promise<void>
  tell(news: TabNews): void
  hear(listen: (news: TabNews) => void): () => void
}

/** For browsers without locks or broadcast channels: each tab works alone, and the server drops duplicates. */
export const soloTabs: Tabs = { alone: (work) => work(), tell: () => undefined, hear: () => () => undefined }

// After this many milliseconds, a tab steals the lock, because the system may have suspended the tab that holds it. Two
// tabs sending at once do no harm.
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
    // If `begun`, another tab stole the lock while we were sending, which may continue. Otherwise the wait timed out.
    if (begun) return
    await ask({ steal: true }).catch(() => (begun ? undefined : begin()))
  } finally {
    clearTimeout(tooLong)
  }
}

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
