import { seconds } from './clock.ts'
import type { AppError } from './errors.ts'

/** Limits log lines to one of each kind in ten seconds. */
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
 * Decides whether to log a fault: always if it is internal, but for temporary faults (an unreachable database, a full
 * disk) at most once in ten seconds, however many requests fail.
 */
export function createFaultLines(): (answer: AppError) => boolean {
  const isTime = createLinePace()
  return ({ status, code, message }) => status >= 500 && (code === 'internal' || isTime(message))
}
