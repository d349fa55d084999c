import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days, minutes, seconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/security/session.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const anonymous = () => caller(app.url)

async function codeFor(email: string): Promise<string> {
  await anonymous().call('POST /api/user/requestOtp', { body: { email } })
  return app.codeFor(email)
}

async function laterCode(email: string): Promise<string> {
  app.clock.advance(seconds(31))
  return codeFor(email)
}

async function sessionOf(token: string): Promise<string | undefined> {
  const row = await app.platform.db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  return row?.id
}

describe('a session', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer dt1_wrong' }],
    ['a token in another form', { authorization: 'Basic YTpi' }],
    ['an empty header', { authorization: '' }],
  ])('a session is required: %s gets a 401', async (_what, headers) => {
    const { status, body } = await anonymous().send(
      'GET',
      '/api/user/myDetails',
      undefined,
      headers as Record<string, string>,
    )
    expect(status).toBe(401)
    expect(body.code).toBe('unauthenticated')
  })

  it('signing out ends the session immediately', async () => {
    const me = await person(app)
    expect((await me.call('POST /api/user/signOut')).status).toBe(200)
    expect((await me.call('GET /api/user/myDetails')).status).toBe(401)
  })

  it('a session ends after 7 days without use', async () => {
    const me = await person(app)
    app.clock.advance(days(7) + minutes(1))
    expect((await me.call('GET /api/user/myDetails')).status).toBe(401)
  })

  it('a session in use lasts 30 days at most', async () => {
    const me = await person(app)
    const answers: number[] = []
    for (let day = 6; day <= 36; day += 6) {
      app.clock.advance(days(6) + minutes(1))
      app.platform.sessions.forget((await sessionOf(me.token)) ?? '')
      answers.push((await me.call('GET /api/user/myDetails')).status)
    }
    expect(answers).toEqual([200, 200, 200, 200, 401, 401])
  })

  it('a device that stays signed in needs use every 90 days and lasts a year at most', async () => {
    const { email } = await person(app, { password: 'correct horse' })
    const signIn = (body: object) =>
      anonymous().send('POST', '/api/user/authenticate', { email, password: 'correct horse', ...body })
    const tokenOf = async (body: object) => String((await signIn(body)).body.token)
    const [stays, plain] = [await tokenOf({ staySignedIn: true }), await tokenOf({ staySignedIn: false })]
    expect((await signIn({ staySignedIn: 'yes' })).status).toBe(400)
    const look = async (token: string) => {
      app.platform.sessions.forget((await sessionOf(token)) ?? '')
      return (await caller(app.url, token).call('GET /api/user/myDetails')).status
    }
    const answers: number[] = []
    for (let day = 89; day <= 400; day += 89) {
      app.clock.advance(days(89))
      answers.push(await look(stays))
    }
    expect([answers, await look(plain)]).toEqual([[200, 200, 200, 200], 401])
    app.clock.advance(days(10))
    expect(await look(stays)).toBe(401)
    const unused = await tokenOf({ staySignedIn: true })
    app.clock.advance(days(90) + minutes(1))
    expect(await look(unused)).toBe(401)
  })

  it("an administrator's session can't stay signed in", async () => {
    const { email } = await person(app, { password: 'correct horse' })
    await app.platform.grantSuperAdmin(email)
    const body = { email, password: 'correct horse', staySignedIn: true }
    const { token } = (await anonymous().call('POST /api/user/authenticate', { body })).body
    app.clock.advance(minutes(31))
    expect((await caller(app.url, token).call('GET /api/user/myDetails')).status).toBe(401)
  })

  it("a super administrator's session ends after 30 minutes without use and 12 hours at most", {
    tags: 'long',
  }, async () => {
    const me = await person(app)
    await app.platform.grantSuperAdmin(me.email)
    const statuses: number[] = []
    for (let passed = 0; passed < 13; passed += 1) {
      for (const part of [25, 25, 10]) {
        app.clock.advance(minutes(part))
        app.platform.sessions.forget((await sessionOf(me.token)) ?? '')
        statuses.push((await me.call('GET /api/user/myDetails')).status)
      }
    }
    expect(statuses.slice(0, 35).every((status) => status === 200)).toBe(true)
    expect(statuses.slice(-2)).toEqual([401, 401])
    const other = await person(app)
    await app.platform.grantSuperAdmin(other.email)
    await other.call('GET /api/user/myDetails')
    app.clock.advance(minutes(31))
    app.platform.sessions.forget((await sessionOf(other.token)) ?? '')
    expect((await other.call('GET /api/user/myDetails')).status).toBe(401)
  })

  it('concurrent lookups find the right people and record the use; an unknown token belongs to nobody', async () => {
    const some = await people(app, 5)
    await app.platform.pool.query(`update sessions set last_seen_at = last_seen_at - interval '10 minutes'`)
    const tokens = some.map(({ token }) => token)
    const found = await Promise.all(
      [newToken(), ...tokens, ...tokens].map((token) => app.platform.sessions.find(token)),
    )
    const ids = some.map(({ id }) => id)
    expect(found.map((viewer) => viewer?.id)).toEqual([undefined, ...ids, ...ids])
    const { rows } = await app.platform.pool.query(
      'select count(*)::int as noted from sessions where token_hash = any($1) and last_seen_at >= $2',
      [tokens.map(hashToken), new Date(app.clock.now().getTime() - 60_000)],
    )
    expect(rows[0].noted).toBe(5)
  })

  it('use is recorded every five minutes, hourly in the profile, and every minute for administrators', async () => {
    const hour = 3_600_000
    // One minute past the hour.
    app.clock.advance(hour - (app.clock.now().getTime() % hour) + minutes(1))
    const [me, admin] = (await people(app, 2)) as [Person, Person]
    await app.platform.grantSuperAdmin(admin.email)
    const noted = async ({ id, token }: Person) => {
      app.platform.sessions.forget((await sessionOf(token)) ?? '')
      await app.platform.sessions.find(token)
      const { rows } = await app.platform.pool.query<{ seen: Date; active: Date }>(
        `select last_seen_at as seen, last_active_at as active from sessions join profiles using (user_id)
         where user_id = $1 and token_hash = $2`,
        [id, hashToken(token)],
      )
      const ago = (date?: Date) => Math.round((app.clock.now().getTime() - (date?.getTime() ?? 0)) / minutes(1))
      return [ago(rows[0]?.seen), ago(rows[0]?.active)]
    }
    expect([await noted(me), await noted(admin)]).toEqual([
      [0, 0],
      [0, 0],
    ])
    app.clock.advance(minutes(4))
    expect([await noted(me), await noted(admin)]).toEqual([
      [4, 4],
      [0, 4],
    ])
    app.clock.advance(minutes(2))
    expect(await noted(me)).toEqual([0, 6])
    app.clock.advance(minutes(55))
    expect(await noted(me)).toEqual([0, 0])
  })

  it('a session is listed and can be ended from another device, whose sockets close within two seconds', async () => {
    const me = await person(app)
    const otp = await laterCode(me.email)
    const { body: other } = await anonymous().call('POST /api/user/authenticate', { body: { email: me.email, otp } })
    const client = await connect(app, other)
    const closed = new Promise<string>((resolve) => client.socket.once('disconnect', resolve))
    const { body } = await me.call('GET /api/user/sessions')
    expect(body.sessions).toHaveLength(2)
    const others = body.sessions.filter(({ current }) => !current)
    await me.call('DELETE /api/user/sessions/:id', { params: { id: others[0]?.id ?? '' } })
    expect((await caller(app.url, other.token).call('GET /api/user/myDetails')).status).toBe(401)
    expect(await closed).toBe('io server disconnect')
  })

  it("another person's session can't be ended and looks missing", async () => {
    const [me, other] = [await person(app), await person(app)]
    const { body } = await other.call('GET /api/user/sessions')
    const foreign = await me.call('DELETE /api/user/sessions/:id', { params: { id: body.sessions[0]?.id ?? '' } })
    const missing = await me.call('DELETE /api/user/sessions/:id', { params: { id: crypto.randomUUID() } })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    expect((await other.call('GET /api/user/myDetails')).status).toBe(200)
  })

  it('a person has at most ten sessions, and the least recently used one ends', { tags: 'long' }, async () => {
    const me = await person(app, { password: 'correct horse' })
    for (let count = 0; count < 10; count++) {
      app.clock.advance(minutes(2))
      await anonymous().call('POST /api/user/authenticate', { body: { email: me.email, password: 'correct horse' } })
    }
    expect((await me.call('GET /api/user/myDetails')).status).toBe(401)
  })
})

describe('an administrator', () => {
  it("the application's role can't create an administrator", async () => {
    const { id } = await person(app)
    const attempt = app.platform.db.updateTable('accounts').set({ is_super_admin: true }).where('id', '=', id).execute()
    await expect(attempt).rejects.toMatchObject({ code: '42501' })
  })

  it("the owner's role creates an administrator, which the next sign-in and profile show", async () => {
    const me = await person(app, { password: 'correct horse' })
    expect(await app.platform.grantSuperAdmin(me.email)).toBe(true)
    const { body } = await anonymous().call('POST /api/user/authenticate', {
      body: { email: me.email, password: 'correct horse' },
    })
    expect(body.isSuperAdmin).toBe(true)
    expect((await me.call('GET /api/user/myDetails')).body.isSuperAdmin).toBe(true)
  })

  it('the account with the configured address is an administrator from its sign-up on', async () => {
    const own = await startTestApp({ SUPER_ADMIN_EMAIL: 'Boss@Example.com' })
    const boss = await person(own, { email: 'boss@example.com' })
    expect(boss.isSuperAdmin).toBe(true)
    const other = await person(own)
    expect(other.isSuperAdmin).toBe(false)
    await own.close()
  })
})
