import type { Cast, Name } from './cast.ts'
import { type About, type Column, common, type Role, roles, targets } from './sides.ts'

export const columnsOf = (about: About): readonly Column[] =>
  about === 'no one' ? ['it'] : about === 'question' || about === 'model' ? common : targets

interface Asking {
  id: string
  cast: Cast
  caller: Name | undefined
}

export interface Parts {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
}

export interface Entry {
  about: About
  /** Builds the parts of an HTTP request or the payload of a socket request. */
  send(asking: Asking): unknown
  /** The expected status or acknowledgement code for each column, by roles (separated by spaces). */
  cells: Record<string, string>
}

/**
 * Keyed by `METHOD /path` or the socket request's name. A suffix after # distinguishes several calls of the same
 * endpoint.
 */
export type Table = Record<string, Entry>

export interface Cell {
  name: string
  role: Role
  column: Column
  expected: string
}

/** Every cell of a table. Throws for a missing or duplicate cell, because all must be listed. */
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

/** The roles without a session. */
export const withoutSession = 'anonymous broken signedOut'
export const everywhere = (value: string): string => targets.map(() => value).join(' ')
