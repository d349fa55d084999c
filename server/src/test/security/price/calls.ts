import { api } from '@duet/contract/api.ts'
import { requests } from '@duet/contract/realtime.ts'
import { accountsTable } from '../authorization/accounts.table.ts'
import { adminTable } from '../authorization/admin.table.ts'
import type { Cast, Name } from '../authorization/cast.ts'
import { conversationsTable } from '../authorization/conversations.table.ts'
import { dataRightsTable } from '../authorization/data-rights.table.ts'
import { datesTable } from '../authorization/dates.table.ts'
import { moderationTable } from '../authorization/moderation.table.ts'
import { peopleTable } from '../authorization/people.table.ts'
import { privacyTable } from '../authorization/privacy.table.ts'
import { reportsTable } from '../authorization/reports.table.ts'
import type { Role } from '../authorization/sides.ts'
import { socketsTable } from '../authorization/sockets.table.ts'
import { type Cell, cellsOf, type Entry, type Parts, type Table } from '../authorization/table.ts'
import { verificationTable } from '../authorization/verification.table.ts'

/** Every endpoint as `METHOD /path`, and every request of a live connection by its name. */
export const everything: string[] = [...api.map(({ method, path }) => `${method} ${path}`), ...Object.keys(requests)]

const table: Table = {
  ...{
    ...verificationTable,
    ...accountsTable,
    ...peopleTable,
    ...conversationsTable,
    ...reportsTable,
    ...privacyTable,
  },
  ...{ ...adminTable, ...dataRightsTable, ...moderationTable, ...datesTable, ...socketsTable },
}
const isDone = ({ expected }: Cell) => expected.startsWith('2') || expected === 'ok'
const callers: readonly Role[] = ['member', 'stranger', 'admin', 'anonymous']

/** One call that is answered, as the least who may make it. */
export interface Call {
  role: Role
  caller: Name | undefined
  parts: Parts
  payload: unknown
}

function callOf(cast: Cast, { about, send }: Entry, { role, column }: Cell): Call {
  const caller = role === 'anonymous' ? undefined : (role as Name)
  const sent = send({ id: cast.idOf(about, column, caller), cast, caller })
  return { role, caller, parts: (sent ?? {}) as Parts, payload: sent }
}

/** A call of an endpoint or a request that is answered; undefined where the table of who may do what has none. */
export function findCall(cast: Cast, name: string): Call | undefined {
  const entries = Object.entries(table).filter(([key]) => key.split(' #')[0] === name)
  for (const role of callers)
    for (const [key, entry] of entries) {
      const cell = cellsOf(key, entry).find((one) => one.role === role && isDone(one))
      if (cell) return callOf(cast, entry, cell)
    }
  return undefined
}
