import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { sanction } from '../../features/sanctions/sanctions.ts'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { endStaleConnections, hashToken } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { caller, type Person, person } from '../people.ts'
import { type Client, connect } from '../sockets.ts'
import { standstillMs } from '../standstill.ts'
import { outgoing } from '../talk.ts'
import { type Rows, rowsOf } from './rows.ts'

let app: TestApp
let rows: Rows
let admin: Person
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal' })
  rows = await rowsOf(app)
  admin = await person(app)
  await app.platform.grantSuperAdmin(admin.email)
})
afterAll(async () => {
  await rows.close()
  await app.close()
})

interface Held {
  who: Person
  other: Person
  friend: Person
  sockets: Client[]
}

async function signInAgain(who: Person): Promise<Person> {
  app.clock.advance(seconds(31))
  await caller(app.url).call('POST /api/user/requestOtp', { body: { email: who.email } })
  const otp = await app.codeFor(who.email)
  const { body } = await caller(app.url).call('POST /api/user/authenticate', { body: { email: who.email, otp } })
  return { ...body, ...caller(app.url, body.token) }
}

const sessionOf = async ({ token }: Person) =>
  String((await rows.query('select id from sessions where token_hash = $1', [hashToken(token)]))[0]?.id)

const expired = async ({ who, other }: Held, column: string) => {
  const hashes = [who, other].map(({ token }) => hashToken(token))
  await rows.query(`update sessions set ${column} = $2 where token_hash = any($1)`, [hashes, app.clock.now()])
  // The job that runs every half minute.
  await endStaleConnections(app.platform)
}

interface Ending {
  end(held: Held): Promise<unknown>
  /** The device that makes the request stays signed in. */
  spares?: boolean
  /** The status with which the token is refused afterwards. */
  status?: 401 | 403
}

const endings: Record<string, Ending> = {
  'sign-out': { end: ({ other }) => other.call('POST /api/user/signOut'), spares: true },
  'sign-out of a device from another': {
    end: async ({ who, other }) =>
      who.call('DELETE /api/user/sessions/:id', { params: { id: await sessionOf(other) } }),
    spares: true,
  },
  'sign-out everywhere': { end: ({ who }) => who.call('POST /api/user/signOutEverywhere') },
  'a week without use': { end: (held) => expired(held, 'idle_expires_at') },
  'the end of its time': { end: (held) => expired(held, 'expires_at') },
  'a row that is removed in the database': {
    end: ({ who }) => rows.query('delete from sessions where user_id = $1', [who.id]),
  },
  'the end of the account': { end: ({ who }) => rows.query('delete from accounts where id = $1', [who.id]) },
}

async function hold(): Promise<Held> {
  const who = await person(app)
  const [other, friend] = [await signInAgain(who), await person(app)]
  return { who, other, friend, sockets: [await connect(app, other), await connect(app, other)] }
}

const soon = (closing: Promise<unknown>) =>
  Promise.race([closing, new Promise((_, reject) => setTimeout(() => reject(new Error('still open')), standstillMs))])

const closed = ({ socket }: Client) =>
  new Promise<string>((resolve) => {
    if (!socket.connected) resolve('closed before')
    socket.once('disconnect', resolve)
  })

describe('an ended session', () => {
  for (const { tags, cases } of firstQuick(1, Object.entries(endings)))
    it.each(cases)('A session ended by %s no longer works.', { tags }, async (_how, { end, spares, status = 401 }) => {
      const held = await hold()
      const { who, other, friend, sockets } = held
      expect((await other.call('GET /api/user/myDetails')).status).toBe(200)
      const closing = Promise.all(sockets.map(closed))
      await end(held)
      // A process caches a session for a second, so nothing is sent after two.
      await soon(closing)
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      expect((await other.call('GET /api/user/myDetails')).status).toBe(status)
      await expect(connect(app, other)).rejects.toThrow(/unauthenticated|suspended/)
      const heard = sockets.map(({ received }) => received('private message').length)
      const speaker = await connect(app, friend)
      await speaker.ask('send_message', outgoing(friend, who))
      expect(sockets.map(({ received }) => received('private message').length)).toEqual(heard)
      expect((await who.call('GET /api/user/sessions')).status).toBe(spares ? 200 : 401)
    })

  it('Signing out clears a browser’s cached pictures.', async () => {
    const { who, other } = await hold()
    for (const [one, path] of [
      [other, 'signOut'],
      [who, 'signOutEverywhere'],
    ] as const) {
      const { headers } = await one.call(`POST /api/user/${path}`)
      expect(headers.get('clear-site-data')).toBe('"cache"')
    }
  })

  it('A browser’s cached pictures are cleared wherever its session was ended.', async () => {
    const { who, other } = await hold()
    await who.call('POST /api/user/signOutEverywhere')
    const cleared = async (caller: Pick<Person, 'send'>) => {
      const { status, headers } = await caller.send('GET', '/api/user/myDetails')
      return [status, headers.get('clear-site-data')]
    }
    await expect.poll(() => cleared(other)).toEqual([401, '"cache"'])
    expect(await cleared(caller(app.url))).toEqual([401, null])
  })
})

