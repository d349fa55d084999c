import type { Api } from '@duet/contract/api.ts'
import type { RequestOf, ResponseOf } from '@duet/contract/endpoint.ts'
import i18next from 'i18next'
import { offlineProblem, type ProblemError, toProblemError } from './problem.ts'
import { useSession } from './session.ts'

export type EndpointName = keyof Api
export type CallRequest<K extends EndpointName> = RequestOf<Api[K]> & Sending
export type CallResponse<K extends EndpointName> = ResponseOf<Api[K]>
type Arguments<K extends EndpointName> =
  object extends RequestOf<Api[K]> ? [request?: CallRequest<K>] : [request: CallRequest<K>]

interface Sending {
  signal?: AbortSignal
  /** How long to wait for the response, in ms. After that, the call fails with `offline`. */
  patience?: number
  onHeaders?(headers: Headers): void
}

export interface AnyRequest extends Sending {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
}

/**
 * In ms. Needed because a request may hang forever when the network changes. Uploads and other forms never time out.
 */
const longestPatience = 60_000

/** The maximum body, in characters, for `keepalive`. Browsers allow 64 KiB in total for all such requests. */
const longestBody = 4_096

async function withEnd<T>(parts: AnyRequest, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, form, patience = longestPatience } = parts
  const end = new AbortController()
  const stop = () => end.abort()
  const timer = form ? undefined : setTimeout(stop, patience)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  try {
    return await act(end.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

export function requestLine(
  name: EndpointName,
  { params = {}, query = {} }: AnyRequest,
): { method: string; url: string } {
  const [method = 'GET', template = ''] = name.split(' ')
  const path = template.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()
  return { method, url: search ? `${path}?${search}` : path }
}

// So that the server writes emails in the language of the page, not that of the browser.
const spoken = (): Record<string, string> => (i18next.language ? { 'accept-language': i18next.language } : {})

export const bearer = (): Record<string, string> => {
  const token = useSession.getState().user?.token
  return token ? { authorization: `Bearer ${token}` } : {}
}

/**
 * Signs the person out if the server no longer accepts their token. A wrong code or password is also a 401, but with a
 * different error code, and doesn't end the session. If the account is suspended, makes every screen show the
 * reason. Does neither if someone else has signed in since the request.
 */
export function refuse(error: ProblemError, { authorization }: Record<string, string>): ProblemError {
  const isOfNow = authorization !== undefined && bearer().authorization === authorization
  if (isOfNow && error.code === 'unauthenticated') useSession.getState().forget()
  if (isOfNow && error.code === 'suspended') useSession.getState().setSuspended(true)
  return error
}

export async function call<K extends EndpointName>(name: K, ...[request]: Arguments<K>): Promise<CallResponse<K>> {
  const parts: AnyRequest = request ?? {}
  return withEnd(parts, (signal) => ask(name, parts, signal))
}

async function ask<K extends EndpointName>(name: K, parts: AnyRequest, signal: AbortSignal): Promise<CallResponse<K>> {
  const { method, url } = requestLine(name, parts)
  const headers = { ...bearer(), ...spoken() }
  const init: RequestInit = { method, headers, signal }
  const json = parts.body === undefined ? '' : JSON.stringify(parts.body)
  if (parts.form) init.body = parts.form
  if (json) {
    init.body = json
    init.headers = { ...headers, 'content-type': 'application/json' }
  }
  // Many changes are shown before the server responds, so their requests must survive closing the page.
  init.keepalive = method !== 'GET' && !parts.form && json.length <= longestBody
  const response = await fetch(url, init).catch((error: unknown) => {
    throw parts.signal?.aborted ? error : offlineProblem()
  })
  const body: unknown = await response.json().catch((error: unknown) => {
    if (parts.signal?.aborted) throw error
  })
  // The connection broke after the headers, or the response isn't from Duet. Either way, the outcome is unknown.
  if (response.ok && body === undefined) throw offlineProblem()
  if (response.ok) {
    parts.onHeaders?.(response.headers)
    return body as CallResponse<K>
  }
  throw refuse(toProblemError(response.status, body, response.headers.get('retry-after')), headers)
}
