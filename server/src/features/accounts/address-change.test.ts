import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { hours, minutes, seconds } from '../../platform/clock.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'
import { growStale, mailTo, moveTo, signInElsewhere, undoTokenFor } from './access.test-accounts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const unused = () => `${randomUUID()}@example.com`
const ask = (who: Person, email: string) => who.call('POST /api/user/addressChange', { body: { email } })
const confirm = (who: Person, email: string, otp: string) =>
  who.call('POST /api/user/addressChange/confirm', { body: { email, otp } })
const undo = async (token: string) =>
  (await caller(app.url).call('POST /api/user/addressChange/undo', { body: { token } })).status
const addressOf = async (who: Person) => (await who.call('GET /api/user/access')).body.email
const mailsTo = (email: string) => app.mails.filter(({ to }) => to === email)
const wrongCode = (right: string) => String((Number(right) + 1) % 100_000_000).padStart(8, '0')

describe('changing the address', () => {
  it('an address change needs the code that was emailed to the new address, which works once', async () => {
    const who = await person(app)
    const email = unused()
    const { status, body } = await ask(who, email.toUpperCase().replace('EXAMPLE.COM', 'example.com'))
    expect([status, body]).toEqual([202, { expiresIn: 600, resendIn: 30 }])
    const otp = await app.codeFor(email)
    expect((await confirm(who, email, wrongCode(otp))).status).toBe(401)
    expect((await confirm(who, email, otp)).body).toEqual({ email })
    expect((await confirm(who, email, otp)).status).toBe(401)
    expect(await addressOf(who)).toBe(email)
    expect((await signInElsewhere(app, email)).id).toBe(who.id)
  })

  it("after a change nothing signs in at the previous address, which gets a notice in the person's language", async () => {
    const who = await person(app, { password: 'Correct horse 9' })
    await who.call('PUT /api/user/language', { body: { language: 'es' } })
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: who.email } })
    const old = await app.codeFor(who.email)
    await moveTo(app, who, unused())
    for (const proof of [{ otp: old }, { password: 'Correct horse 9' }])
      await expect(signInElsewhere(app, who.email, proof)).rejects.toThrow('invalid_credentials')
    const { text } = await mailTo(app, who.email, /Se cambió tu dirección/)
    expect(text).toMatch(/\/undo-address#[A-Za-z0-9_-]{64}\n/)
    const { notifications } = (await who.call('GET /api/notifications')).body
    expect(notifications[0]?.kind).toBe('address_changed')
  })

  it('requesting and confirming a change need a sign-in within the last ten minutes', async () => {
    const who = await person(app)
    const email = unused()
    await ask(who, email)
    const otp = await app.codeFor(email)
    growStale(app)
    const answers = [await ask(who, unused()), await confirm(who, email, otp)]
    expect(answers.map(({ body }) => body.code)).toEqual(Array(2).fill('reauthentication_required'))
  })

  it("a change's code has five tries, lasts ten minutes, and works only for the account that requested it", async () => {
    const [who, other] = [await person(app), await person(app)]
    const email = unused()
    await ask(who, email)
    const otp = await app.codeFor(email)
    await ask(other, unused())
    expect((await confirm(other, email, otp)).status).toBe(401)
    for (let n = 0; n < 5; n++) await confirm(who, email, wrongCode(otp))
    expect((await confirm(who, email, otp)).status).toBe(401)
    const later = await person(app)
    await ask(later, email)
    const newer = await app.codeFor(email)
    app.clock.advance(minutes(10))
    const back = await signInElsewhere(app, later.email)
    expect((await confirm(back, email, newer)).status).toBe(401)
  })

  it('no second code is created within 30 seconds, and the code signs nobody in', async () => {
    const who = await person(app)
    const email = unused()
    await ask(who, email)
    const otp = await app.codeFor(email)
    await ask(who, email)
    expect(mailsTo(email)).toHaveLength(1)
    const body = { email, otp, name: 'Ana', birthDate: '1994-05-17', acceptTerms: true as const }
    expect((await caller(app.url).call('POST /api/user/register', { body })).status).toBe(401)
    app.clock.advance(seconds(31))
    await ask(who, email)
    expect(mailsTo(email)).toHaveLength(2)
  })

  it('changing to the current address is refused', async () => {
    const who = await person(app)
    expect((await ask(who, who.email)).body.errors?.[0]?.path).toBe('email')
  })

  it('if two people change to the same address concurrently, one gets it and the other a clear error', {
    tags: ['more-in-long', 'more-in-release'],
  }, async () => {
    for (let round = 0; round < rounds(2, 40, 1_000); round++) {
      const two = [await person(app), await person(app)]
      const email = unused()
      const codes: string[] = []
      for (const who of two) {
        await ask(who, email)
        codes.push(await app.codeFor(email))
        app.mails.length = 0
      }
      const answers = await Promise.all(two.map((who, n) => confirm(who, email, codes[n] ?? '')))
      expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'email_taken'])
      expect((await signInElsewhere(app, email)).id).toBe(two[answers.findIndex(({ status }) => status === 200)]?.id)
    }
  })
})

