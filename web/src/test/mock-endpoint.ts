import { vi } from 'vitest'
import type { CallResponse, EndpointName } from '../platform/call.ts'

export interface SeenCall {
  url: URL
  headers: Headers
  body: unknown
}
type Given<K extends EndpointName> = CallResponse<K> | Response
type Answer<K extends EndpointName> = (call: SeenCall) => Given<K> | Promise<Given<K>>

const answers = new Map<EndpointName, (call: SeenCall) => unknown>()

function fits(name: EndpointName, method: string, path: string): boolean {
  const [wanted, template = ''] = name.split(' ')
  const pattern = new RegExp(`^${template.replace(/:\w+/g, '[^/]+')}$`)
  return wanted === method && pattern.test(path)
}

// Literal paths take precedence over those with parameters, as they do on the server.
const byPlainness = (one: EndpointName, other: EndpointName) => Number(one.includes(':')) - Number(other.includes(':'))

async function answer(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(String(input), 'http://localhost')
  const name = [...answers.keys()].sort(byPlainness).find((key) => fits(key, init.method ?? 'GET', url.pathname))
  if (!name) throw new Error(`This test has no mock for ${init.method ?? 'GET'} ${url.pathname}.`)
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
  const given = await answers.get(name)?.({ url, headers: new Headers(init.headers), body })
  return given instanceof Response ? given : Response.json(given)
}

/** Returns the list of requests, which grows as they arrive. */
export function mockEndpoint<K extends EndpointName>(name: K, give: Answer<K>): SeenCall[] {
  const seen: SeenCall[] = []
  answers.set(name, (call) => {
    seen.push(call)
    return give(call)
  })
  vi.stubGlobal('fetch', vi.fn(answer))
  return seen
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { type: 'about:blank', title: code, status, detail: code, code, requestId: 'test' }
  return Response.json(body, { status, headers })
}

export function resetEndpoints(): void {
  answers.clear()
  vi.unstubAllGlobals()
}
