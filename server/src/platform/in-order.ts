import pLimit, { type LimitFunction } from 'p-limit'

/** Runs the tasks of a key one after the other, in the order they were given; other keys do not wait. */
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

/** Runs `most` tasks of a key at a time, the others in the order they were given; other keys do not wait. */
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
