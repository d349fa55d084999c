import { connect as dial } from 'node:net'
import { api } from '@duet/contract/api.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from './platform/version.ts'
import { startTestApp, type TestApp } from './test/app.ts'
import { caller, person } from './test/people.ts'
import { connect } from './test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const filled = (path: string) => path.replace(/:\w+/g, '6f9619ff-8b86-4d01-b42d-00c04fc964ff')

describe('Every endpoint of the contract', () => {
  it.each(api.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
    'The endpoint %s exists and requires its access level',
    async (_name, spec) => {
      const { status, body, headers } = await caller(app.url).send(
        spec.method,
        filled(spec.path),
        spec.method === 'GET' ? undefined : {},
      )
      // A wrong token in the path gives 404. The OpenAPI check below shows that the endpoint exists.
      const isKey = spec.path.endsWith('/:token')
      if (spec.access === 'public') expect(isKey ? [404] : [200, 400]).toContain(status)
      else expect([status, body.code]).toEqual([401, 'unauthenticated'])
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  it.each(api.filter((spec) => spec.access === 'admin').map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
    'The endpoint %s answers 404 to everyone except super administrators',
    async (_name, spec) => {
      const me = await person(app)
      const { status, body } = await me.send(spec.method, filled(spec.path), spec.method === 'GET' ? undefined : {})
      expect([status, body.code]).toEqual([404, 'not_found'])
    },
  )

  it('The OpenAPI document describes every endpoint', async () => {
    const { body } = await caller(app.url).send('GET', '/api/openapi.json')
    const paths = body.paths as Record<string, Record<string, unknown>>
    for (const { method, path } of api) {
      expect(paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]).toBeDefined()
    }
  })
})

describe('Problem responses', () => {
  it('A problem response follows RFC 9457, with a code and a request id', async () => {
    const { status, headers, body } = await caller(app.url).send('GET', '/api/nothing')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(body).toEqual({
      type: 'urn:duet:problem:not_found',
      title: 'Not Found',
      status: 404,
      detail: "There's nothing here.",
      code: 'not_found',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it.each([
    ['broken JSON', '{"email":', {}, 400, 'malformed'],
    ['no body', undefined, { 'content-type': 'application/json' }, 400, undefined],
    [
      'a body of another type',
      'email=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['XML', '<a/>', { 'content-type': 'text/xml' }, 415, 'unsupported_media_type'],
    ['a type with a tab', '{}', { 'content-type': 'application/json\ta' }, undefined, undefined],
    ['a body that is too large', JSON.stringify({ email: 'x'.repeat(100_000) }), {}, 413, 'payload_too_large'],
    ['a prototype', '{"__proto__":{"a":1},"email":"a@example.com"}', {}, 400, 'malformed'],
    ['a number', '7', {}, 400, 'validation_failed'],
    ['a list', '[]', {}, 400, 'validation_failed'],
    ['null', 'null', {}, 400, 'validation_failed'],
  ])('A request with %s gets a 4xx problem', async (_what, body, headers, status, code) => {
    const answer = await caller(app.url).send('POST', '/api/user/requestOtp', body, headers as Record<string, string>)
    if (status) expect(answer.status).toBe(status)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    if (code) expect(answer.body.code).toBe(code)
  })

  it('A wrong method gets a 405 with the allowed methods', async () => {
    const { status, headers, body } = await caller(app.url).send('DELETE', '/api/user/myDetails')
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET'])
  })

  it('An internal error reveals no details', async () => {
    const broken = await startTestApp({ LOG_LEVEL: 'silent' })
    const me = await person(broken)
    broken.platform.pool.query = (() => Promise.reject(new Error('secret of the house'))) as never
    broken.platform.sessions.forget('')
    const { status, body } = await me.call('GET /api/user/myDetails')
    expect([status, body.code]).toEqual([500, 'internal'])
    expect(JSON.stringify(body)).not.toContain('secret')
    await broken.close()
  })
})

describe('Health checks', () => {
  it('Health checks are public, and metrics are not', async () => {
    expect((await caller(app.url).send('GET', '/healthz')).status).toBe(200)
    expect((await caller(app.url).send('GET', '/readyz')).status).toBe(200)
    expect((await caller(app.url).send('GET', '/metrics')).status).toBe(404)
  })

  it('The health check reports the running version', async () => {
    const { body } = await caller(app.url).send('GET', '/healthz')
    expect(body).toEqual({ ok: true, version })
  })

  it('Metrics time requests by route and statements by name, never by person', async () => {
    const me = await person(app)
    await me.call('GET /api/deck')
    await caller(app.url).send('GET', `/api/user/${me.id}`)
    await (await connect(app, me)).ask('get_conversations')
    const text = await app.measured.registry.metrics()
    for (const series of [
      'duet_http_request_seconds_count{method="GET",route="/api/deck",status="2xx"}',
      'duet_http_request_seconds_count{method="GET",route="/api/user/:id",status="4xx"}',
      'duet_event_seconds_count{event="get_conversations",outcome="ok"}',
      'duet_statement_seconds_count{statement="deck-counts"}',
    ])
      expect(text).toContain(series)
    expect(text).not.toContain(me.id)
  })
})

describe('Pages of other origins', () => {
  it('A page of another origin cannot open a socket', async () => {
    const status = await fetch(`${app.url}/socket.io/?EIO=4&transport=polling`, {
      headers: { origin: 'https://evil.example' },
    })
    expect(status.status).toBe(403)
    expect(
      (await fetch(`${app.url}/socket.io/?EIO=4&transport=polling`, { headers: { origin: 'http://localhost:3000' } }))
        .status,
    ).toBe(200)
  })
})

describe('Invalid HTTP', () => {
  it('Invalid HTTP gets a 400 and does not affect other connections', async () => {
    const { hostname, port } = new URL(app.url)
    const answer = await new Promise<string>((resolve) => {
      const socket = dial(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
    expect((await caller(app.url).send('GET', '/healthz')).status).toBe(200)
  })
})
