import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hours, minutes, seconds } from '../../platform/clock.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createAuthenticator } from '../../test/authenticator.ts'
import { createTestDatabase } from '../../test/database.ts'
import { type Person, person } from '../../test/people.ts'
import { administrator, signInAgain } from '../reports/cases.test-reports.ts'
import { findKeyFault } from './sealing-key.ts'
import { resetSecondFactor } from './second-factor.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ ADMIN_SECOND_FACTOR: 'required' })
})
afterAll(() => app.close())

const codeAt = (on: TestApp, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: on.clock.now().getTime() })
const confirm = (who: Person, code: string) => who.call('POST /api/admin/second-factor/confirm', { body: { code } })
const verify = (who: Person, code: string) => who.call('POST /api/admin/second-factor/verify', { body: { code } })
const look = async (who: Person) => (await who.call('GET /api/admin/photos')).body.code ?? 'let in'

/** Creates an administrator with a confirmed authenticator. */
async function enrolled(on: TestApp) {
  const who = await administrator(on)
  const { body } = await who.call('POST /api/admin/second-factor')
  const { body: done } = await confirm(who, codeAt(on, body.secret))
  return { who, secret: body.secret, uri: body.uri, codes: done.recoveryCodes }
}

it('Before setting up a second factor, an administrator can do nothing else.', async () => {
  const who = await administrator(app)
  expect(await look(who)).toBe('second_factor_required')
  const state = (await who.call('GET /api/admin/second-factor')).body
  expect(state).toEqual({
    enrolled: false,
    required: true,
    verifiedUntil: null,
    recoveryCodesLeft: 0,
    hasPasskey: false,
  })
  const { body } = await who.call('POST /api/admin/second-factor')
  expect(body.uri).toContain(`secret=${body.secret}`)
  expect(await look(who)).toBe('second_factor_required')
  const done = await confirm(who, codeAt(app, body.secret))
  expect(done.body.recoveryCodes).toHaveLength(10)
  expect(await look(who)).toBe('let in')
  expect((await who.call('GET /api/admin/second-factor')).body).toMatchObject({ enrolled: true, recoveryCodesLeft: 10 })
})

it('To everyone else, the second factor is not found.', async () => {
  const who = await person(app)
  expect((await who.call('POST /api/admin/second-factor')).status).toBe(404)
})

it('Every session needs its own, new code from the authenticator.', async () => {
  const { who, secret } = await enrolled(app)
  const again = await signInAgain(app, who)
  expect(await look(again)).toBe('second_factor_required')
  app.clock.advance(minutes(1))
  const code = codeAt(app, secret)
  expect((await verify(again, code)).status).toBe(200)
  expect(await look(again)).toBe('let in')
  const third = await signInAgain(app, who)
  const replayed = await verify(third, code)
  expect([replayed.status, replayed.body.code]).toEqual([401, 'invalid_credentials'])
  expect(await look(third)).toBe('second_factor_required')
})

it('A stranger with the mailbox can’t lock the administrator out, and new sessions give them no extra guesses.', async () => {
  const limited = await startTestApp({ ADMIN_SECOND_FACTOR: 'required', RATE_LIMIT_SCALE: '1' })
  onTestFinished(() => limited.close())
  const { who, secret, codes } = await enrolled(limited)
  const { sessionId } = (await limited.platform.sessions.find(who.token)) as { sessionId: string }
  const session = async () => (await signInAgain(limited, who)) as Person
  const stranger = await session()
  const wrong = async (by: Person) => (await verify(by, '000000')).status
  for (let n = 0; n < 5; n++) expect(await wrong(stranger)).toBe(401)
  expect(await wrong(stranger)).toBe(429)
  const mine = await session()
  limited.clock.advance(minutes(1))
  expect((await verify(mine, codeAt(limited, secret))).status).toBe(200)
  // Counts as many guesses as the stranger would make in many more sessions.
  const guesses = { name: 'second_factor_guesses', points: 40, seconds: 3_600 }
  await limited.platform.limits.spend(guesses, who.id, 35)
  const third = await session()
  expect(await wrong(third)).toBe(429)
  expect((await verify(third, codes[0] ?? '')).status).toBe(200)
  await limited.platform.db
    .updateTable('sessions')
    .set({ second_factor_at: new Date(limited.clock.now().getTime() - hours(13)) })
    .where('id', '=', sessionId)
    .execute()
  limited.clock.advance(minutes(1))
  expect((await verify(who, codeAt(limited, secret))).status).toBe(200)
})

