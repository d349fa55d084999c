import { randomUUID } from 'node:crypto'
import { api } from '@duet/contract/api.ts'
import { symbols } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../platform/clock.ts'
import { collectMetrics } from '../../platform/metrics.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { caller, type Person, person } from '../people.ts'
import { type Rows, rowsOf } from './rows.ts'
import { openWire } from './wire.ts'

/** Positions as a browser reports them. Only their cells may be stored anywhere. */
const positions = [
  { latitude: 47.376887123, longitude: 8.541694456 },
  { latitude: 47.512345678, longitude: 8.723456789 },
]
const digits = positions.flatMap(({ latitude, longitude }) => [latitude, longitude].map((value) => value.toFixed(5)))
const password = 'Canary-Password-77'
const words = 'Canary words between two people'

let app: TestApp
let rows: Rows
let ana: Person
let ben: Person
let eve: Person
const logged: string[] = []
const answered: { reader: string; text: string }[] = []
const codes: string[] = []

function listenTo({ platform }: TestApp): void {
  const log = platform.log as unknown as Record<symbol, { write(line: string): void }>
  const stream = log[symbols.streamSym]
  if (stream) stream.write = (line) => void logged.push(line)
}

function heard(who: Person): Person {
  const note = <T extends { body: unknown }>(answer: T): T => {
    answered.push({ reader: who.id, text: JSON.stringify(answer.body) })
    return answer
  }
  return {
    ...who,
    call: async (endpoint, request) => note(await who.call(endpoint, request)),
    send: async (...request) => note(await who.send(...request)),
  }
}

async function join(name: string): Promise<Person> {
  const email = `${name}-${randomUUID()}@canary.example`
  const who = heard(await person(app, { name, email, birthDate: '1991-03-17', password, byMail: true }))
  codes.push(await app.codeFor(who.email))
  return who
}

/** Makes two people do everything possible while a third only reads. */
async function live(): Promise<void> {
  for (const one of [ana, ben]) for (const body of positions) await one.call('PATCH /api/user/updateLocation', { body })
  await eve.call('PATCH /api/user/updateLocation', { body: { cityId: 2_657_896 } })
  const form = new FormData()
  const pixels = sharp({ create: { width: 240, height: 240, channels: 3, background: '#a63' } })
  form.append('file', new Blob([new Uint8Array(await pixels.jpeg().toBuffer())]), `${words}.jpg`)
  await ana.call('PATCH /api/user/:userId/image', { params: { userId: ana.id }, form })
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    await one.call('PUT /api/decisions/:userId', { params: { userId: other.id }, body: { decision: 'like' } })
    const wire = await openWire(app.url, one.token)
    await wire.ask('send_message', { id: randomUUID(), message: words, senderId: one.id, receiverId: other.id })
    await wire.ask('get_conversations')
    answered.push({ reader: one.id, text: JSON.stringify(wire.heard) })
    wire.close()
  }
  await look(eve)
  await look(ben)
  await complain()
  await look(ana)
  await fail()
}

async function look(who: Person): Promise<void> {
  for (const other of [ana, ben, eve]) await who.call('GET /api/user/:id', { params: { id: other.id } })
  for (const path of [
    'user/nearBy',
    'deck',
    'likes',
    'matches',
    'messages/history',
    'notifications',
    'blocks',
    'matching',
  ])
    await who.send('GET', `/api/${path}`)
  for (const path of [
    'user/sessions',
    'user/myDetails',
    'questions',
    'openapi.json',
    `conversations/${ana.id}/messages`,
  ])
    await who.send('GET', `/api/${path}`)
  await who.call('POST /api/pool', { body: {} })
  for (const { method, path } of api) if (method === 'GET' && !path.includes(':')) await who.send('GET', path)
}

/** Creates the records that problems cause, such as reports. */
async function complain(): Promise<void> {
  const details = `Details: ${words}`
  const subject = { kind: 'profile' as const }
  await ben.call('POST /api/reports', { body: { userId: ana.id, subject, reason: 'scam', details } })
  await ana.call('POST /api/verification', { body: {} })
  await ana.call('POST /api/export', { body: { language: 'en' } })
  await ben.call('PUT /api/blocks/:userId', { params: { userId: eve.id } })
}

/** Causes failures of every kind, because their log entries must not reveal anything either. */
async function fail(): Promise<void> {
  await eve.send('GET', `/api/nothing?email=${ana.email}&latitude=${positions[0]?.latitude}`)
  await eve.send('PATCH', '/api/user/updateLocation', { ...positions[0], extra: ana.email })
  await eve.send('POST', '/api/user/authenticate', { email: ana.email, password: `${password}!` })
  const { query } = app.platform.pool
  app.platform.pool.query = (() => Promise.reject(new Error('a fault of the house'))) as never
  await eve.send('GET', `/api/user/${ana.id}`)
  await eve.send('PATCH', '/api/user/updateLocation', positions[0])
  app.platform.pool.query = query
  await failAsDatabase()
  await failAsMailServer()
}

/** Causes database errors, which quote their input. */
async function failAsDatabase(): Promise<void> {
  const { connect } = app.platform.pool
  const told = `Key (email)=(${ana.email}) already exists: "${words}"`
  const fault = Object.assign(new Error(told), {
    severity: 'ERROR',
    code: '23505',
    detail: told,
    where: words,
    hint: told,
  })
  app.platform.pool.connect = (() => Promise.reject(new Error('wrapped', { cause: fault }))) as never
  expect((await eve.send('PATCH', '/api/user/updateLocation', positions[0])).status).toBe(500)
  app.platform.pool.connect = (() => Promise.reject(fault)) as never
  expect((await eve.send('PATCH', '/api/user/updateLocation', positions[0])).status).toBe(500)
  app.platform.pool.connect = connect
}

