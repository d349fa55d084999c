import { seconds } from './clock.ts'
import type { AppError } from './errors.ts'

/** Allows one line of each kind in ten seconds. */
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
 * Whether to log a fault: every internal one, but temporary ones (an unreachable database, a full disk) only once in
 * ten seconds, however many requests they hit.
 */
export function createFaultLines(): (answer: AppError) => boolean {
  const isTime = createLinePace()
  return ({ status, code, message }) => status >= 500 && (code === 'internal' || isTime(message))
}
