import { api } from '@duet/contract/api.ts'
import type { EndpointSpec } from '@duet/contract/endpoint.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { type Stage, startWithCast } from './authorization/cast.ts'
import { firstSeed, noteFigure } from './figures.ts'
import { requestsOf, type Sent, send, tokenOf } from './fuzzing.ts'
import type { Wanted } from './requests.ts'

/** How many endpoints are written to, and how many accepted writes each gets. Everything is read after each write. */
const most = { endpoints: rounds(2, api.length), writes: rounds(1, 1, 2), texts: rounds(1, 4, 40) }
/** Generous, because half of the inputs are invalid, and the current state forbids others. */
const tries = 40

let stage: Stage
const told = { requests: 0, accepted: 0, serverErrors: 0 }
beforeAll(async () => {
  stage = await startWithCast('silent')
})
afterAll(async () => {
  noteFigure(
    'A1.second_order_requests',
    told.requests,
    'writes, and reads of everything by everyone after each of them',
  )
  noteFigure('A1.second_order_accepted', told.accepted, 'writes that were accepted')
  noteFigure('A1.second_order_errors', told.serverErrors, 'answers of 5xx, and hangs')
  await stage.close()
})

type Reader = 'member' | 'other' | 'admin'
const readers: readonly Reader[] = ['member', 'other', 'admin']
const specs = api as readonly EndpointSpec[]
/** The pool endpoint only counts and stores nothing. */
const isRead = ({ method, path }: EndpointSpec) => method === 'GET' || path === '/api/pool'
const nameOf = ({ method, path }: EndpointSpec) => `${method} ${path}`

async function ask(wanted: Wanted): Promise<Sent | undefined> {
  const sent = await send(stage.app.url, wanted)
  told.requests += 1
  if (!sent || sent.status >= 500) told.serverErrors += 1
  return sent
}

async function readsOf(reader: Reader, token: string): Promise<Wanted[]> {
  const reads = specs.filter((spec) => isRead(spec) && (reader === 'admin' || spec.access !== 'admin'))
  return Promise.all(
    reads.map(async (spec) => {
      const samples = fc.sample(requestsOf(stage.cast, spec), { numRuns: tries, seed: 1 })
      for (const sample of samples) {
        const { status = 0 } = (await send(stage.app.url, { ...sample, token })) ?? {}
        if (status < 300) return { ...sample, token }
      }
      return { ...(samples[0] as Wanted), token }
    }),
  )
}

async function faultsOf(reads: readonly Wanted[]): Promise<string[]> {
  const faults: string[] = []
  const queue = [...reads]
  const work = async () => {
    for (let wanted = queue.pop(); wanted; wanted = queue.pop()) {
      const sent = await ask(wanted)
      if (!sent || sent.status >= 500) faults.push(`${wanted.method} ${wanted.path}: ${sent?.status ?? 'no answer'}`)
    }
  }
  await Promise.all([work(), work(), work()])
  return faults
}

/** Requests that would end the readers' sessions or delete people. */
const ending = new Set([
  ...['POST /api/user/signOut', 'POST /api/user/signOutEverywhere', 'DELETE /api/user/sessions/:id'],
  ...['PUT /api/user/password', 'DELETE /api/user/password', 'POST /api/user/addressChange/undo'],
])
/** Endpoints that store texts which are processed later, so they are always included. */
const always = ['PATCH /api/privacy', 'PATCH /api/user/updateUser', 'PUT /api/notifications/preferences']

function chosen(): EndpointSpec[] {
  const writes = specs.filter((spec) => !isRead(spec) && !ending.has(nameOf(spec)))
  const others = writes.filter((spec) => !always.includes(nameOf(spec)))
  const [drawn = []] = fc.sample(
    fc.shuffledSubarray(others, {
      minLength: Math.min(most.endpoints, others.length),
      maxLength: Math.min(most.endpoints, others.length),
    }),
    { seed: firstSeed(1), numRuns: 1 },
  )
  return [...writes.filter((spec) => always.includes(nameOf(spec))), ...drawn]
}

it('After any accepted write, everyone can still read everything.', {
  tags: ['more-in-long', 'more-in-release'],
  timeout: 3_600_000,
}, async () => {
  const { cast, rows } = stage
  const tokens = Object.fromEntries(
    await Promise.all(
      readers.map(async (reader) => [reader, await tokenOf(rows, cast.people[reader].who.id)] as const),
    ),
  ) as Record<Reader, string>
  await rows.keep()
  const reads = (await Promise.all(readers.map((reader) => readsOf(reader, tokens[reader])))).flat()
  await rows.restore()
  const faults: string[] = []
  const endpoints = chosen()
  for (const [place, spec] of endpoints.entries()) {
    const token = tokens[spec.access === 'admin' ? 'admin' : 'member']
    const enough = always.includes(nameOf(spec)) ? most.texts : most.writes
    const samples = { numRuns: tries * enough, seed: firstSeed(1) + place }
    let accepted = 0
    for (const wanted of fc.sample(requestsOf(cast, spec), samples)) {
      const { status = 0 } = (await ask({ ...wanted, token })) ?? {}
      if (status === 0 || status >= 300) continue
      told.accepted += 1
      accepted += 1
      const found = await faultsOf(reads)
      const written = JSON.stringify([wanted.params, wanted.body]).slice(0, 500)
      faults.push(...found.map((fault) => `after ${nameOf(spec)} ${written}: ${fault}`))
      if (accepted === enough) break
    }
    await rows.restore()
  }
  expect(faults.slice(0, 5)).toEqual([])
  expect(told.accepted).toBeGreaterThan(endpoints.length / 3)
})
