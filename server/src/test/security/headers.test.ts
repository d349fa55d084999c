import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { api } from '@duet/contract/api.ts'
import { listCursorHeader } from '@duet/contract/limits.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { createTestDatabase } from '../database.ts'
import { type Person, person } from '../people.ts'
import { noteFigure } from './figures.ts'

let app: TestApp
let ana: Person
let folder: string
let pages: Awaited<ReturnType<typeof createApp>>
let pagesUrl: string
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'silent' })
  ana = await person(app)
  folder = await mkdtemp(join(tmpdir(), 'duet-headers-'))
  await mkdir(join(folder, 'web/assets'), { recursive: true })
  await writeFile(join(folder, 'web/index.html'), '<!doctype html><title>Duet</title>')
  await writeFile(join(folder, 'web/assets/app.js'), 'export {}')
  await writeFile(join(folder, 'secret.key'), 'outside')
  database = await createTestDatabase()
  const config = readConfig({
    ...{ DATA_DIR: folder, DEMO: 'off', LOG_LEVEL: 'silent', RATE_LIMIT_SCALE: '0.001' },
    ...{ SECRET_KEY: 'a key for tests, long enough to be one', PUBLIC_URL: 'https://duet.example' },
  })
  pages = await createApp({ config, owner: database.config, webFolder: join(folder, 'web'), noticeMs: 0 })
  await pages.http.listen({ port: 0, host: '127.0.0.1' })
  pagesUrl = `http://127.0.0.1:${(pages.http.server.address() as { port: number }).port}`
})
let database: Awaited<ReturnType<typeof createTestDatabase>>
afterAll(async () => {
  await app.close()
  await pages.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const dataPolicy = "default-src 'none';frame-ancestors 'none'"
const filePolicy = "default-src 'none'; sandbox"
const pagePolicy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' blob: data:"],
  ...["media-src 'self' blob:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'"],
  ...["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'"],
  ...["require-trusted-types-for 'script'", 'trusted-types duet-service-worker'],
].join(';')

const always = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(self), microphone=(self), payment=(), usb=(), browsing-topics=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
}
const never = ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin', 'www-authenticate']

const told = (headers: Headers, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headers.get(name)]))

interface Case {
  status: number
  policy?: string
  cache?: string | null
  type?: string | null
  get(): Promise<Response>
}

const send = (path: string, init: RequestInit = {}, url = () => app.url) =>
  fetch(url() + path, { ...init, headers: { ...(init.headers as Record<string, string>) } })
const asAna = (path: string, init: RequestInit = {}) =>
  send(path, { ...init, headers: { authorization: `Bearer ${ana.token}`, ...(init.headers as object) } })
const json = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } })
const problem = { policy: dataPolicy, cache: 'no-store', type: 'application/problem+json; charset=utf-8' }
const asData = { policy: dataPolicy, cache: 'no-store', type: 'application/json; charset=utf-8' }

async function ownPhoto(): Promise<string> {
  const { jpeg } = await import('../attachments.ts')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await jpeg())]), 'a.jpg')
  const { body } = await ana.call('PATCH /api/user/:userId/image', { params: { userId: ana.id }, form })
  return body.photos[0]?.url ?? ''
}

async function broken(): Promise<Response> {
  const { query } = app.platform.pool
  app.platform.pool.query = (() => Promise.reject(new Error('a fault of the house'))) as never
  try {
    return await asAna('/api/user/myDetails')
  } finally {
    app.platform.pool.query = query
  }
}

async function tooOften(): Promise<Response> {
  const post = () => send('/api/user/requestOtp', json('{"email":"a@example.com"}'), () => pagesUrl)
  for (let n = 0; n < 3; n++) await post()
  return post()
}

const cases: Record<string, Case> = {
  'an answer': { status: 200, ...asData, get: () => asAna('/api/user/myDetails') },
  'a body that cannot be read (400)': { status: 400, ...problem, get: () => send('/api/user/requestOtp', json('{')) },
  'an address that cannot be read (400)': { status: 400, ...problem, get: () => asAna('/api/user/%ff') },
  'an address that is too long (404)': { status: 404, ...problem, get: () => asAna(`/api/user/${'1'.repeat(400)}`) },
  'one where there are pages (404)': {
    ...{ status: 404, ...problem },
    get: () => send(`/api/user/${'1'.repeat(400)}`, {}, () => pagesUrl),
  },
  'no one signed in (401)': { status: 401, ...problem, get: () => send('/api/user/myDetails') },
  'nothing there (404)': { status: 404, ...problem, get: () => send('/api/nothing') },
  'a wrong method (405)': { status: 405, ...problem, get: () => asAna('/api/user/myDetails', { method: 'DELETE' }) },
  'a body too large (413)': {
    ...{ status: 413, ...problem },
    get: () => send('/api/user/requestOtp', json(`{"email":"${'x'.repeat(70_000)}"}`)),
  },
  'a body of another type (415)': {
    ...{ status: 415, ...problem },
    get: () => send('/api/user/requestOtp', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }),
  },
  'too often (429)': { status: 429, ...problem, get: tooOften },
  'a fault of ours (500)': { status: 500, ...problem, get: broken },
  'the description of the API': { status: 200, ...asData, get: () => send('/api/openapi.json') },
  health: { status: 200, ...asData, get: () => send('/healthz') },
  'a photo': {
    ...{ status: 200, policy: filePolicy, cache: 'private, max-age=300', type: 'image/webp' },
    get: async () => send(await ownPhoto()),
  },
  'a photo that may not be seen': {
    ...{ status: 403, ...problem },
    get: () => send(`/media/${'A'.repeat(22)}.webp?viewer=x&expires=1&signature=x`),
  },
  'a page': {
    ...{ status: 200, policy: pagePolicy, cache: 'no-cache', type: 'text/html; charset=utf-8' },
    get: () => send('/home', {}, () => pagesUrl),
  },
  'a page whose address has a dot in it': {
    ...{ status: 200, policy: pagePolicy, cache: 'no-cache', type: 'text/html; charset=utf-8' },
    get: () => send('/no/such.page', { headers: { accept: 'text/html,*/*;q=0.8' } }, () => pagesUrl),
  },
  'a page whose address leads out of its folder': {
    ...{ status: 200, policy: pagePolicy, cache: 'no-cache', type: 'text/html; charset=utf-8' },
    get: () => send('/..%2fsecret.key', { headers: { accept: 'text/html' } }, () => pagesUrl),
  },
  'a script of ours that is opened': {
    ...{ status: 200, policy: pagePolicy, cache: 'public, max-age=31536000, immutable' },
    get: () => send('/assets/app.js', { headers: { accept: 'text/html' } }, () => pagesUrl),
  },
  'a script of ours': {
    ...{ status: 200, policy: pagePolicy, cache: 'public, max-age=31536000, immutable' },
    get: () => send('/assets/app.js', {}, () => pagesUrl),
  },
  'a file that is not there': {
    ...{ status: 404, ...problem },
    get: () => send('/assets/none.js', {}, () => pagesUrl),
  },
}

