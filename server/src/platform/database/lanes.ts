import { overloaded } from '../errors.ts'
import { isOutage } from './database-faults.ts'

interface Options<T, R> {
  flush(items: T[]): Promise<readonly (R | Error)[]>
  lanes?: number
  most?: number
  /** Limits of a lane: how many items may wait, and how long the oldest may, in milliseconds. */
  mostWaiting?: number
  mostWaitMs?: number
  now?: () => number
}

export interface Lanes<T, R> {
  /**
   * Appends an item to its key's lane. Items with the same key run in order. Rejects with `retry` when the lane is
   * full.
   */
  push(key: string, item: T): Promise<R>
  drain(): Promise<void>
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
 * Group commit without a timer: items that arrive during a flush form the next batch. An idle lane flushes an item
 * immediately; batches grow with load.
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

  /** A single bad item may have failed the batch, so retry its items one by one, unless the database is down. */
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
