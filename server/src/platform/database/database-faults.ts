import type { ErrorCode } from '@duet/contract/errors.ts'

interface Fault {
  code: string
  message: string
  syscall?: string
}

type Answer = [ErrorCode, string]

const lost: Answer = ['unavailable', 'The database cannot be reached. Try again.']
// A bare connection error doesn't show whether the database, the email server or another service failed.
const away: Answer = ['unavailable', 'A server that Duet needs cannot be reached. Try again.']
const full: Answer = ['unavailable', 'The server has no space left. Try again later.']
const unwritable: Answer = ['unavailable', "The server can't write to its disk right now. Try again later."]
const busy: Answer = ['unavailable', 'The database is too busy. Try again.']
const slow: Answer = ['unavailable', 'This took too long. Try again.']
const others: Answer = ['retry', 'Someone else was changing the same. Try again.']

/**
 * Temporary faults of the database or a disk: a retry may succeed. Errors without a code are recognised by their
 * message.
 */
const passing: [(fault: Fault) => boolean, Answer][] = [
  [({ code }) => /^(40|55P03)/.test(code), others],
  // The statement was prepared before a migration. The pool discards the connection.
  [
    ({ code, message }) => code === '0A000' && /cached plan/.test(message),
    ['retry', 'Duet was just updated. Try again.'],
  ],
  [({ code }) => code === '57014', slow],
  [({ code }) => /^(53100|ENOSPC|EDQUOT)$/.test(code), full],
  [({ code }) => /^(EROFS|EIO)$/.test(code), unwritable],
  [({ code, message }) => /^53/.test(code) || /timeout exceeded when trying to connect/.test(message), busy],
  // The server is a read replica, or was one a moment ago.
  [
    ({ code, message }) => code === '25006' || /recovery is in progress/.test(message),
    ['unavailable', 'The database is changing servers. Try again.'],
  ],
  [({ code }) => /^57P/.test(code), ['unavailable', 'The database is restarting. Try again.']],
  [({ code }) => /^(08|25P03)/.test(code), lost],
  [
    ({ code, syscall }) =>
      // ENOENT on a file isn't a connection error.
      (code !== 'ENOENT' || syscall === undefined || syscall === 'connect') &&
      /^(ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code),
    away,
  ],
  [
    ({ message }) =>
      /Connection terminated|not queryable|Query read timeout|timeout expired|after calling end on the pool/.test(
        message,
      ),
    lost,
  ],
]

export function passingFault(error: unknown): Answer | undefined {
  const { code, message, syscall } = (error ?? {}) as Partial<Fault>
  const fault = { code: String(code ?? ''), message: String(message ?? ''), ...(syscall && { syscall }) }
  return passing.find(([is]) => is(fault))?.[1]
}

/** Whether every statement would currently fail. A lock, a conflict or a single slow statement isn't an outage. */
export function isOutage(error: unknown): boolean {
  const answer = passingFault(error)
  return answer !== undefined && answer !== others && answer !== slow
}
