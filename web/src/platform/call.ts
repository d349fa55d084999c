import type { Api } from '@duet/contract/api.ts'
import type { RequestOf, ResponseOf } from '@duet/contract/endpoint.ts'
import i18next from 'i18next'
import { offlineProblem, type ProblemError, toProblemError } from './problem.ts'
import { useSession } from './session.ts'

export type EndpointName = keyof Api
export type CallRequest<K extends EndpointName> = RequestOf<Api[K]> & { signal?: AbortSignal }
export type CallResponse<K extends EndpointName> = ResponseOf<Api[K]>
type Arguments<K extends EndpointName> =
  object extends RequestOf<Api[K]> ? [request?: CallRequest<K>] : [request: CallRequest<K>]

interface AnyRequest {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
  signal?: AbortSignal
}

/** Splits `PATCH /api/photos/:fileName` and fills in its params and query. */
function address(name: EndpointName, { params = {}, query = {} }: AnyRequest): { method: string; url: string } {
  const [method = 'GET', template = ''] = name.split(' ')
  const path = template.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()
  return { method, url: search ? `${path}?${search}` : path }
}

// What is mailed comes in the language of the page, not of the browser.
const spoken = (): Record<string, string> => (i18next.language ? { 'accept-language': i18next.language } : {})

/** The bearer header when a stored user has a token, and no header otherwise. */
const bearer = (): Record<string, string> => {
  const token = useSession.getState().user?.token
  return token ? { authorization: `Bearer ${token}` } : {}
}

/**
 * A token that the server no longer knows is of no use: its holder is signed out; a wrong code or password, which is
 * refused with 401 too, ends no session. Suspended people see why, on every screen. Neither touches a person
 * who has signed in since.
 */
function refuse(error: ProblemError, { authorization }: Record<string, string>): ProblemError {
  const isOfNow = authorization !== undefined && bearer().authorization === authorization
  if (isOfNow && error.code === 'unauthenticated') useSession.getState().forget()
  if (isOfNow && error.code === 'suspended') useSession.getState().setSuspended(true)
  return error
}

/** Calls one endpoint of the contract. Throws ProblemError; its code is `offline` when no answer came. */
export async function call<K extends EndpointName>(name: K, ...[request]: Arguments<K>): Promise<CallResponse<K>> {
  const parts: AnyRequest = request ?? {}
  const { method, url } = address(name, parts)
  const headers = { ...bearer(), ...spoken() }
  const init: RequestInit = { method, headers, signal: parts.signal ?? null }
  if (parts.form) init.body = parts.form
  if (parts.body !== undefined) {
    init.body = JSON.stringify(parts.body)
    init.headers = { ...headers, 'content-type': 'application/json' }
  }
  const response = await fetch(url, init).catch((error: unknown) => {
    throw parts.signal?.aborted ? error : offlineProblem()
  })
  const body: unknown = await response.json().catch((error: unknown) => {
    if (parts.signal?.aborted) throw error
  })
  // The line broke after the headers, or what answered is not Duet: whether it was done is not known.
  if (response.ok && body === undefined) throw offlineProblem()
  if (response.ok) return body as CallResponse<K>
  throw refuse(toProblemError(response.status, body, response.headers.get('retry-after')), headers)
}

type MultipartName = { [K in EndpointName]: Api[K] extends { multipart: true } ? K : never }[EndpointName]

/** Calls a multipart endpoint and tells how far it got, from 0 to 1. */
export function upload<K extends MultipartName>(
  name: K,
  request: CallRequest<K>,
  onProgress: (share: number) => void,
): Promise<CallResponse<K>> {
  const parts: AnyRequest = request
  const { method, url } = address(name, parts)
  const headers = bearer()
  return new Promise((resolve, reject) => {
    const transfer = new XMLHttpRequest()
    transfer.open(method, url)
    transfer.responseType = 'json'
    for (const [key, value] of Object.entries(headers)) transfer.setRequestHeader(key, value)
    transfer.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    transfer.onerror = () => reject(offlineProblem())
    transfer.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    transfer.onload = () => {
      const { status, response } = transfer
      const isOk = status >= 200 && status < 300
      if (isOk && response === null) return reject(offlineProblem())
      if (isOk) return resolve(response as CallResponse<K>)
      reject(refuse(toProblemError(status, response, transfer.getResponseHeader('retry-after')), headers))
    }
    parts.signal?.addEventListener('abort', () => transfer.abort())
    transfer.send(parts.form ?? null)
  })
}
