import { api } from '@duet/contract/api.ts'
import type { EndpointSpec } from '@duet/contract/endpoint.ts'
import type { RequestSpec } from '@duet/contract/event.ts'
import { requests } from '@duet/contract/realtime.ts'
import { requestsOfEndpoint, requestsOfNetwork } from '../../../platform/http/request-budgets.ts'
import { eventsOfKind } from '../../../platform/security/socket-budget.ts'
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

/** Limits of endpoints, keyed by `METHOD /path`, and of socket requests, keyed by name. */
const limits = new Map(
  [
    ...api.map((spec: EndpointSpec) => [`${spec.method} ${spec.path}`, spec.limit] as const),
    ...Object.entries<RequestSpec>(requests).map(([name, { limit }]) => [name, limit] as const),
  ].flatMap(([name, limit]) => (limit ? [[name, limit]] : [])),
)

export const limited = [...limits.keys()]

/**
 * How many times a minute a call is allowed in the long run, by one person or by all signed-out clients behind one
 * address.
 */
export function callsAMinute(name: string, isSignedIn: boolean): number {
  const each = name.includes(' ') ? requestsOfEndpoint : eventsOfKind
  const budget = (isSignedIn ? each : requestsOfNetwork).perSecond * 60
  const limit = limits.get(name)
  return limit ? Math.min(budget, (limit.points * 60) / limit.seconds) : budget
}

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

/** A call that succeeds, made by the role with the fewest rights. */
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

/** A call that succeeds for an endpoint or socket request; undefined when the authorization table has none. */
export function findCall(cast: Cast, name: string): Call | undefined {
  const entries = Object.entries(table).filter(([key]) => key.split(' #')[0] === name)
  for (const role of callers)
    for (const [key, entry] of entries) {
      const cell = cellsOf(key, entry).find((one) => one.role === role && isDone(one))
      if (cell) return callOf(cast, entry, cell)
    }
  return undefined
}
