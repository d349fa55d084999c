import type { TestApp } from '../../test/app.ts'
import type { TestProvider } from '../../test/oidc-provider.ts'

export const publicUrl = 'https://duet.example'

interface Answer {
  status: number
  body: Record<string, unknown> & { code?: string }
}

/** A browser that stores cookies per host and follows redirects. */
export interface Visitor {
  /** Starts a sign-in and returns the provider's URL. */
  start(body?: object): Promise<string>
  /**
   * Opens a URL and follows redirects, up to a redirect to `end` on our own server. Returns the final URL and its text.
   */
  open(address: string, form?: Record<string, string>, end?: string): Promise<{ at: string; text: string }>
  /** Starts a sign-in, completes it at the provider, and returns the URL that this leads to. */
  signInAt(subject: string, body?: object): Promise<string>
  post(path: string, body: object): Promise<Answer>
  signIn(subject: string, body?: object): Promise<Answer>
  cookies: Map<string, string>
}

export const codeIn = (address: string) => /#oidc=([\w-]{43})$/.exec(address)?.[1] ?? ''

export function visitor(
  app: TestApp,
  { userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' } = {},
): Visitor {
  const cookies = new Map<string, string>()
  const real = (address: string) => address.replace(publicUrl, app.url)
  const ask = async (address: string, init: RequestInit = {}) => {
    const { origin } = new URL(address)
    const mine = [...cookies].flatMap(([name, value]) =>
      name.startsWith(`${origin} `) ? [`${name.slice(origin.length + 1)}=${value}`] : [],
    )
    const headers = {
      'user-agent': userAgent,
      ...(init.headers as object),
      ...(mine.length > 0 && { cookie: mine.join('; ') }),
    }
    const response = await fetch(real(address), { ...init, headers, redirect: 'manual' })
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(one)) cookies.delete(`${origin} ${name}`)
      else cookies.set(`${origin} ${name}`, value)
    }
    return response
  }
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await ask(publicUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
  const open: Visitor['open'] = async (address, form, end = '/login') => {
    const response = await ask(address, form ? { method: 'POST', body: new URLSearchParams(form) } : {})
    const to = response.headers.get('location')
    const next = to && new URL(to, address).href
    // Stops at pages of the web app, because test servers don't serve them.
    if (next?.startsWith(publicUrl + end)) return { at: next, text: '' }
    return next ? open(next, undefined, end) : { at: address, text: await response.text() }
  }
  const start = async (body: object = {}) => {
    const answer = await post('/api/user/oidc/start', { staySignedIn: false, ...body })
    if (answer.status !== 200) throw new Error(`no start: ${JSON.stringify(answer)}`)
    return String(answer.body.url)
  }
  const signInAt = async (subject: string, body?: object) => {
    const { at } = await open(await start(body))
    return at.includes('/interaction/') ? (await open(at, { account: subject })).at : at
  }
  const signIn = async (subject: string, body?: object) =>
    post('/api/user/oidc/finish', { code: codeIn(await signInAt(subject, body)) })
  return { start, open, signInAt, post, signIn, cookies }
}

export function member(provider: TestProvider, email: string, verified: unknown = true): string {
  const subject = crypto.randomUUID()
  provider.people.set(subject, { email, email_verified: verified })
  return subject
}
