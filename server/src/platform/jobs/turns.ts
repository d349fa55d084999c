import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'

export interface Turns {
  /** What the workers of a runner have to report to. */
  events: WorkerEvents
  /** Resolves when no other worker is looking for a job. The turn ends as the job begins, or when there is none. */
  next(): Promise<void>
  /** Lets the first worker of a new run look immediately: one of the run before may never have ended its turn. */
  startOver(): void
}

/**
 * Lets workers look for jobs one after the other: what one of them begins is counted before the next one asks which tasks
 * are forbidden. Otherwise jobs that are added together would all begin.
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