describe('an address that has an account', () => {
  it('an address with an account gets the same response as any other, and an email without a code', async () => {
    const [who, owner] = [await person(app), await person(app)]
    const answer = async (send: () => ReturnType<Person['send']>) => {
      const { status, headers, body } = await send()
      const kept = [...headers].filter(([name]) => name !== 'date')
      return JSON.stringify([status, kept, { ...body, requestId: '' }])
    }
    const transcript = async (email: string) => {
      const lines: string[] = []
      const post = (path: string, body: object) => who.send('POST', `/api/user/addressChange${path}`, body)
      lines.push(await answer(() => post('', { email })))
      for (let n = 0; n < 7; n++) lines.push(await answer(() => post('/confirm', { email, otp: '00000000' })))
      lines.push(await answer(() => post('', { email })))
      app.clock.advance(seconds(31))
      lines.push(await answer(() => post('', { email })))
      return lines
    }
    expect(await transcript(owner.email)).toEqual(await transcript(unused()))
    const { text } = await mailTo(app, owner.email, /already has a Duet account/)
    expect(text).not.toMatch(/\d{8}/)
    expect(await addressOf(owner)).toBe(owner.email)
  })

  it('a code that the owner requested stays valid while someone else wants to move to that address', async () => {
    const [who, owner] = [await person(app), await person(app)]
    await caller(app.url).call('POST /api/user/requestOtp', { body: { email: owner.email } })
    const otp = await app.codeFor(owner.email)
    await ask(who, owner.email)
    for (let n = 0; n < 6; n++) await confirm(who, owner.email, otp)
    expect((await signInElsewhere(app, owner.email, { otp })).id).toBe(owner.id)
    expect(await addressOf(who)).toBe(who.email)
  })
})

it("one stranger can't use up the changes to a mailbox, however its address is written", async () => {
  const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  const [stranger, owner] = [await person(strict), await person(strict)]
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push((await ask(stranger, `victim+${n}@example.com`)).status)
  expect(statuses).toEqual([...Array(10).fill(202), 429])
  expect((await ask(owner, 'victim@example.com')).status).toBe(202)
  await strict.close()
})

