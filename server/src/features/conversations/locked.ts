import { overloaded } from '../../platform/errors.ts'
import { isLocked } from './faults.ts'

/** For how long after a lock timeout each batch is checked for locked items, in ms. */
const wary = 10_000

type Flush<T, R> = (items: T[]) => Promise<readonly (R | Error)[]>

/**
 * If another transaction locks an item for longer than a statement may wait, the item's whole batch waits, and so does
 * the next batch. So for some time after a lock timeout, each batch is checked first: locked items are immediately
 * answered with `retry`, and the others are processed. `findLocked` returns the indexes of locked items.
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
