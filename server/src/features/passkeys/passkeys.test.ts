import { generateKeyPairSync } from 'node:crypto'
import type { PasskeyProof } from '@duet/contract/passkeys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hours } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Authenticator, createAuthenticator } from '../../test/authenticator.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { growStale, mailTo } from '../accounts/access.test-accounts.ts'
import { relyingParty } from './ceremony.ts'
import { forgetChallenges } from './passkeys.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const newDevice = () => createAuthenticator(relyingParty(app.platform.config).origin)
const challenge = async () => (await caller(app.url).call('POST /api/user/passkeys/challenge')).body
const signIn = (passkey: PasskeyProof) =>
  caller(app.url).call('POST /api/user/passkeys/authenticate', { body: { passkey } })
const signInWith = async (device: Authenticator) => signIn(device.get(await challenge()))
const listed = async (who: Person) => (await who.call('GET /api/user/passkeys')).body.passkeys
const begin = async (who: Person) => (await who.call('POST /api/user/passkeys/options')).body
const add = async (who: Person, device = newDevice()) => {
  const { status, body } = await who.call('POST /api/user/passkeys', {
    body: { passkey: device.create(await begin(who)) },
  })
  expect([status, body.code]).toEqual([201, undefined])
  return { device, id: body.id }
}
type Deviation = Parameters<Authenticator['get']>[1]

const deviations: [string, Deviation][] = [
  ['of a page elsewhere', { origin: 'https://duet.example.net' }],
  ['of the same host at another port', { origin: 'http://localhost:1' }],
  ['for another host', { rpId: 'example.net' }],
  ['without its owner having shown the device who they are', { isVerified: false }],
  ['of another ceremony', { type: 'payment.get' }],
]

describe('adding a passkey', () => {
  it('Adding a passkey asks the device for one with the person’s id, excluding existing ones.', async () => {
    const who = await person(app)
    const options = await begin(who)
    expect(options).toMatchObject({ rp: { id: 'localhost' }, user: { name: who.email }, excludeCredentials: [] })
    expect(Buffer.from(options.user.id, 'base64url').toString('hex')).toBe(who.id.replaceAll('-', ''))
    const { device } = await add(who)
    expect((await begin(who)).excludeCredentials).toMatchObject([{ id: device.id, transports: ['internal'] }])
  })

  it('An added passkey is listed with its device, announced by email, and signs in until it is removed.', async () => {
    const who = await person(app)
    const { device, id } = await add(who)
    await mailTo(app, who.email, /passkey was added/)
    expect(await listed(who)).toMatchObject([{ id, name: 'Web', synced: false, lastUsedAt: null }])
    const { status, body } = await signInWith(device)
    expect([status, body.id, body.email]).toEqual([200, who.id, who.email])
    expect((await caller(app.url, body.token).call('GET /api/user/myDetails')).status).toBe(200)
    expect((await listed(who))[0]?.lastUsedAt).not.toBeNull()
    expect((await who.call('DELETE /api/user/passkeys/:id', { params: { id } })).status).toBe(200)
    await mailTo(app, who.email, /passkey was removed/)
    expect((await signInWith(device)).status).toBe(401)
    expect((await who.call('DELETE /api/user/passkeys/:id', { params: { id } })).status).toBe(404)
  })

  it('Every step of adding a passkey, and removing one, needs a sign-in within the last ten minutes.', async () => {
    const who = await person(app)
    const { id } = await add(who)
    const options = await begin(who)
    growStale(app)
    const answers = [
      await who.call('POST /api/user/passkeys/options'),
      await who.call('POST /api/user/passkeys', { body: { passkey: newDevice().create(options) } }),
      await who.call('DELETE /api/user/passkeys/:id', { params: { id } }),
    ]
    expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill('reauthentication_required'))
    expect(await listed(who)).toHaveLength(1)
  })

  it.each(deviations)('A new passkey %s is refused.', async (_, deviation) => {
    const who = await person(app)
    const passkey = newDevice().create(await begin(who), deviation)
    expect((await who.call('POST /api/user/passkeys', { body: { passkey } })).body.code).toBe('invalid_credentials')
    expect(await listed(who)).toEqual([])
  })

  it('A new passkey is refused for another session’s, an expired or an already answered challenge.', async () => {
    const [who, other] = [await person(app), await person(app)]
    const send = async (passkey: ReturnType<Authenticator['create']>) =>
      (await who.call('POST /api/user/passkeys', { body: { passkey } })).body.code
    expect(await send(newDevice().create(await begin(other)))).toBe('invalid_credentials')
    expect(await send(newDevice().create({ ...(await begin(who)), ...(await challenge()) }))).toBe(
      'invalid_credentials',
    )
    const options = await begin(who)
    expect(await send(newDevice().create(options))).toBeUndefined()
    expect(await send(newDevice().create(options))).toBe('invalid_credentials')
    expect(await listed(who)).toHaveLength(1)
  })

  it('A passkey that any account already has is refused.', async () => {
    const [who, other] = [await person(app), await person(app)]
    const { device } = await add(who)
    const passkey = device.create(await begin(other))
    expect((await other.call('POST /api/user/passkeys', { body: { passkey } })).status).toBe(409)
    expect((await signInWith(device)).status).toBe(401)
    expect(await listed(other)).toEqual([])
  })

  it('An account can have twenty passkeys, even when many are added at once.', { tags: 'race' }, async () => {
    const who = await person(app)
    for (let count = 0; count < 18; count += 1) await add(who)
    const made = await Promise.all(Array.from({ length: 5 }, async () => newDevice().create(await begin(who))))
    const all = await Promise.all(made.map((passkey) => who.call('POST /api/user/passkeys', { body: { passkey } })))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(await listed(who)).toHaveLength(20)
    expect((await who.call('POST /api/user/passkeys/options')).status).toBe(409)
  })
})

