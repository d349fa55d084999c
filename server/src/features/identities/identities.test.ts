import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { startProvider, type TestProvider } from '../../test/oidc-provider.ts'
import { caller, person } from '../../test/people.ts'
import { eighteenInOneOfTwoZones, growStale, mailTo, moveTo } from '../accounts/access.test-accounts.ts'
import { eraseAccount } from '../data-rights/erasure.ts'
import { administrator, soon } from '../reports/cases.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { codeIn, member, publicUrl, type Visitor, visitor } from './visitor.test-identities.ts'

let app: TestApp
let provider: TestProvider
let owner: Pools
beforeAll(async () => {
  provider = await startProvider({ publicUrl })
  const admin = { SUPER_ADMIN_EMAIL: 'operator@example.com' }
  app = await startTestApp({ ...provider.environment, ...admin, PUBLIC_URL: publicUrl })
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
  await provider.close()
})

const ban = ({ id: userId }: { id: string }) =>
  transaction(app.platform, (tx) =>
    sanction(tx, {
      kind: 'ban',
      ground: 'scam',
      decidedBy: null,
      statement: 'You asked many people for money.',
      userId,
    }),
  )
const fresh = () => `${crypto.randomUUID()}@example.com`
const about = { name: 'Ana', birthDate: '1994-05-17', acceptTerms: true }
const signUp = async (browser: Visitor, subject: string, changes: object = {}) => {
  const code = codeIn(await browser.signInAt(subject))
  return browser.post('/api/user/oidc/register', { code, ...about, ...changes })
}
const standingOf = async (token: unknown) =>
  (await caller(app.url, String(token)).call('GET /api/standing')).body.standing
const identitiesOf = (token: unknown) => caller(app.url, String(token)).call('GET /api/user/identities')

describe('signing up with a provider', () => {
  it('signing up through a provider asks for missing facts, and needs no emailed code', async () => {
    const [email, browser] = [fresh(), visitor(app)]
    const subject = member(provider, email)
    const code = codeIn(await browser.signInAt(subject))
    expect(await browser.post('/api/user/oidc/finish', { code })).toMatchObject({
      status: 200,
      body: { needsSignUp: true, email },
    })
    const made = await browser.post('/api/user/oidc/register', { code, ...about })
    expect(made).toMatchObject({ status: 201, body: { email, name: 'Ana', isSuperAdmin: false } })
    expect(app.mails.filter(({ to }) => to === email)).toEqual([])
    expect((await identitiesOf(made.body.token)).body.identities).toMatchObject([
      { name: 'Chess Club', removed: false },
    ])
    expect(await visitor(app).signIn(subject)).toMatchObject({ status: 200, body: { id: made.body.id } })
  })

  it('signing up through a provider is for adults, and works once the birth date is right', async () => {
    const browser = visitor(app)
    const code = codeIn(await browser.signInAt(member(provider, fresh())))
    const young = await browser.post('/api/user/oidc/register', { code, ...about, birthDate: '2020-01-01' })
    expect(young).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect((await browser.post('/api/user/oidc/register', { code, ...about })).status).toBe(201)
    expect((await browser.post('/api/user/oidc/register', { code, ...about })).body.code).toBe('invalid_credentials')
  })

  it('a newcomer’s age is checked on the date in the time zone that the page sends', async () => {
    const browser = visitor(app)
    const code = codeIn(await browser.signInAt(member(provider, fresh())))
    const { timeZone, birthDate, isAdult } = eighteenInOneOfTwoZones(app.clock.now())
    const path = `/api/user/oidc/register?timeZone=${encodeURIComponent(timeZone)}`
    expect((await browser.post(path, { code, ...about, birthDate })).status).toBe(isAdult ? 201 : 400)
  })

  it('signing up through a provider refuses an address that an account has just left', async () => {
    const who = await person(app)
    await moveTo(app, who, fresh())
    expect((await signUp(visitor(app), member(provider, who.email))).body.code).toBe('email_taken')
  })

  it('signing up through a provider continues the ban of an erased account', async () => {
    const who = await person(app)
    const hasSignal = async () =>
      (await owner.db.selectFrom('account_signals').select('kind').where('user_id', '=', who.id).execute()).length > 0
    await soon(async () => (await hasSignal()) || undefined)
    await ban(who)
    await eraseAccount({ ...app.platform, db: owner.db }, who.id)
    const { status, body } = await signUp(visitor(app), member(provider, who.email))
    expect([status, await standingOf(body.token)]).toEqual([201, 'banned'])
  })
})

describe('a person whose banned account was erased', () => {
  /** Bans and erases an account that was linked to a provider. Returns its subject at the provider. */
  async function gone(): Promise<string> {
    const browser = visitor(app)
    const subject = member(provider, fresh())
    const { body } = await signUp(browser, subject)
    const who = { id: String(body.id) }
    await ban(who)
    await eraseAccount({ ...app.platform, db: owner.db }, who.id)
    return subject
  }

  it('a person whose banned account was erased is recognised at the same provider, whatever their address', async () => {
    const subject = await gone()
    provider.people.set(subject, { email: fresh(), email_verified: true })
    const { status, body } = await signUp(visitor(app), subject)
    expect([status, await standingOf(body.token)]).toEqual([201, 'banned'])
  })

  it('a person whose banned account was erased is recognised when linking the provider to another account', async () => {
    const [subject, who] = [await gone(), await person(app)]
    expect(await standingOf(who.token)).toBe('good')
    provider.people.set(subject, { email: who.email, email_verified: true })
    const { status, body } = await visitor(app).signIn(subject)
    expect([status, await standingOf(body.token)]).toEqual([200, 'banned'])
  })
})

