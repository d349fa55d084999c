import { overloaded } from '../errors.ts'
import { isOutage } from './database-faults.ts'

interface Options<T, R> {
  /** Does the work of several items at once: for each, in their order, what came of it. An Error refuses that one alone. */
  flush(items: T[]): Promise<readonly (R | Error)[]>
  lanes?: number
  /** How many items one flush takes at most. */
  most?: number
  /** How many may wait in a lane, and how long the oldest, in milliseconds. */
  mostWaiting?: number
  mostWaitMs?: number
  now?: () => number
}

export interface Lanes<T, R> {
  /** Puts an item at the end of its key's lane; items of a key are worked on in that order. Throws `retry` when it is full. */
  push(key: string, item: T): Promise<R>
  /** Resolves once nothing waits or is under way. */
  drain(): Promise<void>
  /** The same; from now on nothing is taken in, and `push` throws `retry`. */
  close(): Promise<void>
}

interface Waiting<T, R> {
  item: T
  since: number
  resolve(result: R): void
  reject(error: unknown): void
}

function laneOf(key: string, count: number): number {
  let hash = 0
  for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) | 0
  return Math.abs(hash) % count
}

function settle<T, R>(batch: Waiting<T, R>[], results: readonly (R | Error)[]): void {
  for (const [place, waiting] of batch.entries()) {
    const result = results[place]
    if (result instanceof Error) waiting.reject(result)
    else waiting.resolve(result as R)
  }
}

/**
 * Group commit that clocks itself: while one flush is under way, items gather, and go together when it returns. Idle, an
 * item goes at once; busy, batches grow by themselves. There is no timer.
 */
export function createLanes<T, R>({
  flush,
  lanes = 2,
  most = 100,
  mostWaiting = 5_000,
  mostWaitMs = 2_000,
  now = () => performance.now(),
}: Options<T, R>): Lanes<T, R> {
  const queues = Array.from({ length: lanes }, () => ({
    waiting: [] as Waiting<T, R>[],
    busy: undefined as Promise<void> | undefined,
  }))

  /** The items of a failed batch are tried one by one, unless the database is away: whatever failed may be due to one of them. */
  async function work(batch: Waiting<T, R>[]): Promise<void> {
    try {
      settle(batch, await flush(batch.map(({ item }) => item)))
    } catch (error) {
      if (batch.length === 1 || isOutage(error)) for (const { reject } of batch) reject(error)
      else await workAlone(batch)
    }
  }

  async function workAlone(batch: Waiting<T, R>[]): Promise<void> {
    for (const [place, waiting] of batch.entries()) {
      try {
        settle([waiting], await flush([waiting.item]))
      } catch (error) {
        waiting.reject(error)
        if (!isOutage(error)) continue
        for (const { reject } of batch.slice(place + 1)) reject(error)
        return
      }
    }
  }

  async function run(queue: (typeof queues)[number]): Promise<void> {
    while (queue.waiting.length > 0) await work(queue.waiting.splice(0, most))
    queue.busy = undefined
  }

  let isClosed = false
  async function drain(): Promise<void> {
    while (queues.some(({ busy }) => busy)) await Promise.all(queues.map(({ busy }) => busy))
  }

  return {
    push: (key, item) =>
      new Promise((resolve, reject) => {
        const queue = queues[laneOf(key, lanes)] as (typeof queues)[number]
        const since = now()
        const [oldest] = queue.waiting
        const isFull = queue.waiting.length >= mostWaiting || (oldest && since - oldest.since > mostWaitMs)
        if (isClosed || isFull) return reject(overloaded())
        queue.waiting.push({ item, since, resolve, reject })
        queue.busy ??= run(queue)
      }),
    drain,
    close: () => {
      isClosed = true
      return drain()
    },
  }
}
