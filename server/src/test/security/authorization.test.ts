import { api } from '@duet/contract/api.ts'
import { requests } from '@duet/contract/realtime.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tier } from '../../../../tools/tier.ts'
import type { TestApp } from '../app.ts'
import { accountsTable } from './authorization/accounts.table.ts'
import { adminTable } from './authorization/admin.table.ts'
import { type Cast, type Name, names, type Stage, startWithCast } from './authorization/cast.ts'
import { conversationsTable } from './authorization/conversations.table.ts'
import { dataRightsTable } from './authorization/data-rights.table.ts'
import { datesTable } from './authorization/dates.table.ts'
import { moderationTable } from './authorization/moderation.table.ts'
import { peopleTable } from './authorization/people.table.ts'
import { privacyTable } from './authorization/privacy.table.ts'
import { reportsTable } from './authorization/reports.table.ts'
import type { Role } from './authorization/sides.ts'
import { socketsTable } from './authorization/sockets.table.ts'
import { type Cell, cellsOf, type Entry, type Parts, type Table } from './authorization/table.ts'
import { verificationTable } from './authorization/verification.table.ts'
import { noteFigure } from './figures.ts'
import { answerTo, type Outcome } from './requests.ts'
import type { Rows } from './rows.ts'
import { openWire, type Wire } from './wire.ts'

const routes: Table = {
  // Verification comes first, because files that other calls delete aren't restored.
  ...verificationTable,
  ...accountsTable,
  ...peopleTable,
  ...conversationsTable,
  ...reportsTable,
  ...privacyTable,
  ...adminTable,
  ...dataRightsTable,
  ...moderationTable,
  ...datesTable,
}
const codes: Record<string, string> = {
  400: 'validation_failed',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
}

let app: TestApp
let rows: Rows
let cast: Cast
let close: Stage['close']
beforeAll(async () => {
  ;({ app, rows, cast, close } = await startWithCast())
  await rows.keep()
})
afterAll(() => close())

const told = { cells: 0, leaks: 0 }
afterAll(() => {
  noteFigure('R3.cells', told.cells, 'of the authorization matrix, all run')
  noteFigure('R3.leaks', told.leaks, 'cells that answered otherwise than the table says, or told what they must not')
})

const callerOf = (role: Role): Name | undefined => names.find((name) => name === role)
const isDone = (expected: string) => expected.startsWith('2') || expected === 'ok'

function leaksIn(text: string, caller: Name | undefined): string[] {
  const secrets = names.flatMap((who) => (who === caller ? [] : cast.secretsOf(who)))
  const pair = [cast.people.member.who.id, cast.people.other.who.id]
  const overheard = [...text.matchAll(/Secret of ([0-9a-f-]{36}) and ([0-9a-f-]{36})/g)].filter(
    ([, one = '', other = '']) => caller !== 'member' || !pair.includes(one) || !pair.includes(other),
  )
  return [...secrets.filter((secret) => text.includes(secret)), ...overheard.map(([words]) => words)]
}

async function callRoute({ name, role, column }: Cell, { about, send }: Entry): Promise<Outcome> {
  const caller = callerOf(role)
  const parts = send({ id: cast.idOf(about, column, caller), cast, caller }) as Parts
  const [method = '', path = ''] = (name.split(' #')[0] ?? '').split(' ')
  return answerTo(app.url, { method, path, token: cast.tokens[role], ...parts })
}

async function callSocket(wire: Wire, { name, role, column }: Cell, { about, send }: Entry): Promise<Outcome> {
  const caller = callerOf(role)
  const ack = (await wire.ask(
    name.split(' #')[0] ?? '',
    send({ id: cast.idOf(about, column, caller), cast, caller }),
  )) as { code?: string; error?: { code: string } } | undefined
  const code = ack === undefined ? 'silence' : (ack.code ?? ack.error?.code ?? 'ok')
  return { outcome: code, text: JSON.stringify([ack, wire.heard.splice(0)]) }
}

function faultsOf({ name, role, column, expected }: Cell, { outcome, text, problem }: Outcome): string[] {
  const [status = '', code = codes[status]] = expected.split(':')
  const wanted = isDone(expected) || Number.isNaN(Number(status)) ? expected : `${status}:${code}`
  const cell = `${name} | ${role} | ${column}`
  const { requestId: _, ...rest } = problem ?? {}
  const isPlain = outcome !== '404:not_found' || JSON.stringify(rest) === missing
  return [
    ...(outcome === wanted ? [] : [`${cell}: ${outcome}, not ${wanted}`]),
    ...(isPlain ? [] : [`${cell}: another 404 than elsewhere: ${JSON.stringify(rest)}`]),
    ...leaksIn(text, callerOf(role)).map((leak) => `${cell}: tells ${leak}`),
  ]
}

