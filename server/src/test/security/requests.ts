import type { Problem } from '@duet/contract/errors.ts'

export interface Wanted {
  method: string
  path: string
  token?: string | undefined
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  form?: FormData
}

export interface Outcome {
  /** The status and, for a refusal, its code after a colon. */
  outcome: string
  text: string
  problem?: Problem
}

export function addressOf({ path, params = {}, query = {} }: Pick<Wanted, 'path' | 'params' | 'query'>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return search.size > 0 ? `${filled}?${search}` : filled
}

export async function answerTo(url: string, { method, token, body, form, ...address }: Wanted): Promise<Outcome> {
  const sent = form ?? (body === undefined ? null : JSON.stringify(body))
  const headers: Record<string, string> = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
  }
  const response = await fetch(url + addressOf(address), { method, headers, body: sent })
  const text = await response.text()
  if (response.ok) return { outcome: String(response.status), text }
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  if (!isProblem) return { outcome: `${response.status}:not a problem`, text }
  const problem = JSON.parse(text) as Problem
  return { outcome: `${response.status}:${problem.code}`, text, problem }
}
