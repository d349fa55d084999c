import { overloaded } from '../../platform/errors.ts'
import { isLocked } from './faults.ts'

/** For so long after something stayed locked, what is locked is looked for before every batch. */
const wary = 10_000

type Flush<T, R> = (items: T[]) => Promise<readonly (R | Error)[]>

/**
 * Something else may lock what an item needs for longer than a statement waits, and everyone in its batch would wait
 * with it, batch after batch. Once that has happened, items that are locked are looked for first and answered with
 * `retry` at once, and the others go on. `findLocked` gives their places.
 */
export function avoidLocked<T, R>(flush: Flush<T, R>, findLocked: (items: T[]) => Promise<number[]>): Flush<T, R> {
  let waryUntil = Number.NEGATIVE_INFINITY
  const beWary = () => {
    waryUntil = performance.now() + wary
  }
  const watched: Flush<T, R> = (items) =>
    flush(items).catch((error: unknown) => {
      if (isLocked(error)) beWary()
      throw error
    })
  return async (items) => {
    if (performance.now() > waryUntil) return watched(items)
    const locked = new Set(await findLocked(items))
    if (locked.size === 0) return watched(items)
    beWary()
    const free = items.filter((_, place) => !locked.has(place))
    const answers = free.length > 0 ? [...(await watched(free))] : []
    return items.map((_, place) => (locked.has(place) ? overloaded() : (answers.shift() as R | Error)))
  }
}
