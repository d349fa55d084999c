import type { Cast, Name } from './cast.ts'
import { type About, type Column, common, type Role, roles, targets } from './sides.ts'

export const columnsOf = (about: About): readonly Column[] =>
  about === 'no one' ? ['it'] : about === 'question' || about === 'model' ? common : targets

interface Asking {
  /** Of the person or the thing that the call is about. */
  id: string
  cast: Cast
  caller: Name | undefined
}

/** The parts of an HTTP request. */
export interface Parts {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
}

/** One endpoint, or one request of a socket. */
export interface Entry {
  about: About
  /** What is sent: the parts of an HTTP request, or the payload of a socket request. */
  send(asking: Asking): unknown
  /** By roles, with a blank between them: what each column answers, a status or the code of an acknowledgement. */
  cells: Record<string, string>
}

/** By `METHOD /path` or the name of a socket request; what follows a # tells several calls of one apart. */
export type Table = Record<string, Entry>

export interface Cell {
  name: string
  role: Role
  column: Column
  expected: string
}

/** Every cell of a table. Throws for one that is missing or there twice: all of them are explicit. */
export function cellsOf(name: string, { about, cells }: Entry): Cell[] {
  const columns = columnsOf(about)
  const lines = Object.entries(cells).flatMap(([who, line]) => who.split(' ').map((role) => ({ role, line })))
  return roles.flatMap((role) => {
    const found = lines.filter((one) => one.role === role)
    const values = found[0]?.line.split(' ') ?? []
    if (found.length !== 1 || values.length !== columns.length)
      throw new Error(`${name}: ${role} needs one line of ${columns.length}`)
    return columns.map((column, place) => ({ name, role, column, expected: values[place] ?? '' }))
  })
}

/** The lines of a table whose callers have no session. */
export const withoutSession = 'anonymous broken signedOut'
export const everywhere = (value: string): string => targets.map(() => value).join(' ')
