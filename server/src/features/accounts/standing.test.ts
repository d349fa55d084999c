import { randomUUID } from 'node:crypto'
import type { Standing } from '@duet/contract/sanctions.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { minutes, seconds } from '../../platform/clock.ts'
import { requirePassage } from '../../platform/security/policy.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, people, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function stand(who: Person, standing: Standing): Promise<void> {
  await app.platform.pool.query('update accounts set standing = $2 where id = $1', [who.id, standing])
  // The session cache lasts a second.
  const { rows } = await app.platform.pool.query<{ id: string }>('select id from sessions where user_id = $1', [who.id])
  for (const { id } of rows) app.platform.sessions.forget(id)
}
const hello = (from: Person, to: Person) => ({
  ...{ id: randomUUID(), message: 'Hello', senderId: from.id, receiverId: to.id },
})
const like = (from: Person, to: Person) =>
  from.call('PUT /api/decisions/:userId', { params: { userId: to.id }, body: { decision: 'like' } })

describe('suspended and banned people', () => {
  it.each(['suspended', 'banned'] as const)('someone %s can only use what every account may', async (standing) => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    await stand(ana, standing)
    const refused = await ana.call('GET /api/user/myDetails')
    expect([refused.status, refused.body.code]).toEqual([403, 'suspended'])
    expect((await ana.call('GET /api/user/sessions')).status).toBe(200)
    await expect(connect(app, ana)).rejects.toThrow('suspended')
    expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(404)
    await stand(ana, 'good')
    expect((await ana.call('GET /api/user/myDetails')).status).toBe(200)
    expect((await ben.call('GET /api/user/:id', { params: { id: ana.id } })).status).toBe(200)
  })
})

describe('restricted people', () => {
  it('someone restricted can start nothing new, but continue what exists', async () => {
    const [ana, ben, cem] = (await people(app, 3)) as [Person, Person, Person]
    const socket = await connect(app, ana)
    await socket.ask('send_message', hello(ana, ben))
    await stand(ana, 'restricted')
    expect(await socket.ask('send_message', hello(ana, cem))).toMatchObject({ ok: false, code: 'restricted' })
    expect(await socket.ask('get_or_create_conversation', { withUser: cem.id })).toEqual({
      error: { code: 'restricted' },
    })
    expect(await socket.ask('send_message', hello(ana, ben))).toMatchObject({ ok: true })
    const refused = await like(ana, cem)
    expect([refused.status, refused.body.code]).toEqual([403, 'restricted'])
    expect((await ana.call('GET /api/user/myDetails')).status).toBe(200)
    expect((await cem.call('GET /api/messages/history')).body).toEqual([])
  })

  it('someone restricted may answer people who write to them', async () => {
    const [ana, ben] = (await people(app, 2)) as [Person, Person]
    await stand(ana, 'restricted')
    await (await connect(app, ben)).ask('send_message', hello(ben, ana))
    expect(await (await connect(app, ana)).ask('send_message', hello(ana, ben))).toMatchObject({ ok: true })
  })
})

describe('recent sign-ins for sensitive acts', () => {
  const now = new Date()
  const viewer: Viewer = {
    ...{ id: randomUUID(), sessionId: randomUUID(), isSuperAdmin: false, standing: 'good' },
    authenticatedAt: now,
    secondFactor: true,
  }
  const rule = { access: 'member', fresh: true } as const

  it('a sensitive act needs a sign-in within the last ten minutes', () => {
    requirePassage(rule, viewer, new Date(now.getTime() + minutes(10) - 1))
    expect(() => requirePassage(rule, viewer, new Date(now.getTime() + minutes(10)))).toThrow('Confirm it')
  })

  it('after a code or a password on one node, sensitive acts work immediately on every node', async () => {
    const other = await startTestApp({}, { database: { config: ownerOf(app.platform) }, clock: app.clock })
    onTestFinished(() => other.close())
    const me = await person(app, { password: 'a long enough one' })
    app.clock.advance(minutes(11))
    const elsewhere = caller(other.url, me.token)
    const change = async () =>
      (await elsewhere.call('PUT /api/user/password', { body: { password: 'another long one' } })).body
    expect(await change()).toMatchObject({ code: 'reauthentication_required' })
    await me.call('POST /api/user/reauthenticate', { body: { password: 'a long enough one' } })
    expect(await change()).not.toHaveProperty('code')
  })

  it('a code or a password makes sensitive acts possible again, for one session', async () => {
    const email = `${randomUUID()}@example.com`
    const me = await person(app, { email, password: 'a long enough one' })
    const wrong = await me.call('POST /api/user/reauthenticate', { body: { password: 'not this one' } })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])
    const { status, body } = await me.call('POST /api/user/reauthenticate', { body: { password: 'a long enough one' } })
    expect(status).toBe(200)
    expect(Date.parse(body.freshUntil) - app.clock.now().getTime()).toBeGreaterThan(minutes(9))
    app.clock.advance(seconds(31))
    await me.call('POST /api/user/requestOtp', { body: { email } })
    const otp = await app.codeFor(email)
    expect((await me.call('POST /api/user/reauthenticate', { body: { otp } })).status).toBe(200)
    expect((await me.call('POST /api/user/reauthenticate', { body: { otp } })).status).toBe(401)
  })

  it("another person's code doesn't count as a sign-in", async () => {
    const [mine, theirs] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
    const me = await person(app, { email: mine })
    await me.call('POST /api/user/requestOtp', { body: { email: theirs } })
    const otp = await app.codeFor(theirs)
    expect((await me.call('POST /api/user/reauthenticate', { body: { otp } })).status).toBe(401)
  })
})
