import type { Problem } from '@duet/contract/errors.ts'

/** Why a call failed. `problem.code` is the server's stable word, or `offline` when no answer came at all. */
export class ProblemError extends Error {
  readonly problem: Problem
  /** Seconds to wait before trying again, when the server said so. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail || problem.title)
    this.name = 'ProblemError'
    this.problem = problem
    this.retryAfter = retryAfter
  }

  get code(): string {
    return this.problem.code
  }

  /** What is wrong with one field, or undefined. */
  fieldMessage(path: string): string | undefined {
    return this.problem.errors?.find((error) => error.path === path)?.message
  }
}

/** The problem of a call that got no answer. */
export function offlineProblem(): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'No connection',
    status: 0,
    detail: 'The server could not be reached.',
    code: 'offline',
    requestId: '',
  })
}

/** The problem of an answer that leaves out what needs a fresh proof of who I am. */
export function staleProof(): ProblemError {
  const detail = "Confirm it's you first."
  return new ProblemError({
    type: 'about:blank',
    title: detail,
    status: 403,
    detail,
    code: 'reauthentication_required',
    requestId: '',
  })
}

/** The code of any error a call may throw; `internal` for what is not ours. */
export function problemCode(error: unknown): string {
  return error instanceof ProblemError ? error.code : 'internal'
}

/** Whether a call may have been carried out although it failed: no answer came, or the server broke on the way. */
export const isUnsure = (error: unknown): boolean => !(error instanceof ProblemError) || !isRefusal(error.problem)

const isRefusal = ({ status }: Problem) => status >= 400 && status < 500

/** Reads a refused answer; one that is no problem document becomes `internal`. */
export function toProblemError(status: number, body: unknown, retryAfter: string | null): ProblemError {
  const seconds = retryAfter === null ? undefined : Number(retryAfter)
  if (isProblem(body)) return new ProblemError(body, seconds)
  // A network that requires its own sign-in answered, not Duet.
  if (status === 511) return offlineProblem()
  const title = 'Something went wrong'
  return new ProblemError(
    { type: 'about:blank', title, status, detail: title, code: 'internal', requestId: '' },
    seconds,
  )
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
}
