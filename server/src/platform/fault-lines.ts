import { seconds } from './clock.ts'
import type { AppError } from './errors.ts'

/** Whether it is time for another line of the same kind: one in ten seconds. */
export function createLinePace(): (kind: string) => boolean {
  const last = new Map<string, number>()
  return (kind) => {
    const now = performance.now()
    if (now - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < seconds(10)) return false
    last.set(kind, now)
    return true
  }
}

/**
 * Whether a fault is worth a line in the log: each one of ours, and of what passes without us (a database that is away, a
 * disk that is full) one in ten seconds, however many requests it hits.
 */
export function createFaultLines(): (answer: AppError) => boolean {
  const isTime = createLinePace()
  return ({ status, code, message }) => status >= 500 && (code === 'internal' || isTime(message))
}
