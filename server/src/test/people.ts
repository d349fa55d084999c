import { randomUUID } from 'node:crypto'
import type { Session } from '@duet/contract/accounts.ts'
import type { Api } from '@duet/contract/api.ts'
import type { RequestOf, ResponseOf } from '@duet/contract/endpoint.ts'
import type { Problem } from '@duet/contract/errors.ts'
import type { ProfileChanges } from '@duet/contract/profiles.ts'
import { putCode } from '../features/accounts/accounts.queries.ts'
import { after, minutes } from '../platform/clock.ts'
import type { TestApp } from './app.ts'

export interface Answer<B> {
  status: number
  headers: Headers
  body: B & Omit<Problem, 'status'>
}

export interface Caller {
  call<K extends keyof Api>(endpoint: K, request?: RequestOf<Api[K]>): Promise<Answer<ResponseOf<Api[K]>>>
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Record<string, unknown>>>
}

export interface Person extends Caller, Session {}

interface Parts {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
}

function pathOf(path: string, { params = {}, query }: Parts): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return search.size > 0 ? `${filled}?${search}` : filled
}

async function answerOf(response: Response): Promise<Answer<never>> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : { text }) as never }
}

export function caller(url: string, token?: string): Caller {
  const auth: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  return {
    async call(endpoint, request) {
      const [method, path] = endpoint.split(' ') as [string, string]
      const parts = (request ?? {}) as Parts
      const body = parts.form ?? (parts.body === undefined ? null : JSON.stringify(parts.body))
      const json: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
      return answerOf(await fetch(url + pathOf(path, parts), { method, headers: { ...auth, ...json }, body }))
    },
    async send(method, path, body, headers = {}) {
      const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
      return answerOf(await fetch(url + path, { method, headers: { ...auth, ...json, ...headers }, body: text }))
    },
  }
}

interface Wanted extends Omit<ProfileChanges, 'images'> {
  email?: string
  birthDate?: string
  password?: string
  at?: { latitude: number; longitude: number }
  /** Requests a code and reads it from the email, as the app does. */
  byMail?: boolean
}

const code = '27182818'

async function codeAsMailed({ platform, clock }: TestApp, email: string): Promise<string> {
  const now = clock.now()
  const kept = {
    email: email.toLowerCase(),
    hash: await platform.hasher.hash(code),
    now,
    expiresAt: after(now, minutes(10)),
  }
  await putCode(platform.db, kept)
  return code
}

/** Signs a person up like the app does, by default without the email, and sets the given profile fields. */
export async function person(app: TestApp, wanted: Wanted = {}): Promise<Person> {
  const {
    email = `${randomUUID()}@example.com`,
    birthDate = '1994-05-17',
    password,
    at,
    byMail = false,
    name = 'Jun',
    ...changes
  } = wanted
  const anonymous = caller(app.url)
  if (byMail) await anonymous.call('POST /api/user/requestOtp', { body: { email } })
  const otp = await (byMail ? app.codeFor(email) : codeAsMailed(app, email))
  const registration = { email, otp, name, birthDate, acceptTerms: true as const, ...(password && { password }) }
  const { status, body } = await anonymous.call('POST /api/user/register', { body: registration })
  if (status !== 201) throw new Error(`sign-up failed: ${JSON.stringify(body)}`)
  const signedIn = caller(app.url, body.token)
  if (at) await signedIn.call('PATCH /api/user/updateLocation', { body: at })
  if (Object.keys(changes).length > 0) await signedIn.call('PATCH /api/user/updateUser', { body: changes })
  return { ...body, ...signedIn }
}

export function people(app: TestApp, count: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: count }, () => person(app)))
}