it('Of one code sent twice at once, one passes.', { tags: 'race' }, async () => {
  const { who, secret } = await enrolled(app)
  app.clock.advance(minutes(1))
  const [one, two] = [await signInAgain(app, who), await signInAgain(app, who)]
  app.clock.advance(minutes(1))
  const code = codeAt(app, secret)
  const statuses = (await Promise.all([verify(one, code), verify(two, code)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 401])
})

it('A code is valid from half a minute before to half a minute after its time.', async () => {
  const { who, secret } = await enrolled(app)
  app.clock.advance(minutes(1))
  const code = codeAt(app, secret)
  app.clock.advance(seconds(90))
  expect((await verify(who, code)).status).toBe(401)
})

it('A recovery code works once, is audited, and is stored as a hash.', async () => {
  const { who, codes } = await enrolled(app)
  const again = await signInAgain(app, who)
  expect((await verify(again, codes[0] ?? '')).status).toBe(200)
  expect(await look(again)).toBe('let in')
  expect((await verify(again, codes[0] ?? '')).status).toBe(401)
  expect((await again.call('GET /api/admin/second-factor')).body.recoveryCodesLeft).toBe(9)
  const rows = await app.platform.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', who.id).execute()
  expect(rows).toHaveLength(10)
  expect(rows.every(({ code_hash }) => code_hash.length === 32)).toBe(true)
})

it('The secret is sealed: the database alone doesn’t reveal it.', async () => {
  const { who, secret } = await enrolled(app)
  const row = await app.platform.db
    .selectFrom('second_factors')
    .select('secret')
    .where('user_id', '=', who.id)
    .executeTakeFirstOrThrow()
  const plain = Buffer.from(Secret.fromBase32(secret).buffer)
  expect(row.secret.includes(plain)).toBe(false)
  expect(row.secret.toString('latin1')).not.toContain(secret)
})

it('A confirmed second factor can’t be replaced by a session thief.', async () => {
  const { who } = await enrolled(app)
  expect((await who.call('POST /api/admin/second-factor')).status).toBe(409)
  expect((await confirm(who, '000000')).status).toBe(409)
})

it('Setting up a second factor needs a sign-in within the last ten minutes.', async () => {
  const who = await administrator(app)
  app.clock.advance(minutes(11))
  const { status, body } = await who.call('POST /api/admin/second-factor')
  expect([status, body.code]).toEqual([403, 'reauthentication_required'])
})

it('A passed second factor lasts twelve hours at most.', async () => {
  const { who } = await enrolled(app)
  await app.platform.db
    .updateTable('sessions')
    .set({ second_factor_at: new Date(app.clock.now().getTime() - hours(12)) })
    .where('user_id', '=', who.id)
    .execute()
  for (const { id } of await app.platform.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', who.id)
    .execute())
    app.platform.sessions.forget(id)
  expect(await look(who)).toBe('second_factor_required')
})

it('The command line resets a second factor with an audit entry, and it can be set up again.', async () => {
  const { who } = await enrolled(app)
  expect(await transaction(app.platform, (tx) => resetSecondFactor(tx, who.email))).toBe(true)
  expect(await transaction(app.platform, (tx) => resetSecondFactor(tx, who.email))).toBe(false)
  const again = await signInAgain(app, who)
  expect(await look(again)).toBe('second_factor_required')
  expect((await again.call('POST /api/admin/second-factor')).status).toBe(200)
})

describe('after a start with another SECRET_KEY', () => {
  const keys = { first: 'a first key for tests, long enough to be one', next: 'another key for tests, long enough too' }
  const admins = { ADMIN_SECOND_FACTOR: 'required' }

  it('A changed SECRET_KEY is reported at start, codes are refused with the reason, and the earlier key reseals the secrets.', {
    tags: 'long',
  }, async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const start = (keyed: Record<string, string>) =>
      startTestApp({ ...admins, LOG_LEVEL: 'silent', ...keyed }, { database })
    const faultOf = ({ platform }: TestApp) => findKeyFault(platform)
    const first = await start({ SECRET_KEY: keys.first })
    const { who, secret, codes } = await enrolled(first)
    const plain = await faultOf(first)
    await first.close()
    let ahead = 0
    const tryCode = async (on: TestApp) => {
      ahead += minutes(10)
      on.clock.advance(ahead)
      const again = await signInAgain(on, who)
      const { status, body } = await verify(again, codeAt(on, secret))
      return [status, body.code]
    }

    const lost = await start({ SECRET_KEY: keys.next })
    const refused = await tryCode(lost)
    const recovered = await verify(await signInAgain(lost, who), codes[1] ?? '')
    const told = await faultOf(lost)
    await lost.close()
    const rotated = await start({ SECRET_KEY: keys.next, SECRET_KEY_PREVIOUS: keys.first })
    const [accepted] = await tryCode(rotated)
    await rotated.close()
    const alone = await start({ SECRET_KEY: keys.next })
    const [stillAccepted] = await tryCode(alone)
    const after = await faultOf(alone)
    await alone.close()
    expect({ plain, refused, recovered: recovered.status, told, accepted, stillAccepted, after }).toEqual({
      ...{ plain: undefined, refused: [409, 'conflict'], recovered: 200 },
      told: expect.stringMatching(/^SECRET_KEY is not the one that second factors were sealed with \(1 of them\)/),
      ...{ accepted: 200, stillAccepted: 200, after: undefined },
    })
  })
})

