import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { growStale, mailTo, moveTo, signInElsewhere } from './access.test-accounts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const make = async (who: Person) => (await who.call('POST /api/user/recoveryCodes')).body.recoveryCodes
const signIn = (email: string, recoveryCode: string) =>
  caller(app.url).call('POST /api/user/authenticate', { body: { email, recoveryCode } })
const left = async (who: Person) => (await who.call('GET /api/user/access')).body.recoveryCodesLeft

describe('recovery codes', () => {
  it('ten recovery codes are shown once, stored as hashes, and sign in once each', async () => {
    const who = await person(app)
    const codes = await make(who)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    const rows = await app.platform.db.selectFrom('account_recovery_codes').selectAll().execute()
    for (const row of rows) expect(row.code_hash).toHaveLength(32)
    expect(JSON.stringify(rows)).not.toContain(codes[0])
    const typed = ` ${codes[0]?.toLowerCase().replaceAll('-', ' ')} `
    expect((await signIn(who.email, typed)).body.id).toBe(who.id)
    expect((await signIn(who.email, codes[0] ?? '')).status).toBe(401)
    expect(await left(who)).toBe(9)
  })

  it('a recovery code sent several times concurrently signs in once', { tags: 'race' }, async () => {
    const who = await person(app)
    const [code = ''] = await make(who)
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(who.email, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('new recovery codes replace earlier ones, need a recent sign-in, and are announced by email', async () => {
    const who = await person(app)
    const [old = ''] = await make(who)
    await mailTo(app, who.email, /New recovery codes/)
    const [young = ''] = await make(who)
    expect([(await signIn(who.email, old)).status, (await signIn(who.email, young)).status]).toEqual([401, 200])
    growStale(app)
    expect((await who.call('POST /api/user/recoveryCodes')).body.code).toBe('reauthentication_required')
  })

  it('using a recovery code sends a notification and an email', async () => {
    const who = await person(app)
    const [code = ''] = await make(who)
    await signIn(who.email, code)
    const { notifications } = (await who.call('GET /api/notifications')).body
    expect(notifications.find(({ kind }) => kind === 'recovery_code_used')?.params).toEqual({ left: '9' })
    const { text } = await mailTo(app, who.email, /recovery code/)
    expect(text).not.toContain(code)
  })

  it('a recovery code works only for its own account', async () => {
    const [one, other] = [await person(app), await person(app)]
    const [code = ''] = await make(one)
    expect((await signIn(other.email, code)).status).toBe(401)
    expect(await left(one)).toBe(10)
  })

  it('someone without their mailbox moves to a new address with a recovery code', async () => {
    const who = await person(app)
    const [code = ''] = await make(who)
    await who.call('POST /api/user/signOut')
    const back = await signInElsewhere(app, who.email, { recoveryCode: code })
    expect(await moveTo(app, back, 'a.new.mailbox@example.com')).toBe('200 a.new.mailbox@example.com')
    expect((await signInElsewhere(app, 'a.new.mailbox@example.com')).id).toBe(who.id)
  })

  it.each(['', 'no', 'AAAA-AAAA-AAAA-AAA1', 'x'.repeat(61), 7, null])(
    'a recovery code of the form %s is rejected as malformed',
    async (recoveryCode) => {
      const { email } = await person(app)
      const { status } = await caller(app.url).send('POST', '/api/user/authenticate', { email, recoveryCode })
      expect(status).toBe(400)
    },
  )
})

it('guesses of recovery codes count like those of passwords', async () => {
  const strict = await startTestApp({ RATE_LIMIT_SCALE: '1' })
  const { email } = await person(strict)
  const guess = async () =>
    (await caller(strict.url).call('POST /api/user/authenticate', { body: { email, recoveryCode: 'A'.repeat(16) } }))
      .status
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push(await guess())
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  await strict.close()
})
