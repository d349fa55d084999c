import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { io as connectClient } from 'socket.io-client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { type Person, person } from './people.ts'
import { standstillMs } from './standstill.ts'
import { outgoing } from './talk.ts'

interface Sent {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

let collector: Server
let collectorUrl: string
let app: TestApp
let ana: Person
let ben: Person
const texts: string[] = []
let spans: Sent[] = []

const named = (name: string) => spans.filter((span) => span.name === name)
const within = (name: string, parent: Sent) => named(name).filter(({ traceId }) => traceId === parent.traceId)
const attribute = ({ attributes }: Sent, key: string) =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0]

// Starts a collector that records what it receives, and runs one of each traced operation.
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }
    texts.push(JSON.stringify(body))
    spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as { port: number }
  collectorUrl = `http://127.0.0.1:${port}/`
  app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl })
  const at = { latitude: 41.39, longitude: 2.17 }
  ana = await person(app, { name: 'Ana', gender: 'woman', at })
  ben = await person(app, { name: 'Ben', gender: 'man', at })
  await ana.call('GET /api/deck')
  const live = connectClient(app.url, { transports: ['websocket'], forceNew: true, auth: { token: ana.token } })
  expect(await live.emitWithAck('send_message', outgoing(ana, ben, 'Marzipan under the bridge'))).toMatchObject({
    ok: true,
  })
  await live.emitWithAck('mark_as_read', { conversationId: randomUUID(), userId: ana.id })
  live.disconnect()
  // More requests than database connections, so that some of them wait for a connection.
  const paths = ['/api/user/myDetails', '/api/likes', '/api/messages/history', `/api/user/${ben.id}`]
  await Promise.all(Array.from({ length: 40 }, (_, nth) => ana.send('GET', paths[nth % paths.length] as string)))
  await app.platform.jobs.add('erase-due', {})
  await vi.waitFor(
    async () => expect(await app.measured.registry.metrics()).toContain('duet_job_seconds_count{job="erase-due"'),
    { timeout: standstillMs },
  )
  await app.close()
})
afterAll(() => {
  collector.close()
})

it('Requests, events and jobs are spans, and their statements are child spans.', () => {
  const [deck] = named('GET /api/deck')
  if (!deck) throw new Error('no span of the deck')
  expect(attribute(deck, 'http.response.status_code')).toBe(200)
  for (const name of ['searcher', 'cards', 'deck-counts']) expect(within(name, deck).length, name).toBeGreaterThan(0)
  const [message] = named('send_message')
  if (!message) throw new Error('no span of the message')
  expect(within('append-messages', message)).toHaveLength(1)
  expect(named('mark_as_read').map(({ status }) => status.code)).toEqual([2])
  expect(named('erase-due').length).toBeGreaterThan(0)
})

it('A statement that waited for a connection belongs to the trace of its request.', () => {
  const [requests, statements] = [named('GET /api/user/myDetails'), named('own-profile')]
  expect(requests).toHaveLength(10)
  const traces = new Set(requests.map(({ traceId }) => traceId))
  expect(statements.filter(({ traceId }) => traces.has(traceId))).toHaveLength(10)
  const likes = named('GET /api/likes').map(({ traceId }) => traceId)
  expect(named('likes-likers').filter(({ traceId }) => likes.includes(traceId))).toHaveLength(10)
})

it('Traces identify nobody and contain no message text.', () => {
  const all = texts.join()
  expect(all).toContain('"duet"')
  for (const canary of [ana.id, ben.id, ana.email, ana.token, 'Marzipan', 'Ana"'])
    expect(all.includes(canary), canary).toBe(false)
  spans = []
})

it('The span of a request whose client has left is marked as aborted.', async () => {
  const other = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl })
  const { find } = other.platform.sessions
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  other.platform.sessions.find = async (token) => {
    asked()
    // Long enough for the server to notice the disconnect, even on a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    return find(token)
  }
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${ana.token}` }
  const answer = fetch(`${other.url}/api/user/sessions`, { headers, signal: leaving.signal }).catch(() => 'left')
  await isAsked
  leaving.abort()
  expect(await answer).toBe('left')
  // Closing sends the last spans.
  await other.close()
  expect(named('GET /api/user/sessions').map((span) => attribute(span, 'error.type'))).toEqual(['aborted'])
})

it('An unreachable collector doesn’t disturb requests.', async () => {
  const other = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' })
  const who = await person(other)
  expect((await who.call('GET /api/user/myDetails')).status).toBe(200)
  await other.close()
})
