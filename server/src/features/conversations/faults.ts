import { passingFault } from '../../platform/database/database-faults.ts'
import { overloaded } from '../../platform/errors.ts'

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03'

/** Turns a temporary failure into `retry`: the client can safely send the message again with the same id. */
export function toRefusal(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return passingFault(error) ? overloaded(error) : error
}