describe('what every answer says to the browser', () => {
  it.each(Object.entries(cases))('%s', async (_what, { status, policy, cache, type, get }) => {
    const { status: found, headers } = await get()
    expect(found).toBe(status)
    expect(told(headers, Object.keys(always))).toEqual(always)
    if (policy !== undefined) expect(headers.get('content-security-policy')).toBe(policy)
    if (cache !== undefined) expect(headers.get('cache-control')).toBe(cache)
    if (type !== undefined) expect(headers.get('content-type')).toBe(type)
    expect(never.filter((name) => headers.has(name))).toEqual([])
  })

  it.each([
    ['a handshake', {}, 200],
    ['one from elsewhere', { headers: { origin: 'https://evil.example' } }, 403],
    ['a wrong transport', {}, 400],
  ] as const)('A socket %s has the expected headers.', async (what, init, status) => {
    const transport = what === 'a wrong transport' ? 'pigeon' : 'polling'
    const { status: found, headers } = await send(`/socket.io/?EIO=4&transport=${transport}`, init)
    expect(found).toBe(status)
    expect(
      told(headers, ['cache-control', 'content-security-policy', 'referrer-policy', 'x-content-type-options']),
    ).toEqual({
      'cache-control': 'no-store',
      'content-security-policy': dataPolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(never.filter((name) => headers.has(name))).toEqual([])
  })

  const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`
  const spellings: Record<string, (path: string) => string> = {
    'with one letter encoded': (path) => path.replace(/[a-z]/, encoded),
    'with every letter encoded': (path) => path.replace(/[a-z]/gi, encoded),
    'encoded in capitals': (path) => path.replace(/[a-z]/gi, (letter) => encoded(letter).toUpperCase()),
  }
  const differs = new Set(['date', 'content-length', 'keep-alive', 'etag', 'last-modified', listCursorHeader])
  const answerTo = async (url: string, path: string, init: RequestInit) => {
    const response = await fetch(url + path, { ...init, redirect: 'manual' })
    await response.arrayBuffer()
    return [response.status, [...response.headers].filter(([name]) => !differs.has(name))]
  }

  for (const { tags, cases } of firstQuick(1, Object.entries(spellings)))
    it.each(cases)('Authorization and headers are the same for an address %s.', { tags }, async (how, spelt) => {
      const pagePaths = ['/', '/home', '/date/TOKEN', '/unsubscribe', '/assets/app.js', '/api/nothing', '/media/x']
      const places = [
        ...api.map(({ method, path }) => [app.url, path.replace(/:\w+/g, 'x'), { method }] as const),
        ...api
          .filter(({ method, access }) => method === 'GET' && access === 'member')
          .map(({ path }) => [app.url, path, { headers: { authorization: `Bearer ${ana.token}` } }] as const),
        ...['/healthz', '/readyz', '/api/openapi.json'].map((path) => [app.url, path, {}] as const),
        ...['PUT', 'DELETE'].map((method) => [app.url, '/api/user/myDetails', { method }] as const),
        ...pagePaths.map((path) => [pagesUrl, path, {}] as const),
        [app.url, '/media/x.webp', { headers: { 'sec-fetch-site': 'cross-site' } }] as const,
      ]
      const apart: unknown[] = []
      for (const [url, path, init] of places) {
        const answers = [await answerTo(url, path, init), await answerTo(url, spelt(path), init)]
        if (!isDeepStrictEqual(answers[0], answers[1])) apart.push([path, ...answers])
      }
      noteFigure('A1.spellings_apart', apart.length, `of ${places.length} addresses ${how}`)
      expect(apart).toEqual([])
    })

  it('Strict-Transport-Security is sent only when the public URL uses TLS.', async () => {
    const strict = 'strict-transport-security'
    expect((await send('/healthz', {}, () => pagesUrl)).headers.get(strict)).toBe('max-age=63072000; includeSubDomains')
    expect((await send('/healthz')).headers.get(strict)).toBeNull()
  })
})
