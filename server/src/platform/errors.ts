import { type ErrorCode, errorStatus, type FieldError } from '@duet/contract/errors.ts'

interface Details {
  errors?: FieldError[]
  retryAfter?: number
  cause?: unknown
}

/** Sent to the client as a problem response. Any other error counts as an internal fault. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly errors: FieldError[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, detail: string, { errors, retryAfter, cause }: Details = {}) {
    super(detail, { cause })
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

export const notFound = () => new AppError('not_found', "There's nothing here.")
export const forbidden = () => new AppError('forbidden', "You're not allowed to do this.")
export const restricted = () =>
  new AppError('restricted', "Your account is restricted: you can't start anything new for now.")
export const suspended = () => new AppError('suspended', 'Your account is suspended.')
export const unauthenticated = () => new AppError('unauthenticated', 'Sign in first.')
export const conflict = (detail: string) => new AppError('conflict', detail)
export const malformed = (detail: string) => new AppError('malformed', detail)

export function invalid(errors: FieldError[]): AppError {
  const [first] = errors
  return new AppError(
    'validation_failed',
    first ? `${first.path || 'body'}: ${first.message}` : 'The input is not valid.',
    {
      errors,
    },
  )
}

export function rateLimited(retryAfterMs: number): AppError {
  return new AppError('rate_limited', 'Too many requests. Try again later.', {
    retryAfter: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  })
}

/** Too much is queued, or a dependency is down (`cause`). */
export const overloaded = (cause?: unknown) =>
  new AppError('retry', 'Too busy right now. Try again.', { retryAfter: 1, cause })
