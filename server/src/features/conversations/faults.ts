import { passingFault } from '../../platform/database/database-faults.ts'
import { overloaded } from '../../platform/errors.ts'

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/** Whether what a statement needed stayed locked for as long as it may wait. */
export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03'

/** A fault that passes is answered with `retry`: the same id again is safe. */
export function toRefusal(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return passingFault(error) ? overloaded(error) : error
}
