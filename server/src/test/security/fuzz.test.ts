import { randomUUID } from 'node:crypto'
import { api } from '@duet/contract/api.ts'
import type { EndpointSpec } from '@duet/contract/endpoint.ts'
import { errorStatus, Problem, Refusal } from '@duet/contract/errors.ts'
import type { RequestSpec } from '@duet/contract/event.ts'
import { requests } from '@duet/contract/realtime.ts'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rounds } from '../../../../tools/tier.ts'
import { hashToken, newToken } from '../../platform/security/session.ts'
import type { TestApp } from '../app.ts'
import { standstillMs } from '../standstill.ts'
import { inputsOf, type Known } from './arbitraries.ts'
import { type Cast, type Stage, startWithCast } from './authorization/cast.ts'
import { noteFigure } from './figures.ts'
import { addressOf, type Wanted } from './requests.ts'
import type { Rows } from './rows.ts'
import { openWire, type Wire } from './wire.ts'

const cases = rounds(2, 15, 500)

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

/** What is there for the member, who sends the cases, and what is not theirs. */
function knownThings(): Known {
  const { member, other, blocking } = cast.people
  const ids = [member.who.id, other.who.id, other.who.id, blocking.who.id, randomUUID()]
  const photos = [member.photo, other.photo]
  return {
    ...{ userId: ids, withUserId: ids, withUser: ids, to: ids, conversationId: ids, receiverId: ids, with: ids },
    senderId: [member.who.id, member.who.id, other.who.id],
    id: [
      ...ids,
      member.notification,
      other.notification,
      member.session,
      other.session,
      other.verification,
      ...[other.appeal, other.review, other.sanction, other.report, member.date, other.date],
      'day_rhythm',
    ],
    receipt: [other.report, member.report],
    sanctionId: [member.sanction, other.sanction],
    ...{ fileName: photos, imageFileName: photos, images: photos },
    ...{ seq: [1, 2], version: ['0', '7'], email: [other.email, 'new@canary.example'], otp: ['00000000'] },
    choice: ['early', 'late'],
    cityId: [2_267_057],
    since: ['09', '99999999999999999999'],
  }
}

/** A session of a person, made in the database: signing in takes too long to be done for every case. */
async function tokenOf(userId: string): Promise<string> {
  const token = newToken()
  await rows.query(
    `insert into sessions (token_hash, user_id, device, created_at, authenticated_at, last_seen_at, idle_expires_at, expires_at)
     values ($1, $2, 'Fuzz', now(), now(), now(), now() + interval '1 hour', now() + interval '1 hour')`,
    [hashToken(token), userId],
  )
  return token
}

const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd').slice(0, 290)
const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : { x: value }).map(([key, part]) => [
      wellFormed(key),
      wellFormed(typeof part === 'object' ? JSON.stringify(part) : String(part)),
    ]),
  )

/** Forms with a picture, with garbage, and with unknown fields. */
const forms: Arbitrary<FormData> = fc
  .array(
    fc.record({
      name: fc.constantFrom('file', 'size', 'name', 'file_0', 'size_0', 'durationMs', 'waveform', '__proto__', 'x'),
      content: fc.oneof(
        fc.constant('picture'),
        fc.constantFrom('12', '[1,2]', '-1', '', 'x'.repeat(1_500)),
        fc.uint8Array({ maxLength: 400 }),
      ),
    }),
    { maxLength: 4 },
  )
  .map((parts) => {
    const form = new FormData()
    for (const { name, content } of parts) {
      if (content === 'picture') form.append(name, cast.picture, 'photo.jpg')
      else if (typeof content === 'string') form.append(name, content)
      else form.append(name, new Blob([new Uint8Array(content)]), '../../x.webp')
    }
    return form
  })

const nothing = fc.constant(undefined)

function requestsOf(spec: EndpointSpec): Arbitrary<Omit<Wanted, 'token'>> {
  const known = knownThings()
  const part = (schema: z.ZodType | undefined) => (schema ? inputsOf(schema, known) : nothing)
  return fc
    .tuple(part(spec.params), part(spec.query), part(spec.body), spec.multipart ? forms : nothing)
    .map(([params, query, body, form]) => ({
      method: spec.method,
      path: spec.path,
      ...(params !== undefined && { params: textsOf(params) }),
      ...(query !== undefined && { query: textsOf(query) }),
      ...(body !== undefined && { body }),
      ...(form && { form }),
    }))
}

interface Sent {
  status: number
  text: string
}

/** Undefined when no answer came. */
async function send(wanted: Wanted): Promise<Sent | undefined> {
  const body = wanted.form ?? (wanted.body === undefined ? null : JSON.stringify(wanted.body))
  const headers: Record<string, string> = {
    ...(wanted.token && { authorization: `Bearer ${wanted.token}` }),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(standstillMs)
  try {
    const response = await fetch(app.url + addressOf(wanted), { method: wanted.method, headers, body, signal })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return undefined
    throw error
  }
}

/** What a person must never read of the others. */
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

/** Sends cases to an endpoint; what went wrong, with the case. */
async function fuzz(spec: EndpointSpec, seed: number): Promise<string[]> {
  const caller = spec.access === 'admin' ? 'admin' : 'member'
  const { id } = cast.people[caller].who
  const shared = await tokenOf(id)
  const forbidden = secrets(caller)
  const faults: string[] = []
  const queue = fc.sample(requestsOf(spec), { numRuns: cases, seed })
  const work = async () => {
    for (let wanted = queue.pop(); wanted; wanted = queue.pop()) {
      const token = endsSessions.has(`${spec.method} ${spec.path}`) ? await tokenOf(id) : shared
      const asked = { ...wanted, token }
      const sent = await send(asked)
      // What a case sent itself may come back to it.
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

/** How many faults are printed: the first few tell enough. */
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
  it('are not all turned away at the door', { tags: ['more-in-long', 'more-in-release'] }, () => {
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
  for (const payload of fc.sample(inputsOf(spec.payload, knownThings()), { numRuns: cases, seed: 1 })) {
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
      const faults = await fuzzSocket(name, spec, await tokenOf(cast.people.member.who.id))
      await rows.restore()
      expect(faults.slice(0, shown)).toEqual([])
    },
  )
})