describe('signing in with a provider', () => {
  it('a suspended person can sign in through a provider, and only sees why', async () => {
    const who = await person(app)
    const subject = member(provider, who.email)
    await ban(who)
    const { status, body } = await visitor(app).signIn(subject)
    expect([status, body.id]).toEqual([200, who.id])
    const suspended = caller(app.url, String(body.token))
    expect((await suspended.call('GET /api/deck')).body.code).toBe('suspended')
    expect(await standingOf(body.token)).toBe('banned')
  })

  it('signing in links the account with the verified address, and emails its owner', async () => {
    const who = await person(app)
    const subject = member(provider, who.email.toUpperCase())
    expect(await visitor(app).signIn(subject)).toMatchObject({ status: 200, body: { id: who.id, email: who.email } })
    const { text } = await mailTo(app, who.email, /opened another way/)
    expect(text).toContain('/settings/account')
    await visitor(app).signIn(subject)
    expect(app.mails.filter(({ to, subject: said }) => to === who.email && /another way/.test(said))).toHaveLength(1)
  })

  it("a linked account is found by the provider's identifier, whatever either address becomes", async () => {
    const who = await person(app)
    const subject = member(provider, who.email)
    await visitor(app).signIn(subject)
    provider.people.set(subject, { email: (await person(app)).email, email_verified: true })
    expect((await visitor(app).signIn(subject)).body.id).toBe(who.id)
    provider.people.set(subject, {})
    expect((await visitor(app).signIn(subject)).body.id).toBe(who.id)
  })

  it("an account is linked to one identity of a provider, so a recycled mailbox doesn't sign in", async () => {
    const who = await person(app)
    await visitor(app).signIn(member(provider, who.email))
    expect(await visitor(app).signIn(member(provider, who.email))).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  it.each([false, null, 'false', 1])(
    "signing in needs an address that the provider has verified, and %s doesn't count",
    async (verified) => {
      const who = await person(app)
      const browser = visitor(app)
      expect(await browser.signInAt(member(provider, who.email, verified))).toBe(
        `${publicUrl}/login#oidc-failed=unverified`,
      )
      expect(browser.cookies.has(`${publicUrl} __Host-duet_oidc`)).toBe(false)
    },
  )

  it('a provider never links an administrator, and never makes one', async () => {
    const admin = await administrator(app)
    const own = member(provider, admin.email)
    expect(await visitor(app).signIn(own)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const operator = member(provider, 'operator@example.com')
    expect((await visitor(app).signIn(operator)).body.code).toBe('forbidden')
    expect((await signUp(visitor(app), operator)).body.code).toBe('forbidden')
    expect(
      await owner.db.selectFrom('accounts').select('id').where('email', '=', 'operator@example.com').execute(),
    ).toEqual([])
  })

  it('a link stops working for someone who becomes an administrator', async () => {
    const who = await person(app)
    const subject = member(provider, who.email)
    await visitor(app).signIn(subject)
    await owner.db.updateTable('accounts').set({ is_super_admin: true }).where('id', '=', who.id).execute()
    expect((await visitor(app).signIn(subject)).body.code).toBe('forbidden')
  })

  it('a provider sign-in announces new devices, and can keep people signed in', async () => {
    const who = await person(app)
    const subject = member(provider, who.email)
    await visitor(app).signIn(subject, { staySignedIn: true })
    const phone = visitor(app, {
      userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36',
    })
    await phone.signIn(subject)
    const { notifications } = (await who.call('GET /api/notifications')).body
    expect(
      notifications.find(({ kind, params }) => kind === 'new_sign_in' && params.device === 'Chrome · Android'),
    ).toBeTruthy()
    await soon(() => app.mails.find(({ to, text }) => to === who.email && text.includes('Chrome · Android')))
    const rows = await app.platform.db
      .selectFrom('sessions')
      .select(['device', 'stays'])
      .where('user_id', '=', who.id)
      .execute()
    expect(rows.filter(({ stays }) => stays)).toEqual([{ device: 'Firefox · Linux', stays: true }])
  })

  it('concurrent sign-ins in several tabs link once and all succeed', { tags: 'race' }, async () => {
    const who = await person(app)
    const subject = member(provider, who.email)
    const answers = await Promise.all(Array.from({ length: 6 }, () => visitor(app).signIn(subject)))
    expect(answers.map(({ body }) => body.id)).toEqual(Array(6).fill(who.id))
  })
})

describe('a linked account', () => {
  it('an owner can remove a linked account, which comes back only if they allow it', async () => {
    const who = await person(app)
    const subject = member(provider, who.email)
    await visitor(app).signIn(subject)
    const [linked] = (await who.call('GET /api/user/identities')).body.identities
    const params = { id: linked?.id ?? '' }
    expect((await (await person(app)).call('DELETE /api/user/identities/:id', { params })).status).toBe(404)
    expect((await who.call('POST /api/user/identities/:id/allow', { params })).status).toBe(404)
    expect((await who.call('DELETE /api/user/identities/:id', { params })).status).toBe(200)
    await mailTo(app, who.email, /was removed/)
    expect((await visitor(app).signIn(subject)).body.code).toBe('conflict')
    expect((await who.call('GET /api/user/identities')).body.identities).toMatchObject([{ removed: true }])
    expect((await who.call('POST /api/user/identities/:id/allow', { params })).status).toBe(200)
    expect((await visitor(app).signIn(subject)).body.id).toBe(who.id)
  })

  it('linked accounts can only be changed after a recent sign-in', async () => {
    const who = await person(app)
    await visitor(app).signIn(member(provider, who.email))
    const [linked] = (await who.call('GET /api/user/identities')).body.identities
    growStale(app)
    const params = { id: linked?.id ?? '' }
    expect((await who.call('DELETE /api/user/identities/:id', { params })).body.code).toBe('reauthentication_required')
  })
})
