import type { ErrorCode } from '@duet/contract/errors.ts'

interface Fault {
  code: string
  message: string
  syscall?: string
}

type Answer = [ErrorCode, string]

const lost: Answer = ['unavailable', 'The database cannot be reached. Try again.']
// Of a connection's fault alone no one can tell whose it is: the database's, a mail server's, a provider's.
const away: Answer = ['unavailable', 'A server that Duet needs cannot be reached. Try again.']
const full: Answer = ['unavailable', 'The server has no space left. Try again later.']
const unwritable: Answer = ['unavailable', "The server can't write to its disk right now. Try again later."]
const busy: Answer = ['unavailable', 'The database is too busy. Try again.']
const slow: Answer = ['unavailable', 'This took too long. Try again.']
const others: Answer = ['retry', 'Someone else was changing the same. Try again.']

/** Faults of the database, and of a disk, that pass without anyone changing the request. What has no code is told by its words. */
const passing: [(fault: Fault) => boolean, Answer][] = [
  [({ code }) => /^(40|55P03)/.test(code), others],
  // A statement that was prepared before a migration; its connection is thrown away with it.
  [
    ({ code, message }) => code === '0A000' && /cached plan/.test(message),
    ['retry', 'Duet was just updated. Try again.'],
  ],
  [({ code }) => code === '57014', slow],
  [({ code }) => /^(53100|ENOSPC|EDQUOT)$/.test(code), full],
  [({ code }) => /^(EROFS|EIO)$/.test(code), unwritable],
  [({ code, message }) => /^53/.test(code) || /timeout exceeded when trying to connect/.test(message), busy],
  // A replica, or a primary that has just become one.
  [
    ({ code, message }) => code === '25006' || /recovery is in progress/.test(message),
    ['unavailable', 'The database is changing servers. Try again.'],
  ],
  [({ code }) => /^57P/.test(code), ['unavailable', 'The database is restarting. Try again.']],
  [({ code }) => /^(08|25P03)/.test(code), lost],
  [
    ({ code, syscall }) =>
      // Of files it is no such thing.
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

/** How a fault of the database that passes is answered: as `retry` or `unavailable`; undefined for any other error. */
export function passingFault(error: unknown): Answer | undefined {
  const { code, message, syscall } = (error ?? {}) as Partial<Fault>
  const fault = { code: String(code ?? ''), message: String(message ?? ''), ...(syscall && { syscall }) }
  return passing.find(([is]) => is(fault))?.[1]
}

/** Whether a fault of the database hits every statement at the moment. A lock, a conflict or one slow statement doesn't. */
export function isOutage(error: unknown): boolean {
  const answer = passingFault(error)
  return answer !== undefined && answer !== others && answer !== slow
}
