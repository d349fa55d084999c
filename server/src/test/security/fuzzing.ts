import { randomUUID } from 'node:crypto'
import type { EndpointSpec } from '@duet/contract/endpoint.ts'
import fc, { type Arbitrary } from 'fast-check'
import type { z } from 'zod'
import { hashToken, newToken } from '../../platform/security/session.ts'
import { standstillMs } from '../standstill.ts'
import { inputsOf, type Known } from './arbitraries.ts'
import type { Cast } from './authorization/cast.ts'
import { addressOf, type Wanted } from './requests.ts'
import type { Rows } from './rows.ts'

/** Ids and values of existing data, of the member who sends the requests and of others. */
export function knownThings(cast: Cast): Known {
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

/** Creates a session directly in the database, because signing in for every request takes too long. */
export async function tokenOf(rows: Rows, userId: string): Promise<string> {
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

/** Forms that contain a picture, garbage or unknown fields. */
const formsWith = (picture: Blob): Arbitrary<FormData> =>
  fc
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
        if (content === 'picture') form.append(name, picture, 'photo.jpg')
        else if (typeof content === 'string') form.append(name, content)
        else form.append(name, new Blob([new Uint8Array(content)]), '../../x.webp')
      }
      return form
    })

const nothing = fc.constant(undefined)

export function requestsOf(cast: Cast, spec: EndpointSpec): Arbitrary<Omit<Wanted, 'token'>> {
  const known = knownThings(cast)
  const part = (schema: z.ZodType | undefined) => (schema ? inputsOf(schema, known) : nothing)
  return fc
    .tuple(part(spec.params), part(spec.query), part(spec.body), spec.multipart ? formsWith(cast.picture) : nothing)
    .map(([params, query, body, form]) => ({
      method: spec.method,
      path: spec.path,
      ...(params !== undefined && { params: textsOf(params) }),
      ...(query !== undefined && { query: textsOf(query) }),
      ...(body !== undefined && { body }),
      ...(form && { form }),
    }))
}

export interface Sent {
  status: number
  text: string
}

export async function send(url: string, wanted: Wanted): Promise<Sent | undefined> {
  const body = wanted.form ?? (wanted.body === undefined ? null : JSON.stringify(wanted.body))
  const headers: Record<string, string> = {
    ...(wanted.token && { authorization: `Bearer ${wanted.token}` }),
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(standstillMs)
  try {
    const response = await fetch(url + addressOf(wanted), { method: wanted.method, headers, body, signal })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return undefined
    throw error
  }
}
