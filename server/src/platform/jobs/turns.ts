import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'

export interface Turns {
  events: WorkerEvents
  next(): Promise<void>
  /**
   * Forgets earlier turns, so that a new run starts immediately: a worker of the previous run may never have ended its
   * turn.
   */
  startOver(): void
}

/**
 * Makes workers fetch jobs one at a time, so that each started job is counted before the next worker checks which tasks
 * have reached their limit. Otherwise jobs added together would all start.
 */
export function createTurns(): Turns {
  const events: WorkerEvents = new EventEmitter()
  let last = Promise.resolve()
  let end = () => {}
  for (const event of ['job:start', 'worker:getJob:empty', 'worker:getJob:error'] as const)
    events.on(event, () => end())
  return {
    events,
    async next() {
      const before = last
      let over = () => {}
      last = new Promise((resolve) => {
        over = resolve
      })
      await before
      end = over
    },
    startOver() {
      last = Promise.resolve()
    },
  }
}