describe('a proof by passkey', () => {
  it('A passkey sign-in gets the same options for everyone.', async () => {
    const [one, two] = [await challenge(), await challenge()]
    expect(one).toEqual({ ...two, challenge: one.challenge })
    expect(one.challenge).not.toBe(two.challenge)
  })

  it.each(deviations)('A passkey proof %s is refused.', async (_, deviation) => {
    const { device } = await add(await person(app))
    expect((await signIn(device.get(await challenge(), deviation))).status).toBe(401)
    expect((await signInWith(device)).status).toBe(200)
  })

  it('A passkey proof is refused with a forged or expired challenge, or one for adding a passkey.', async () => {
    const who = await person(app)
    const { device } = await add(who)
    const asked = await challenge()
    const bytes = Buffer.from(asked.challenge, 'base64url')
    bytes[3] = (bytes[3] ?? 0) ^ 1
    const forged = { ...asked, challenge: bytes.toString('base64url') }
    for (const other of [forged, { ...asked, challenge: 'AAAA' }, { ...asked, ...(await begin(who)) }])
      expect((await signIn(device.get(other))).status).toBe(401)
    app.clock.advance(hours(1))
    expect((await signIn(device.get(asked))).status).toBe(401)
  })

  it('A passkey proof works once, even concurrently, until its challenge is forgotten.', { tags: 'race' }, async () => {
    const { device } = await add(await person(app))
    // This device has no counter, so a counter can't reveal that the proof is repeated.
    const proof = device.get(await challenge(), { counter: 0 })
    const answers = await Promise.all([signIn(proof), signIn(proof), signIn(proof)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect((await signIn(proof)).status).toBe(401)
    app.clock.advance(hours(1))
    await forgetChallenges(app.platform)
    expect((await app.platform.pool.query('select from passkey_challenges')).rowCount).toBe(0)
    expect((await signIn(proof)).status).toBe(401)
  })

  it('A passkey whose counter goes back is refused as a copy; devices without counters are accepted.', async () => {
    const { device } = await add(await person(app))
    for (const [counter, status] of [
      [7, 200],
      [7, 401],
      [6, 401],
      [8, 200],
    ] as const)
      expect([counter, (await signIn(device.get(await challenge(), { counter }))).status]).toEqual([counter, status])
    const { device: uncounted } = await add(await person(app))
    for (const counter of [0, 0]) expect((await signIn(uncounted.get(await challenge(), { counter }))).status).toBe(200)
  })

  it('An unknown passkey, a wrong signature and another person’s handle get the same error.', async () => {
    const [who, other] = [await person(app), await person(app)]
    const { device } = await add(who)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const handle = Buffer.from(other.id.replaceAll('-', ''), 'hex').toString('base64url')
    const answers = [
      await signInWith(newDevice()),
      await signIn(device.get(await challenge(), { signedBy: privateKey })),
      await signIn(device.get(await challenge(), { userHandle: handle })),
    ]
    const said = answers.map(({ status, body: { requestId: _, ...body } }) => JSON.stringify([status, body]))
    expect(said[0]).toContain('[401,')
    expect(new Set(said).size).toBe(1)
  })

  it('A malformed passkey proof is refused without a server error.', async () => {
    const proof = (await add(await person(app))).device.get(await challenge())
    for (const part of ['clientDataJSON', 'authenticatorData', 'signature'])
      for (const text of ['', 'AA', 'a'.repeat(50), '!', 7, null, [], undefined]) {
        const passkey = { ...proof, response: { ...proof.response, [part]: text } }
        const { status } = await caller(app.url).send('POST', '/api/user/passkeys/authenticate', { passkey })
        expect([part, text, [400, 401].includes(status)]).toEqual([part, text, true])
      }
    expect((await signIn({ ...proof, response: { ...proof.response, userHandle: null } })).status).toBe(200)
  })

  it('A passkey proof refreshes the session of its own person only.', async () => {
    const [who, other] = [await person(app), await person(app)]
    const [own, others] = [await add(who), await add(other)]
    growStale(app)
    const prove = async ({ device }: typeof own) =>
      (
        await who.call('POST /api/user/passkeys/reauthenticate', {
          body: { passkey: device.get(await challenge()) },
        })
      ).body
    const password = async () =>
      (await who.call('PUT /api/user/password', { body: { password: 'Correct horse 9' } })).status
    expect(await prove(others)).toMatchObject({ code: 'invalid_credentials' })
    expect(await password()).toBe(403)
    expect(await prove(own)).toHaveProperty('freshUntil')
    expect(await password()).toBe(200)
  })

  it('A passkey sign-in can stay signed in, and a new device is announced.', async () => {
    const who = await person(app)
    const { device } = await add(who)
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone) AppleWebKit/605 Version/17.0 Safari/604.1' }
    const body = { passkey: device.get(await challenge()), staySignedIn: true }
    const answer = await caller(app.url).send('POST', '/api/user/passkeys/authenticate', body, headers)
    expect(answer.headers.get('set-cookie')).toContain('duet_device=')
    app.clock.advance(hours(24 * 80))
    const again = caller(app.url, String(answer.body.token))
    expect((await again.call('GET /api/user/myDetails')).status).toBe(200)
    const { notifications } = (await again.call('GET /api/notifications')).body
    expect(notifications.map(({ kind }) => kind)).toContain('new_sign_in')
    await mailTo(app, who.email, /New sign-in/)
  })
})
