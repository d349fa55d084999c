import { symbols } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecrets } from '../../platform/security/secrets.ts'
import { createSecurityEvents, truncated } from '../../platform/security/security-events.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { caller, type Person, person } from '../people.ts'

interface Line {
  event?: string
  user?: string
  network?: string
  route?: string
  code?: string
}

let app: TestApp
let ana: Person
let ben: Person
const logged: string[] = []
const told = (event: string) =>
  logged.map((line) => JSON.parse(line) as Line).filter((line) => line.event === `security.${event}`)

beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'info' })
  const log = app.platform.log as unknown as Record<symbol, { write(line: string): void }>
  const stream = log[symbols.streamSym]
  if (stream) stream.write = (line) => void logged.push(line)
  ;[ana, ben] = [await person(app, { byMail: true }), await person(app)]
})
afterAll(() => app.close())

describe('the security log', () => {
  it('The security log records codes, sign-ups and failures without naming anyone.', async () => {
    await caller(app.url).call('POST /api/user/authenticate', { body: { email: ana.email, otp: '00000000' } })
    expect(told('code_asked')[0]).toMatchObject({ network: '127.0.0.0/24', route: 'POST /api/user/requestOtp' })
    expect(told('sign_up').length).toBeGreaterThan(0)
    expect(told('sign_in_failed')[0]).toMatchObject({ code: 'invalid_credentials' })
  })

  it('The security log records blocks, administrators and refusals under a keyed pseudonym.', async () => {
    await ana.call('PUT /api/blocks/:userId', { params: { userId: ben.id } })
    await app.platform.grantSuperAdmin(ben.email)
    app.platform.sessions.forget((await ben.call('GET /api/user/sessions')).body.sessions[0]?.id ?? '')
    await ben.call('GET /api/admin/reports')
    const [block] = told('block')
    expect(block?.user).toMatch(/^[\w-]{16}$/)
    expect(told('admin')[0]).toMatchObject({ route: 'GET /api/admin/reports' })
    expect(told('admin')[0]?.user).not.toBe(block?.user)
    for (const line of logged)
      for (const secret of [ana.id, ben.id, ana.email, ben.email, ana.token]) expect(line).not.toContain(secret)
  })

  it('The security log records a person who requests many missing things once.', async () => {
    const paths = Array.from({ length: 60 }, () => `/api/user/${crypto.randomUUID()}`)
    for (const path of paths) expect((await ana.send('GET', path)).status).toBe(404)
    expect(told('probing')).toHaveLength(1)
  })

  it('The security log can’t be flooded: repeated events are one counted line in ten seconds.', () => {
    const lines: unknown[] = []
    const events = createSecurityEvents({ info: (line: unknown) => void lines.push(line) } as never, createSecrets('x'))
    for (let n = 0; n < 1_000; n++) events.note('forbidden', { userId: 'one' })
    events.note('forbidden', { userId: 'other' })
    expect(lines).toHaveLength(2)
    expect(events.counts().events.get('forbidden')).toBe(1_001)
  })

  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
  ])('The security log truncates %s to %s.', (address, network) => {
    expect(truncated(address)).toBe(network)
  })
})