/** Causes an error of the mail server, which quotes the address it refuses. */
async function failAsMailServer(): Promise<void> {
  const { send } = app.platform.mailer
  const fault = new Error(`Can't send mail - all recipients were rejected: 550 <${ben.email}>`)
  app.platform.mailer.send = () => Promise.reject(Object.assign(fault, { rejected: [ben.email], response: ben.email }))
  app.clock.advance(minutes(1))
  await caller(app.url).call('POST /api/user/requestOtp', { body: { email: ben.email } })
  await new Promise((resolve) => setTimeout(resolve, 100))
  app.platform.mailer.send = send
}

beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'trace' })
  listenTo(app)
  rows = await rowsOf(app)
  ;[ana, ben, eve] = [await join('ana'), await join('ben'), await join('eve')]
  await live()
  app.clock.advance(minutes(31))
})
afterAll(async () => {
  await rows.close()
  await app.close()
})

/** Matches a number only on its own, because its digits may be part of a longer number or a time. */
function isIn(text: string, canary: string): boolean {
  if (/^\d{8}$/.test(canary)) return new RegExp(`(?<![\\w.])${canary}(?![\\w.])`).test(text)
  if (/^\d+\.\d+$/.test(canary)) return new RegExp(`(?<!\\d:?)${canary.replace('.', '\\.')}`).test(text)
  return text.includes(canary)
}
const foundIn = (texts: readonly string[], canaries: readonly string[]) =>
  canaries.filter((canary) => texts.some((text) => isIn(text, canary)))
const everyone = () => [ana, ben, eve]
const tokens = () => everyone().map(({ token }) => token)
const emails = () => everyone().map(({ email }) => email)

it('Numbers are found on their own, and not within a time of day.', () => {
  for (const text of ['{"latitude":47.37689}', '(47.37689,8.54169)', 'at 47.37689', '?lat=47.37689&'])
    expect(isIn(text, '47.37689')).toBe(true)
  for (const text of ['2026-11-28 21:00:47.377', '147.377']) expect(isIn(text, '47.377')).toBe(false)
})

describe('secrets that must appear nowhere', () => {
  it('Responses to others contain no addresses, birth dates, tokens, codes or positions.', () => {
    expect(answered.length).toBeGreaterThan(30)
    for (const { reader, text } of answered) {
      const others = everyone().filter(({ id }) => id !== reader)
      const secrets = others.flatMap(({ email, token }) => [email, token])
      expect(foundIn([text], [...secrets, ...codes, ...digits, password, 'argon2'])).toEqual([])
      if (reader === eve.id) expect(text).not.toContain(words)
      if (!text.includes(`"id":"${reader}"`)) expect(text).not.toContain('1991-03-17')
    }
  })

  it('Logs at the most verbose level contain no addresses, tokens, codes, positions, texts or ids in paths.', () => {
    expect(logged.length).toBeGreaterThan(50)
    const secrets = [...emails(), ...tokens(), ...codes, ...digits, password, words]
    expect(logged.filter((line) => foundIn([line], secrets).length > 0)).toEqual([])
    expect(logged.filter((line) => everyone().some(({ id }) => line.includes(`/api/user/${id}`)))).toEqual([])
  })

  it('Metrics identify no one.', async () => {
    const text = await collectMetrics(app.measured).metrics()
    expect(text).toContain('duet_security_events_total{event="report"} 1')
    const ids = everyone().map(({ id }) => id)
    expect(foundIn([text], [...emails(), ...tokens(), ...codes, ...ids, ...digits, password, words])).toEqual([])
    expect(text).not.toContain('127.0.0.1')
  })

  it('Log entries about faults contain nothing that the database or the mail server quotes.', () => {
    expect(logged.filter((line) => line.includes('23505')).length).toBeGreaterThan(1)
    expect(logged.filter((line) => line.includes('recipients were rejected'))).toHaveLength(1)
    expect(foundIn(logged, [...emails(), words, 'already exists'])).toEqual([])
  })

  it('Emails contain nothing secret but a code, and only to its own address.', () => {
    expect(app.mails.length).toBeGreaterThan(2)
    for (const { to, subject, text } of app.mails) {
      const others = emails().filter((email) => email !== to)
      expect(foundIn([subject, text], [...others, ...tokens(), ...digits, password, words])).toEqual([])
    }
  })

  it('No table of any schema contains positions, tokens, codes or passwords.', async () => {
    const tables =
      await rows.query(`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
    const texts: string[] = []
    for (const { name } of tables)
      texts.push(...(await rows.query(`select t::text as row from ${name} t`)).map(({ row }) => String(row)))
    expect(texts.length).toBeGreaterThan(50)
    expect(foundIn(texts, [...tokens(), ...codes, ...digits, password])).toEqual([])
    const shortened = positions.flatMap(({ latitude, longitude }) => [latitude.toFixed(3), longitude.toFixed(3)])
    const located = texts.filter((text) => /\b87[0-9a-f]{13}\b/.test(text))
    expect(located.length).toBeGreaterThan(2)
    expect(foundIn(located, shortened)).toEqual([])
  })

  it('Nothing readable without signing in contains a secret.', async () => {
    for (const path of [
      '/api/openapi.json',
      '/api/matching',
      '/healthz',
      '/readyz',
      '/metrics',
      '/.env',
      '/.git/config',
    ]) {
      const { body } = await caller(app.url).send('GET', path)
      expect(foundIn([JSON.stringify(body)], [...emails(), ...tokens(), ...digits])).toEqual([])
    }
  })
})
