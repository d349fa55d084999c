import { overloaded } from '../../platform/errors.ts'
import { isLocked } from './faults.ts'

/** How long after a lock timeout every batch is checked for locked items. */
const wary = 10_000

type Flush<T, R> = (items: T[]) => Promise<readonly (R | Error)[]>

/**
 * Another transaction may lock an item for longer than a statement waits, and its whole batch would wait too, batch
 * after batch. After the first lock timeout, each batch is checked first: locked items are answered with `retry`
 * immediately and the others continue. `findLocked` returns the indexes of locked items.
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
