import { api } from '@duet/contract/api.ts'
import type { EndpointSpec } from '@duet/contract/endpoint.ts'
import { errorStatus, Problem, Refusal } from '@duet/contract/errors.ts'
import type { RequestSpec } from '@duet/contract/event.ts'
import { requests } from '@duet/contract/realtime.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rounds } from '../../../../tools/tier.ts'
import type { TestApp } from '../app.ts'
import { inputsOf } from './arbitraries.ts'
import { type Cast, type Stage, startWithCast } from './authorization/cast.ts'
import { noteFigure } from './figures.ts'
import { knownThings, requestsOf, type Sent, send, tokenOf } from './fuzzing.ts'
import type { Rows } from './rows.ts'
import { openWire, type Wire } from './wire.ts'

const cases = rounds(1, 15, 500)

let app: TestApp
let rows: Rows
let cast: Cast
let close: Stage['close']
beforeAll(async () => {
  ;({ app, rows, cast, close } = await startWithCast('silent'))
  await rows.keep()
})
afterAll(() => close())

const told = { cases: 0, accepted: 0, serverErrors: 0 }
afterAll(() => {
  noteFigure('R3.fuzz_cases', told.cases, `${cases} of every endpoint and socket request`)
  noteFigure('R3.server_errors', told.serverErrors, 'answers of 5xx, hangs, and sockets without an acknowledgement')
})

/** Data about others that a person must never be able to read. */
const secrets = (caller: 'member' | 'admin') =>
  caller === 'admin'
    ? cast.secretsOf('other').slice(1)
    : (['other', 'blocking', 'blocked'] as const).flatMap(cast.secretsOf)

function faultOf(spec: EndpointSpec, { status, text }: Sent, forbidden: string[]): string | undefined {
  const echoed = forbidden.find((secret) => text.includes(secret))
  if (echoed) return `tells ${echoed}`
  const body: unknown = JSON.parse(text)
  if (status < 300) {
    const { success, error } = spec.response.safeParse(body)
    return success ? undefined : `${status} that does not fit: ${z.prettifyError(error)}`
  }
  const { success, data } = Problem.safeParse(body)
  if (!success) return `${status} that is not a problem`
  if (errorStatus[data.code as keyof typeof errorStatus] !== status) return `${status} with the code ${data.code}`
  return status >= 500 ? `${status} ${data.code}` : undefined
}

const endsSessions = new Set([
  'POST /api/user/signOut',
  'POST /api/user/signOutEverywhere',
  'DELETE /api/user/sessions/:id',
])

/** Sends generated requests to an endpoint and returns the faults, each with its request. */
async function fuzz(spec: EndpointSpec, seed: number): Promise<string[]> {
  const caller = spec.access === 'admin' ? 'admin' : 'member'
  const { id } = cast.people[caller].who
  const shared = await tokenOf(rows, id)
  const forbidden = secrets(caller)
  const faults: string[] = []
  const queue = fc.sample(requestsOf(cast, spec), { numRuns: cases, seed })
  const work = async () => {
    for (let wanted = queue.pop(); wanted; wanted = queue.pop()) {
      const token = endsSessions.has(`${spec.method} ${spec.path}`) ? await tokenOf(rows, id) : shared
      const asked = { ...wanted, token }
      const sent = await send(app.url, asked)
      // A response may repeat what the request itself contained.
      const ownWords = JSON.stringify([wanted.params, wanted.query, wanted.body])
      const fault = sent
        ? faultOf(
            spec,
            sent,
            forbidden.filter((secret) => !ownWords.includes(secret)),
          )
        : 'no answer'
      told.cases += 1
      if (sent && sent.status < 300) told.accepted += 1
      if (!sent || sent.status >= 500) told.serverErrors += 1
      if (fault) faults.push(`${fault}: ${ownWords.slice(0, 1_000)}`)
    }
  }
  await Promise.all([work(), work(), work()])
  return faults
}

const shown = 5

describe('an endpoint answers whatever it is sent with what its contract says', () => {
  it.each(api.map((spec, place) => [`${spec.method} ${spec.path}`, spec as EndpointSpec, place] as const))(
    '%s',
    { tags: ['more-in-long', 'more-in-release'] },
    async (_name, spec, place) => {
      const faults = await fuzz(spec, place)
      await rows.restore()
      expect(faults.slice(0, shown)).toEqual([])
    },
  )
})

describe('the cases', () => {
  it('Some cases of each endpoint get past validation.', { tags: ['more-in-long', 'more-in-release'] }, () => {
    noteFigure('R3.fuzz_accepted', told.accepted, 'cases that were let in and done')
    expect(told.accepted).toBeGreaterThan(told.cases * 0.2)
  })
})

const Ok = z.object({ ok: z.literal(true) })
const Failed = z.union([Refusal, z.object({ error: z.object({ code: z.string() }) })])

function socketFault({ ack }: RequestSpec, answer: unknown): string | undefined {
  if (answer === undefined) return 'no acknowledgement'
  const text = JSON.stringify(answer)
  if (/"code":"(internal|unavailable|unknown_event)"/.test(text)) return text
  return z.union([ack ?? Ok, Failed]).safeParse(answer).success ? undefined : `does not fit: ${text}`
}

async function fuzzSocket(name: string, spec: RequestSpec, token: string): Promise<string[]> {
  const faults: string[] = []
  const forbidden = secrets('member')
  let wire: Wire = await openWire(app.url, token)
  for (const payload of fc.sample(inputsOf(spec.payload, knownThings(cast)), { numRuns: cases, seed: 1 })) {
    if (!wire.isOpen()) wire = await openWire(app.url, token)
    const answer = await wire.ask(name, payload)
    const heard = JSON.stringify([answer, wire.heard.splice(0)])
    const echoed = forbidden.find((secret) => heard.includes(secret))
    const fault = echoed ? `tells ${echoed}` : socketFault(spec, answer)
    told.cases += 1
    if (answer === undefined || fault?.includes('"internal"')) told.serverErrors += 1
    if (fault) faults.push(`${fault}: ${JSON.stringify(payload)?.slice(0, 1_000)}`)
  }
  wire.close()
  return faults
}

describe('a request of a socket is acknowledged whatever it carries', () => {
  it.each(Object.entries(requests) as [string, RequestSpec][])(
    '%s',
    { tags: ['more-in-long', 'more-in-release'] },
    async (name, spec) => {
      const faults = await fuzzSocket(name, spec, await tokenOf(rows, cast.people.member.who.id))
      await rows.restore()
      expect(faults.slice(0, shown)).toEqual([])
    },
  )
})
