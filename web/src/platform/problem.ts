import type { Problem } from '@duet/contract/errors.ts'

/** Thrown when a call fails. `code` is the server's stable error code, or `offline` if there was no response. */
export class ProblemError extends Error {
  readonly problem: Problem
  /** How many seconds to wait before retrying, if the server specified it. */
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

  fieldMessage(path: string): string | undefined {
    return this.problem.errors?.find((error) => error.path === path)?.message
  }
}

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

/** For responses that omit data because the person hasn't confirmed their identity recently in this session. */
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

/** Returns `internal` for errors that aren't from Duet. */
export function problemCode(error: unknown): string {
  return error instanceof ProblemError ? error.code : 'internal'
}

/**
 * Whether a failed call may still have taken effect, because there was no response or the server failed while handling
 * the call.
 */
export const isUnsure = (error: unknown): boolean => !(error instanceof ProblemError) || !isRefusal(error.problem)

const isRefusal = ({ status }: Problem) => status >= 400 && status < 500

/** Reads an error response. If the body isn't a problem document, the code is `internal`. */
export function toProblemError(status: number, body: unknown, retryAfter: string | null): ProblemError {
  const seconds = retryAfter === null ? undefined : Number(retryAfter)
  if (isProblem(body)) return new ProblemError(body, seconds)
  // Status 511 comes not from Duet but from a network that requires its own sign-in.
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