describe("undoing a thief's change", () => {
  /** An owner and a thief with a stolen session. The thief can read the email sent to `theirs`. */
  async function robbed() {
    const owner = await person(app)
    const thief = await signInElsewhere(app, owner.email)
    const theirs = unused()
    expect(await moveTo(app, thief, theirs)).toBe(`200 ${theirs}`)
    return { owner, thief, theirs, token: await undoTokenFor(app, owner.email) }
  }

  it("undoing from the old address ends all of the thief's sessions, connections, passwords and codes", async () => {
    const { owner, thief, theirs, token } = await robbed()
    await thief.call('PUT /api/user/password', { body: { password: 'Mine now 123' } })
    const { recoveryCodes } = (await thief.call('POST /api/user/recoveryCodes')).body
    const again = await signInElsewhere(app, theirs)
    const sockets = [await connect(app, thief), await connect(app, again)]
    const closed = sockets.map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)))
    app.clock.advance(hours(71))
    const fresh = await signInElsewhere(app, theirs)
    expect(await undo(token)).toBe(200)
    expect(await Promise.all(closed)).toEqual(Array(2).fill('io server disconnect'))
    for (const one of [thief, again, fresh]) expect((await one.call('GET /api/user/myDetails')).status).toBe(401)
    const proofs = [{ password: 'Mine now 123' }, { recoveryCode: recoveryCodes[0] }]
    for (const email of [theirs, owner.email])
      for (const proof of proofs)
        await expect(signInElsewhere(app, email, proof)).rejects.toThrow('invalid_credentials')
    await expect(signInElsewhere(app, theirs)).rejects.toThrow('invalid_credentials')
    expect((await signInElsewhere(app, owner.email)).id).toBe(owner.id)
    for (const email of [owner.email, theirs]) await mailTo(app, email, /was undone/)
  })

  it('an owner can undo after several changes, and then the later undo links are void', async () => {
    const { owner, thief, theirs, token } = await robbed()
    app.clock.advance(seconds(31))
    const next = unused()
    await moveTo(app, thief, next)
    const later = await undoTokenFor(app, theirs)
    expect(await undo(token)).toBe(200)
    expect(await undo(later)).toBe(404)
    expect((await signInElsewhere(app, owner.email)).id).toBe(owner.id)
  })

  it("a thief who undoes their own later change doesn't lock the owner out", async () => {
    const { owner, thief, theirs, token } = await robbed()
    app.clock.advance(seconds(31))
    await moveTo(app, thief, unused())
    expect(await undo(await undoTokenFor(app, theirs))).toBe(200)
    expect(await undo(token)).toBe(200)
    expect((await signInElsewhere(app, owner.email)).id).toBe(owner.id)
  })

  it('nobody else can take the old address for 72 hours', async () => {
    const { owner, token } = await robbed()
    await expect(person(app, { email: owner.email })).rejects.toThrow('email_taken')
    const stranger = await person(app)
    const asked = () => mailsTo(owner.email).filter(({ subject }) => !/New sign-in/.test(subject)).length
    const before = asked()
    await ask(stranger, owner.email)
    expect((await confirm(stranger, owner.email, '00000000')).status).toBe(401)
    expect(asked()).toBe(before)
    expect(await undo(token)).toBe(200)
  })

  it("an undo link works once within 72 hours, isn't used by a GET, and can't be forged", async () => {
    const { owner, token, theirs } = await robbed()
    const altered = `${token.startsWith('B') ? 'C' : 'B'}${token.slice(1)}`
    for (const wrong of ['', 'x', 'A'.repeat(64), altered, `${token.slice(0, -1)}!`, 'x'.repeat(201)])
      expect(await undo(wrong)).toBe(wrong.length > 200 ? 400 : 404)
    for (const path of ['/undo-address', '/api/user/addressChange/undo'])
      await fetch(`${app.url}${path}?token=${token}`)
    await expect(signInElsewhere(app, owner.email)).rejects.toThrow('invalid_credentials')
    const answers = await Promise.all(Array.from({ length: 8 }, () => undo(token)))
    expect(answers.toSorted()).toEqual([200, ...Array(7).fill(404)])
    const later = await robbed()
    app.clock.advance(hours(72))
    expect(await undo(later.token)).toBe(404)
    expect(await signInElsewhere(app, later.theirs)).toMatchObject({ id: later.owner.id })
    await person(app, { email: later.owner.email })
    expect(theirs).not.toBe(later.theirs)
  })
})

it('expired changes and undos are deleted', async () => {
  const who = await person(app)
  await moveTo(app, who, unused())
  await ask(who, unused())
  app.clock.advance(hours(73))
  await app.platform.jobs.add('forget-expired', {})
  const { pool } = app.platform
  await expect
    .poll(
      async () => {
        const { rows } = await pool.query(
          'select (select count(*) from address_undos) + (select count(*) from address_changes) as count',
        )
        return Number(rows[0].count)
      },
      { timeout: 60_000 },
    )
    .toBe(0)
})

describe('administrators’ addresses', () => {
  const email = 'boss@example.com'

  it("administrators can't change their address in the app, and only signing up gets the SUPER_ADMIN_EMAIL address", async () => {
    const own = await startTestApp({ SUPER_ADMIN_EMAIL: email })
    const who = await person(own)
    expect((await ask(who, email)).status).toBe(202)
    await ask(who, 'free@example.com')
    await own.codeFor('free@example.com')
    expect(own.mails.filter(({ to }) => to === email)).toEqual([])
    const boss = await person(own, { email })
    expect((await ask(boss, unused())).status).toBe(403)
    const otp = await own.codeFor('free@example.com')
    await own.platform.grantSuperAdmin(who.email)
    expect((await confirm(who, 'free@example.com', otp)).status).toBe(403)
    await own.close()
  })
})
