import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { caller, type Person, person } from '../people.ts'
import { statusesIn, talkRaw } from './raw.ts'
import { openWire } from './wire.ts'

let app: TestApp
let ana: Person
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal' })
  ana = await person(app)
})
afterAll(() => app.close())

const request = (head: string[], body = '') =>
  `${[...head, 'Host: x', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
const patch = (type: string, body: string) =>
  request(
    [
      'PATCH /api/user/updateUser HTTP/1.1',
      `Authorization: Bearer ${ana.token}`,
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ],
    body,
  )
const bio = async () => (await ana.call('GET /api/user/myDetails')).body.bio

describe('a body', () => {
  it.each([
    ['application/json\tx'],
    [' application/json'],
    ['application/json x'],
    ['application/json;\t'],
    ['application/jsonx'],
    ['text/plain'],
    ['text/json'],
    ['application/x-www-form-urlencoded'],
    ['application/json, text/plain'],
    ['application/vnd.api+json'],
    [''],
    ['*/*'],
  ])('A body of type "%s" is validated or refused.', async (type) => {
    const [status = 0] = statusesIn(await talkRaw(app.url, patch(type, '{"bio":"x","isSuperAdmin":true}')))
    expect([400, 415]).toContain(status)
    expect(await bio()).toBe('')
  })

  it.each([
    ['twice', '{"bio":"x","bio":"y"}'],
    ['twice, once in other letters', '{"bio":"x","\\u0062io":"y"}'],
    ['twice further in', '{"bio":"x","preferences":{"a":[{"b":1,"b" : 2}]}}'],
  ])('with a name in it %s is refused', async (_what, body) => {
    const answer = await ana.send('PATCH', '/api/user/updateUser', body)
    expect([answer.status, answer.body.code, await bio()]).toEqual([400, 'malformed', ''])
  })

  it('with names that only look as if they were there twice is taken', async () => {
    const text = 'a "bio": twice, "bio": \\ and {"bio":"'
    const { status, body } = await ana.call('PATCH /api/user/updateUser', { body: { bio: text } })
    expect([status, body.bio]).toEqual([200, text])
    await ana.call('PATCH /api/user/updateUser', { body: { bio: '' } })
  })

  it.each([
    ['__proto__', '{"__proto__":{"polluted":"yes"}}'],
    ['constructor', '{"constructor":{"prototype":{"polluted":"yes"}}}'],
    ['an escaped __proto__', '{"\\u005f_proto__":{"polluted":"yes"}}'],
    ['a __proto__ further in', '{"preferences":{"__proto__":{"polluted":"yes"}}}'],
    ['a list of them', '{"interests":[{"__proto__":{"polluted":"yes"}}]}'],
  ])('with %s changes nothing of ours', async (_what, body) => {
    const [status = 0] = statusesIn(await talkRaw(app.url, patch('application/json', body)))
    expect(status).toBe(400)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('A body in another encoding, or with half a character, isn’t read as another text.', async () => {
    const latin = Buffer.from([0x7b, 0x22, 0x62, 0x69, 0x6f, 0x22, 0x3a, 0x22, 0xe9, 0xff, 0x22, 0x7d]).toString(
      'latin1',
    )
    await talkRaw(app.url, patch('application/json; charset=utf-16', '{"bio":"x"}'))
    expect(statusesIn(await talkRaw(app.url, patch('application/json', latin)))).not.toContain(500)
    await ana.call('PATCH /api/user/updateUser', { body: { bio: '' } })
  })

  it('A deeply nested or long body is refused without reading all of it.', async () => {
    const deep = `{"bio":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    expect(statusesIn(await talkRaw(app.url, patch('application/json', deep)))).toEqual([400])
    const long = patch('application/json', `{"bio":"${'x'.repeat(70_000)}"}`)
    expect(statusesIn(await talkRaw(app.url, long))).toEqual([413])
  })

  it('A form body can’t pollute prototypes.', async () => {
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nyes\r\n`
    for (const name of ['__proto__', 'constructor', '__proto__[polluted]', 'constructor.prototype.polluted']) {
      const answer = await ana.send('PATCH', `/api/user/${ana.id}/image`, `${part(name)}--b--\r\n`, {
        'content-type': 'multipart/form-data; boundary=b',
      })
      expect([name, answer.status]).toEqual([name, 400])
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('A socket payload can’t pollute prototypes.', async () => {
    const wire = await openWire(app.url, ana.token)
    for (const name of ['send_message', 'mark_as_read', '__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const payload = JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}')
      expect([name, ((await wire.ask(name, payload)) as { ok?: boolean }).ok]).toEqual([name, false])
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    wire.close()
  })
})

describe('an address', () => {
  it.each(['/api/places?query=lis&query=par', '/api/user/nearBy?limit=1&limit=2', '/media/x.webp?w=320&w=640'])(
    'with a name in it twice is refused: %s',
    async (path) => {
      const { status, body } = await ana.send('GET', path)
      expect([status, body.code]).toEqual([400, 'malformed'])
    },
  )

  it.each([
    '/api/../api/user/myDetails',
    '/api/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2f..%2fetc/passwd',
    '/media/..%2f..%2fsecret-key',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/%00',
    '/api/user/%',
    '/api/user/%ff%fe',
    '/api/x#%ff',
    '/api/x?%ff',
    '/api/x;%ff',
    'http://x/api/x#%ff',
    '//evil.example/api/user/myDetails',
    '/.git/config',
    '/.env',
    '/package.json',
    '/server-status',
    '/api/docs',
    '/metrics',
    `/${'a'.repeat(9_000)}`,
  ])('A misleading address is not served: %s', async (path) => {
    const [status = 0] = statusesIn(await talkRaw(app.url, request([`GET ${path} HTTP/1.1`])))
    expect([400, 404, 414, 431]).toContain(status)
  })

  it.each(['TRACE', 'CONNECT', 'TRACK', 'DEBUG', 'PROPFIND', 'PUT'])('The server accepts no %s.', async (method) => {
    const heard = await talkRaw(app.url, request([`${method} /api/user/updateUser HTTP/1.1`, 'X-Canary: 1']))
    const [status = 0] = statusesIn(heard)
    // Node closes the connection of a CONNECT request without a response.
    expect(method === 'CONNECT' ? [0] : [400, 404, 405]).toContain(status)
    expect(heard).not.toContain('X-Canary')
  })
})

describe('a request within a request', () => {
  const smuggled = `GET /api/user/myDetails HTTP/1.1\r\nHost: x\r\nX-Smuggled: yes\r\n\r\n`
  const head = (...lines: string[]) => `POST /api/user/requestOtp HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`
  it.each([
    ['two lengths', head('Content-Length: 0', `Content-Length: ${smuggled.length}`) + smuggled],
    ['a length and chunks', `${head('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`],
    ['chunks and a length', `${head('Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n${smuggled}`],
    ['a broken coding', `${head('Transfer-Encoding: xchunked')}0\r\n\r\n${smuggled}`],
    ['two codings', `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n${smuggled}`],
    ['a coding after a tab', `${head('Transfer-Encoding:\tchunked', 'Content-Length: 4')}0\r\n\r\n${smuggled}`],
    ['a blank before the colon', head('Content-Length : 5') + smuggled],
    ['a folded line', head('Content-Length: 0', ' Content-Length: 5') + smuggled],
    ['a bare line feed', `POST /api/user/requestOtp HTTP/1.1\nHost: x\nContent-Length: 0\n\n${smuggled}`],
    ['a length with a sign', head('Content-Length: +0') + smuggled],
    ['a length in hex', head('Content-Length: 0x0') + smuggled],
    ['a chunk of no number', `${head('Transfer-Encoding: chunked')}zz\r\n\r\n${smuggled}`],
    ['a NUL in a header', head('X-A: a\0b', 'Content-Length: 0') + smuggled],
  ])('A smuggled request by %s is refused, and the connection ends.', async (_how, text) => {
    const statuses = statusesIn(await talkRaw(app.url, text))
    expect(statuses).toEqual([400])
  })

  it('Two pipelined requests are both answered.', async () => {
    const twice = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${request(['GET /healthz HTTP/1.1'])}`
    expect(statusesIn(await talkRaw(app.url, twice))).toEqual([200, 200])
  })
})

describe('headers', () => {
  it.each([
    ['too long', `X-A: ${'a'.repeat(20_000)}`, 431],
    ['too many', Array.from({ length: 3_000 }, (_, n) => `X-${n}: a`).join('\r\n'), 431],
  ])('Headers that are %s are refused.', async (_how, lines, status) => {
    expect(statusesIn(await talkRaw(app.url, request(['GET /healthz HTTP/1.1', lines])))).toEqual([status])
  })

  it('from others come back in no answer', async () => {
    const canary = `canary-${randomUUID()}`
    const { headers, body } = await caller(app.url).send('GET', `/api/nothing?x=${canary}`, undefined, {
      'x-request-id': canary,
      'user-agent': canary,
      origin: `https://${canary}.example`,
    })
    expect(JSON.stringify([...headers, body])).not.toContain(canary)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})
