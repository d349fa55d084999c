import { connect, type Socket } from 'node:net'
import { symbols } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'

let app: TestApp
let ana: Person
const logged: { level: number; msg: string }[] = []
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'debug' })
  ana = await person(app)
  const log = app.platform.log as unknown as Record<symbol, { write(line: string): void }>
  const stream = log[symbols.streamSym]
  if (stream) stream.write = (line) => void logged.push(JSON.parse(line))
})
afterAll(() => app.close())

const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nhalf of it'
const bodies = [
  ['JSON', 'POST /api/user/requestOtp', 'application/json', '{"email":'],
  ['a form', 'PUT /api/verification/selfie', 'multipart/form-data; boundary=x', form],
] as const

it.each(bodies)('A client that stops sending %s logs no error', async (_what, endpoint, type, text) => {
  logged.length = 0
  const { hostname, port } = new URL(app.url)
  const head = [`${endpoint} HTTP/1.1`, 'Host: duet', `Content-Type: ${type}`, 'Content-Length: 5000']
  const request = [...head, `Authorization: Bearer ${ana.token}`, '', text].join('\r\n')
  const socket = await new Promise<Socket>((resolve) => {
    const made = connect(Number(port), hostname, () => made.write(request, () => resolve(made)))
  })
  await expect.poll(() => logged.map(({ msg }) => msg)).toContain('incoming request')
  socket.destroy()
  // The server sees the disconnect before it answers later requests.
  for (let n = 0; n < 3; n++) await fetch(`${app.url}/healthz`)
  expect(logged.filter(({ level }) => level >= 50)).toEqual([])
})
