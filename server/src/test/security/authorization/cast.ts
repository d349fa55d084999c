import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { startTestApp, type TestApp } from '../../app.ts'
import { type Person, person } from '../../people.ts'
import { type Rows, rowsOf } from '../rows.ts'
import { openWire } from '../wire.ts'
import { type Cases, openCases } from './cases.ts'
import type { About, Column, Role } from './sides.ts'

export const names = [
  'member',
  'stranger',
  'blocked',
  'suspended',
  'admin',
  'other',
  'blocking',
  'hidden',
  'deleted',
] as const
export type Name = (typeof names)[number]

interface Member extends Cases {
  who: Person
  email: string
  birthDate: string
  session: string
  photo: string
  notification: string
  device: string
  /** The id of a selfie awaiting review, or an unused id if the person has none. */
  verification: string
}

export interface Cast {
  people: Record<Name, Member>
  tokens: Record<Role, string | undefined>
  picture: Blob
  /** The id of the target in a column. `caller` is the person who makes the call. */
  idOf(about: About, column: Column, caller: Name | undefined): string
  secretsOf(name: Name): string[]
}

const sentSelfie: readonly Name[] = ['admin', 'other', 'blocking', 'hidden', 'deleted']
const unknown = '6f9619ff-8b86-4d01-b42d-00c04fc964ff'
const home = { latitude: 47.376_887_123, longitude: 8.541_694_456 }

async function join(app: TestApp, rows: Rows, name: Name, place: number, picture: Blob): Promise<Member> {
  const email = `${name}-${randomUUID()}@canary.example`
  const birthDate = `198${place}-0${place + 1}-1${place}`
  const who = await person(app, { name, email, birthDate, at: home, bio: `Bio of ${name}` })
  const form = new FormData()
  form.append('file', picture, 'photo.jpg')
  const { body: own } = await who.call('PATCH /api/user/:userId/image', { params: { userId: who.id }, form })
  const { body: sessions } = await who.call('GET /api/user/sessions')
  const { body: told } = await who.call('GET /api/notifications')
  const [photo = '', session = '', notification = ''] = [
    own.images[0],
    sessions.sessions[0]?.id,
    told.notifications[0]?.id,
  ]
  const device = await subscribe(who)
  const verification = await verify(app, name, who, picture)
  return { who, email, birthDate, session, photo, notification, device, verification, ...(await openCases(rows, who)) }
}

/** Pushes are off, so that no rows change in the background during a test. */
export const untold = {
  push: { match: false, message: false, like: false, nearby: false, safety: false, account: false },
  email: { match: 'now', message: 'now', like: 'daily', nearby: 'never', safety: 'now', account: 'weekly' },
  lockScreen: 'nothing',
  quietHours: null,
  timeZone: 'Europe/Lisbon',
} as const

async function subscribe(who: Person): Promise<string> {
  const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
  const body = { endpoint: `https://push.invalid/${randomUUID()}`, keys, timeZone: 'Europe/Zurich' }
  await who.call('PUT /api/notifications/preferences', { body: untold })
  await who.call('PUT /api/push/subscription', { body })
  return (await who.call('GET /api/push')).body.devices[0]?.id ?? ''
}

/** Makes some people send a selfie, and one person request a pose. Returns the id of the selfie awaiting review. */
async function verify(app: TestApp, name: Name, who: Person, picture: Blob): Promise<string> {
  if (!sentSelfie.includes(name) && name !== 'blocked') return unknown
  await who.call('POST /api/verification', { body: {} })
  if (name === 'blocked') return unknown
  const form = new FormData()
  form.append('file', picture, 'selfie.jpg')
  const { status } = await who.call('PUT /api/verification/selfie', { form })
  if (status !== 200) throw new Error('a selfie was refused')
  const waiting = app.platform.db.selectFrom('verifications').select('id').where('user_id', '=', who.id)
  return (await waiting.executeTakeFirstOrThrow()).id
}

/** Matches two people and exchanges messages: seq 1 is by the first person, seq 2 by the second. */
async function pair(app: TestApp, one: Person, other: Person): Promise<void> {
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const { status } = await a.call('PUT /api/decisions/:userId', {
      params: { userId: b.id },
      body: { decision: 'like' },
    })
    if (status !== 200) throw new Error('a like was refused')
  }
  // Both connect, because people who are offline would get a notification later, in the middle of a check.
  const wires = [await openWire(app.url, one.token), await openWire(app.url, other.token)]
  for (const [place, [a, b]] of [[one, other] as const, [other, one] as const].entries()) {
    const message = { id: randomUUID(), message: `Secret of ${a.id} and ${b.id}`, senderId: a.id, receiverId: b.id }
    const ack = await wires[place]?.ask('send_message', message)
    if ((ack as { ok?: boolean })?.ok !== true) throw new Error(`a message was refused: ${JSON.stringify(ack)}`)
  }
  for (const wire of wires) wire.close()
}