/** Targets that belong to others, block the caller, are hidden or don't exist all get this response. */
const missing = JSON.stringify({
  type: 'urn:duet:problem:not_found',
  title: 'Not Found',
  status: 404,
  detail: "There's nothing here.",
  code: 'not_found',
})

/**
 * In `npm test`, only refused cells run: each feature's own tests cover the allowed ones, and restoring rows takes most
 * of the time. If a role is refused for every column, two columns are enough, because it is refused before any lookup.
 */
function quickCells(cells: readonly Cell[]): Cell[] {
  const shown = [...new Set(cells.map(({ column }) => column))].slice(0, 2)
  const isUniform = ({ role, expected }: Cell) =>
    cells.every((other) => other.role !== role || other.expected === expected)
  return cells.filter((cell) => !isDone(cell.expected) && (shown.includes(cell.column) || !isUniform(cell)))
}

/** The rows after the last cell if it changed nothing; reused as the rows before the next cell. */
let unchanged: Map<string, string[]> | undefined

/**
 * First runs the cells that must change nothing, all in one state, then the others, restoring that state before each.
 */
async function run(name: string, entry: Entry, call: (cell: Cell) => Promise<Outcome>): Promise<string[]> {
  const cells = tier === 'quick' ? quickCells(cellsOf(name, entry)) : cellsOf(name, entry)
  const faults: string[] = []
  const before = unchanged ?? (await rows.read())
  for (const cell of cells.filter(({ expected }) => !isDone(expected))) faults.push(...faultsOf(cell, await call(cell)))
  const after = await rows.read()
  faults.push(...differences(before, after).map((row) => `${name}: a refused call changed ${row}`))
  const changes = !name.startsWith('GET ')
  const allowed = cells.filter(({ expected }) => isDone(expected))
  for (const cell of allowed) {
    faults.push(...faultsOf(cell, await call(cell)))
    if (changes) await rows.restore()
  }
  unchanged = allowed.length > 0 ? undefined : after
  told.cells += cells.length
  told.leaks += faults.length
  return faults
}

function differences(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  return [...after].flatMap(([table, now]) => {
    const old = new Set(before.get(table))
    const added = now.filter((row) => !old.has(row)).map((row) => `${table}: ${row}`)
    return now.length < old.size ? [...added, `${table}: fewer rows`] : added
  })
}

describe('the table', () => {
  const called = (table: Table) => [...new Set(Object.keys(table).map((name) => name.split(' #')[0]))].sort()

  it('The table lists every endpoint of the contract and no other.', () => {
    expect(called(routes)).toEqual(api.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('The table lists every socket request and no other.', () => {
    expect(called(socketsTable)).toEqual(Object.keys(requests).sort())
  })
})

const mounted = new Set<string>(api.map(({ method, path }) => `${method} ${path}`))
describe('every endpoint answers every role as the table says', () => {
  it.each(Object.entries(routes).filter(([name]) => mounted.has(name.split(' #')[0] ?? '')))(
    '%s',
    { tags: 'more-in-long' },
    async (name, entry) => {
      expect(await run(name, entry, (cell) => callRoute(cell, entry))).toEqual([])
    },
  )
})

describe('every request of a socket is acknowledged to every role as the table says', () => {
  const wires = new Map<Role, Wire>()
  const present: Wire[] = []
  function closeAll(): void {
    for (const wire of [...wires.values(), ...present.splice(0)]) wire.close()
    wires.clear()
  }
  afterAll(closeAll)

  /**
   * Connects everyone who may connect, because people who are offline would get notifications later, during other
   * requests.
   */
  async function openForAll(): Promise<void> {
    const opened = await Promise.allSettled(names.map((one) => openWire(app.url, cast.people[one].who.token)))
    present.push(...opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  }

  it.each(Object.entries(socketsTable).filter(([name]) => Object.hasOwn(requests, name.split(' #')[0] ?? '')))(
    '%s',
    { tags: 'more-in-long' },
    async (name, entry) => {
      if (present.length === 0) await openForAll()
      const faults = await run(name, entry, async (cell) => {
        const wire =
          wires.get(cell.role) ?? (await openWire(app.url, cast.tokens[cell.role]).catch((error: Error) => error))
        if (wire instanceof Error) return { outcome: wire.message, text: '' }
        wires.set(cell.role, wire)
        return callSocket(wire, cell, entry)
      })
      // Refused requests leave no state on a connection, so connections are reused in `npm test`; other requests do.
      if (tier !== 'quick') closeAll()
      expect(faults).toEqual([])
    },
  )
})
