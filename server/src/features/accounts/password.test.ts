import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { growStale, mailTo, signInElsewhere } from './access.test-accounts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const [first, second] = ['Correct horse 9', 'Battery staple 7'] as const
const tryPassword = async (email: string, password: string) =>
  (await caller(app.url).call('POST /api/user/authenticate', { body: { email, password } })).status

it('a password can be set, changed and removed, and Settings shows whether there is one', async () => {
  const who = await person(app)
  const has = async () => (await who.call('GET /api/user/access')).body
  expect(await has()).toEqual({ email: who.email, hasPassword: false, recoveryCodesLeft: 0 })
  expect((await who.call('PUT /api/user/password', { body: { password: first } })).status).toBe(200)
  expect(await tryPassword(who.email, first)).toBe(200)
  await who.call('PUT /api/user/password', { body: { password: second } })
  expect([await tryPassword(who.email, first), await tryPassword(who.email, second)]).toEqual([401, 200])
  expect((await has()).hasPassword).toBe(true)
  expect((await who.call('DELETE /api/user/password')).status).toBe(200)
  expect([await tryPassword(who.email, second), (await has()).hasPassword]).toEqual([401, false])
  expect((await signInElsewhere(app, who.email)).id).toBe(who.id)
})

it.each(['PUT', 'DELETE'] as const)(
  '%s of a password ends all other sessions and their connections, and emails a notice',
  async (method) => {
    const who = await person(app, { password: first })
    const other = await signInElsewhere(app, who.email, { password: first })
    const client = await connect(app, other)
    const closed = new Promise((resolve) => client.socket.once('disconnect', resolve))
    const body = method === 'PUT' ? { password: second } : undefined
    expect((await who.send(method, '/api/user/password', body)).status).toBe(200)
    expect(await closed).toBe('io server disconnect')
    expect((await other.call('GET /api/user/myDetails')).status).toBe(401)
    expect((await who.call('GET /api/user/myDetails')).status).toBe(200)
    const { text } = await mailTo(app, who.email, /password was (changed|removed)/)
    expect(text).not.toContain(second)
  },
)

it('setting and removing a password need a sign-in within the last ten minutes', async () => {
  const who = await person(app, { password: first })
  growStale(app)
  const answers = [
    await who.call('PUT /api/user/password', { body: { password: second } }),
    await who.call('DELETE /api/user/password'),
  ]
  expect(answers.map(({ body }) => body.code)).toEqual(Array(2).fill('reauthentication_required'))
  expect(await tryPassword(who.email, first)).toBe(200)
})

it('a password must be long enough and must not be the address; there are no other rules', async () => {
  const who = await person(app, { email: 'Some.Long.Name@example.com' })
  const put = async (password: string) => {
    const { status, body } = await who.call('PUT /api/user/password', { body: { password } })
    return [status, body.errors?.[0]?.path]
  }
  for (const password of [who.email, ` ${who.email.toUpperCase()} `, 'short'])
    expect(await put(password)).toEqual([400, 'password'])
  for (const password of ['aaaaaaaa', 'كلمة مرور', '        ']) expect(await put(password)).toEqual([200, undefined])
  await expect(person(app, { email: 'his@example.com', password: 'HIS@example.com' })).rejects.toThrow(
    'validation_failed',
  )
})

it('removing a missing password changes nothing and sends no email', async () => {
  const who = await person(app)
  const other = await signInElsewhere(app, who.email)
  expect((await who.call('DELETE /api/user/password')).status).toBe(200)
  expect((await other.call('GET /api/user/myDetails')).status).toBe(200)
  await who.call('PUT /api/user/password', { body: { password: first } })
  await mailTo(app, who.email, /password was changed/)
  expect(app.mails.filter(({ to, subject }) => to === who.email && /removed/.test(subject))).toEqual([])
})

it('a concurrent sign-in with the old password leaves no session after the change', {
  tags: ['more-in-long', 'more-in-release'],
}, async () => {
  for (let round = 0; round < rounds(2, 40, 1_000); round++) {
    const who = await person(app, { password: first })
    await Promise.all([
      ...Array.from({ length: 4 }, () => tryPassword(who.email, first)),
      who.call('PUT /api/user/password', { body: { password: second } }),
      ...Array.from({ length: 4 }, () => tryPassword(who.email, first)),
    ])
    expect((await who.call('GET /api/user/sessions')).body.sessions).toHaveLength(1)
  }
})
