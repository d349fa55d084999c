import pLimit, { type LimitFunction } from 'p-limit'

/** Runs tasks of the same key one at a time, in order. Other keys don't wait. */
export type InOrder = <T>(key: string, task: () => Promise<T>) => Promise<T>

export function createInOrder(): InOrder {
  const last = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task)
    last.set(key, turn)
    const forget = () => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(forget, forget)
    return turn
  }
}

/** Runs at most `most` tasks per key at a time, in order. Other keys don't wait. */
export function createFewAtOnce(most: number): InOrder {
  const queues = new Map<string, { limit: LimitFunction; left: number }>()
  return async (key, task) => {
    const queue = queues.get(key) ?? { limit: pLimit(most), left: 0 }
    queues.set(key, queue)
    queue.left += 1
    try {
      return await queue.limit(task)
    } finally {
      queue.left -= 1
      if (queue.left === 0) queues.delete(key)
    }
  }
}