const block = (one: Person, other: Person) => one.call('PUT /api/blocks/:userId', { params: { userId: other.id } })

export async function gather(app: TestApp, rows: Rows): Promise<Cast> {
  const pixels = sharp({ create: { width: 240, height: 240, channels: 3, background: '#a63' } })
  const picture = new Blob([new Uint8Array(await pixels.jpeg().toBuffer())])
  const people = {} as Record<Name, Member>
  for (const [place, name] of names.entries()) people[name] = await join(app, rows, name, place, picture)
  const { member, blocked, admin, other, blocking, hidden, deleted } = people
  for (const one of [other, blocking, hidden, deleted]) await pair(app, member.who, one.who)
  await pair(app, blocked.who, other.who)
  await block(other.who, blocked.who)
  for (const name of ['member', 'stranger', 'blocked', 'admin'] as const) await block(blocking.who, people[name].who)
  await rows.query('update profiles set hidden = true where user_id = $1', [hidden.who.id])
  await rows.query("update accounts set standing = 'suspended' where id = $1", [people.suspended.who.id])
  await rows.query('delete from accounts where id = $1', [deleted.who.id])
  await app.platform.grantSuperAdmin(admin.email)
  await untilInForce(admin.who, people.suspended.who)
  const gone = await signInAgain(app, member.email)
  await gone.call('POST /api/user/signOut')
  const tokens = {
    ...{ anonymous: undefined, broken: `dt1_${'A'.repeat(43)}`, signedOut: gone.token, member: member.who.token },
    ...{
      suspended: people.suspended.who.token,
      stranger: people.stranger.who.token,
      blocked: blocked.who.token,
      admin: admin.who.token,
    },
  }
  return {
    people,
    tokens,
    picture,
    idOf: (...asked) => idOf(people, ...asked),
    secretsOf: (name) => secretsOf(people[name]),
  }
}

/** Waits until the server has noticed the rows changed above, because it caches sessions for a second. */
async function untilInForce(admin: Person, suspended: Person): Promise<void> {
  const isAdmin = async () => (await admin.call('GET /api/admin/verifications')).status === 200
  const isSuspended = async () => (await suspended.call('GET /api/verification')).status === 403
  while (!((await isAdmin()) && (await isSuspended()))) await sleep(50)
}

export interface Stage {
  app: TestApp
  rows: Rows
  cast: Cast
  close(): Promise<void>
}

export async function startWithCast(logLevel = 'fatal'): Promise<Stage> {
  const app = await startTestApp({ LOG_LEVEL: logLevel })
  const rows = await rowsOf(app)
  const close = async () => {
    await rows.close()
    await app.close()
  }
  return { app, rows, cast: await gather(app, rows), close }
}

async function signInAgain(app: TestApp, email: string): Promise<Person> {
  app.clock.advance(40_000)
  const { caller } = await import('../../people.ts')
  app.mails.length = 0
  await caller(app.url).call('POST /api/user/requestOtp', { body: { email } })
  const otp = await app.codeFor(email)
  const { body } = await caller(app.url).call('POST /api/user/authenticate', { body: { email, otp } })
  return { ...body, ...caller(app.url, body.token) }
}

const malformed = "no-id' or 1=1"
const things = { question: 'day_rhythm', model: '0' }

function idOf(people: Cast['people'], about: About, column: Column, caller: Name | undefined): string {
  if (column === 'malformed') return malformed
  if (about === 'question' || about === 'model')
    return column === 'known' ? things[about] : about === 'model' ? '999999' : 'no_such'
  if (column === 'unknown' || column === 'it') return about === 'photo' ? `${'A'.repeat(22)}.webp` : unknown
  const owner = people[column === 'own' ? (caller ?? 'member') : (column as Name)]
  return about === 'person' ? owner.who.id : owner[about as Exclude<typeof about, 'no one' | 'person'>]
}

function secretsOf({ who, email, birthDate }: Member): string[] {
  return [email, birthDate, who.token, String(home.latitude), String(home.longitude)]
}
