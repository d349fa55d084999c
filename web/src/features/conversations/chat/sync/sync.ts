import type { ChatContext } from '../context.ts'
import { createListSync } from './list-sync.ts'
import { createThreadSync } from './thread-sync.ts'

export function createSync({ list, socket, call }: Pick<ChatContext, 'list' | 'socket' | 'call'>) {
  const threads = createThreadSync({ list, socket, call })
  const { load, now, soon, overtake, stop } = createListSync({ list, socket, call, asked: threads.checkAll })
  return {
    load,
    now,
    soon,
    overtake,
    check: threads.check,
    stop(): void {
      stop()
      threads.stop()
    },
  }
}