describe('where it is optional', () => {
  it('An optional second factor is only asked of administrators who set it up.', { tags: 'long' }, async () => {
    const open = await startTestApp()
    const { who } = await enrolled(open)
    expect(await look(await administrator(open))).toBe('let in')
    expect(await look(await signInAgain(open, who))).toBe('second_factor_required')
    await open.close()
  })
})

it('A second factor can be guessed five times in ten minutes.', { tags: 'long' }, async () => {
  const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  const who = await administrator(strict)
  await who.call('POST /api/admin/second-factor')
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await confirm(who, '000000')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  await strict.close()
})

describe('a passkey as the second factor', () => {
  const newPasskey = async (on: TestApp, who: Person) => {
    const device = createAuthenticator(
      new URL(on.platform.config.publicUrl ?? `http://localhost:${on.platform.config.port}`).origin,
    )
    const { body } = await who.call('POST /api/user/passkeys/options')
    await who.call('POST /api/user/passkeys', { body: { passkey: device.create(body) } })
    return async (session: Person) => {
      const asked = await session.call('POST /api/user/passkeys/challenge')
      const passkey = device.get(asked.body)
      return (await session.call('POST /api/admin/second-factor/verify', { body: { passkey } })).status
    }
  }
  const hasOne = async (who: Person) => (await who.call('GET /api/admin/second-factor')).body.hasPasskey

  it('A passkey made after passing the second factor counts as one; one made before doesn’t.', async () => {
    const admin = await administrator(app)
    const before = await newPasskey(app, admin)
    const { body } = await admin.call('POST /api/admin/second-factor')
    await confirm(admin, codeAt(app, body.secret))
    const unproven = await signInAgain(app, admin)
    const meanwhile = await newPasskey(app, unproven)
    for (const prove of [before, meanwhile]) expect(await prove(unproven)).toBe(401)
    expect([await hasOne(admin), await look(unproven)]).toEqual([false, 'second_factor_required'])
    const after = await newPasskey(app, admin)
    expect(await hasOne(admin)).toBe(true)
    expect(await after(unproven)).toBe(200)
    expect(await look(unproven)).toBe('let in')
  })

  it('A passkey counts only for its own person, and no longer after a reset.', async () => {
    const [{ who: ada }, { who: bea }] = [await enrolled(app), await enrolled(app)]
    const prove = await newPasskey(app, ada)
    expect(await prove(bea)).toBe(401)
    expect(await prove(ada)).toBe(200)
    await transaction(app.platform, (tx) => resetSecondFactor(tx, ada.email))
    const again = await signInAgain(app, ada)
    const { body } = await again.call('POST /api/admin/second-factor')
    await confirm(again, codeAt(app, body.secret))
    expect(await prove(await signInAgain(app, ada))).toBe(401)
  })
})