describe('someone who is suspended or banned', () => {
  it.each(['suspension', 'ban'] as const)(
    'A person with a %s is cut off and hears nothing more.',
    async (kind) => {
      const held = await hold()
      const closing = Promise.all(held.sockets.map(closed))
      const statement = 'You threatened someone.'
      const given = { userId: held.who.id, kind, ground: 'threats' as const, statement, decidedBy: admin.id, days: 7 }
      await transaction(app.platform, (tx) => sanction(tx, given))
      await soon(closing)
      expect((await held.other.call('GET /api/user/myDetails')).status).toBe(401)
      await expect(connect(app, held.other)).rejects.toThrow('unauthenticated')
      const back = await signInAgain(held.who)
      expect((await back.call('GET /api/user/myDetails')).body.code).toBe('suspended')
      await expect(connect(app, back)).rejects.toThrow('suspended')
    },
    60_000,
  )

  it('A banned person with a live session is cut off at the next check.', async () => {
    const held = await hold()
    const closing = Promise.all(held.sockets.map(closed))
    await rows.query("update accounts set standing = 'banned' where id = $1", [held.who.id])
    // The job that runs every half minute.
    await endStaleConnections(app.platform)
    await soon(closing)
  })
})

describe('a token', () => {
  it('A token works only in the authorization header, not in a URL, a cookie or a form.', async () => {
    const { token } = await person(app)
    const path = '/api/user/myDetails'
    for (const [address, headers] of [
      [`${path}?token=${token}`, {}],
      [`${path}?access_token=${token}&authorization=Bearer%20${token}`, {}],
      [path, { cookie: `token=${token}; authorization=Bearer ${token}` }],
      [path, { authorization: token }],
      [path, { authorization: `Basic ${token}` }],
      [path, { 'x-authorization': `Bearer ${token}` }],
      [path, { authorization: `Bearer ${token.slice(0, -1)}` }],
      [path, { authorization: `Bearer ${token}A` }],
      [path, { authorization: `Bearer ${token.toLowerCase()}` }],
    ] as const)
      expect(
        (await caller(app.url).send('GET', address, undefined, headers as Record<string, string>)).status,
      ).not.toBe(200)
    const polling = await fetch(`${app.url}/socket.io/?EIO=4&transport=polling&token=${token}`)
    expect(await polling.text()).not.toContain(token)
  })

  it('A token is long and differs at every sign-in.', async () => {
    const who = await person(app)
    const tokens = [who.token]
    for (let n = 0; n < 3; n++) tokens.push((await signInAgain(who)).token)
    expect(new Set(tokens).size).toBe(4)
    for (const token of tokens) expect(token).toMatch(/^dt1_[A-Za-z0-9_-]{43}$/)
  })

  it('An administrator’s token immediately loses its rights with the role.', async () => {
    const one = await person(app)
    await app.platform.grantSuperAdmin(one.email)
    const session = await sessionOf(one)
    app.platform.sessions.forget(session)
    expect((await one.call('GET /api/admin/reports')).status).toBe(200)
    await rows.query('update accounts set is_super_admin = false where id = $1', [one.id])
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await one.call('GET /api/admin/reports')).status).toBe(404)
  })

  it('A token expires by the clock, whatever its holder does.', async () => {
    const one = await person(app)
    app.clock.advance(days(7) + minutes(1))
    app.platform.sessions.forget(await sessionOf(one))
    expect((await one.call('GET /api/user/myDetails')).status).toBe(401)
  })
})
