import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'

export interface Turns {
  events: WorkerEvents
  next(): Promise<void>
  /** Lets a new run start immediately: a worker of the previous run may never have ended its turn. */
  startOver(): void
}

/**
 * Makes workers fetch jobs one at a time, so that each job that starts is counted before the next worker asks which
 * tasks are forbidden. Otherwise jobs that are added together would all start.
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
