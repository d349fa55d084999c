import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/tier.ts'
import { mailTo, moveTo, signInElsewhere, undoTokenFor } from '../../features/accounts/access.test-accounts.ts'
import { member, publicUrl, visitor } from '../../features/identities/visitor.test-identities.ts'
import { seconds } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from '../app.ts'
import { createAuthenticator } from '../authenticator.ts'
import { startProvider, type TestProvider } from '../oidc-provider.ts'
import { caller, type Person, person } from '../people.ts'
import { noteFigure } from './figures.ts'

let app: TestApp
let provider: TestProvider
let owner: Pools
beforeAll(async () => {
  provider = await startProvider({ publicUrl })
  app = await startTestApp({ ...provider.environment, PUBLIC_URL: publicUrl })
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
  await provider.close()
})

const password = 'Correct horse 9'
const fresh = () => `${randomUUID()}@example.com`
const undo = async (token: string) =>
  (await caller(app.url).call('POST /api/user/addressChange/undo', { body: { token } })).status
const signIn = async (body: object) => (await caller(app.url).send('POST', '/api/user/authenticate', body)).status

/** Tries to sign in with what a thief has. Resolves to the statuses; 200 means success. */
type Opens = (emails: readonly string[]) => Promise<number[]>

interface Robbery {
  thief: Person
  /** The account's current address, and the one to which the thief changes it. */
  now: string
  theirs: string
}

/** Each adds a way to sign in and returns a function that tries it later. */
const ways = {
  async password({ thief }: Robbery): Promise<Opens> {
    await thief.call('PUT /api/user/password', { body: { password: 'Mine now 123' } })
    return (emails) => Promise.all(emails.map((email) => signIn({ email, password: 'Mine now 123' })))
  },
  async codes({ thief }: Robbery): Promise<Opens> {
    const { recoveryCodes } = (await thief.call('POST /api/user/recoveryCodes')).body
    return (emails) => Promise.all(emails.map((email) => signIn({ email, recoveryCode: recoveryCodes[0] })))
  },
  async passkey({ thief }: Robbery): Promise<Opens> {
    const device = createAuthenticator(publicUrl)
    const options = (await thief.call('POST /api/user/passkeys/options')).body
    await thief.call('POST /api/user/passkeys', { body: { passkey: device.create(options) } })
    return async () => {
      const challenge = (await caller(app.url).call('POST /api/user/passkeys/challenge')).body
      const body = { passkey: device.get(challenge) }
      return [(await caller(app.url).call('POST /api/user/passkeys/authenticate', { body })).status]
    }
  },
  async link({ now, theirs }: Robbery): Promise<Opens> {
    const subject = member(provider, now)
    expect((await visitor(app).signIn(subject)).body.token).toBeTruthy()
    // The identity is already linked, so from now on the provider may report the thief's own address.
    provider.people.set(subject, { email: theirs, email_verified: true })
    return async () => [(await visitor(app).signIn(subject)).body.token ? 200 : 401]
  },
}
type Way = keyof typeof ways
type Act = Way | 'move'

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]]
  return all.flatMap((one) => ordersOf(all.filter((other) => other !== one)).map((rest) => [one, ...rest]))
}
const everyOrder = ordersOf<Act>(['password', 'codes', 'passkey', 'link', 'move'])
// Twenty-four orders begin with the same action. Seven has no common factor with 24, so the sample covers every first
// action.
const orders = everyOrder.filter((_, place) => place % rounds(7, 7, 1) === 0)

/** The ways to sign in that still work after a thief carried out `order` and the owner undid the change of address. */
async function leftAfter(order: readonly Act[]): Promise<string[]> {
  const victim = await person(app, { password })
  const robbery = { thief: await signInElsewhere(app, victim.email, { password }), now: victim.email, theirs: fresh() }
  const opens: [string, Opens][] = [
    ['the password that the thief knew', (emails) => Promise.all(emails.map((email) => signIn({ email, password })))],
    ['the session', async () => [(await robbery.thief.call('GET /api/user/access')).status]],
  ]
  for (const act of order) {
    app.clock.advance(seconds(1))
    if (act !== 'move') opens.push([act, await ways[act](robbery)])
    else {
      await moveTo(app, robbery.thief, robbery.theirs)
      robbery.now = robbery.theirs
    }
  }
  expect(await undo(await undoTokenFor(app, victim.email))).toBe(200)
  const left: string[] = []
  for (const [what, isOpen] of opens) if ((await isOpen([victim.email, robbery.theirs])).includes(200)) left.push(what)
  return left
}

describe('after a change of address is undone', () => {
  it('After an undone change of address, the thief can’t sign in, whether they changed it first or last.', async () => {
    for (const order of [everyOrder.at(0), everyOrder.at(-1)]) expect(await leftAfter(order ?? [])).toEqual([])
  })

  it('After an undone change of address, the thief can’t sign in, whatever the order of their acts.', {
    tags: ['long', 'more-in-release'],
  }, async () => {
    const left: string[] = []
    for (const order of orders) {
      const open = await leftAfter(order)
      if (open.length > 0) left.push(`${order}: ${open}`)
    }
    noteFigure('A1.ways_kept', left.length, `of ${orders.length} orders of a thief's acts`)
    expect(left).toEqual([])
  })

  it('After an undone change of address, the owner can sign in only by code, and both addresses are emailed.', async () => {
    const victim = await person(app, { password })
    await victim.call('POST /api/user/recoveryCodes')
    const theirs = fresh()
    await moveTo(app, victim, theirs)
    expect(await undo(await undoTokenFor(app, victim.email))).toBe(200)
    for (const email of [victim.email, theirs])
      expect((await mailTo(app, email, /was undone/)).text).toContain('The only way in that is left is a code')
    const back = await signInElsewhere(app, victim.email)
    const { body } = await back.call('GET /api/user/access')
    expect(body).toEqual({ email: victim.email, hasPassword: false, recoveryCodesLeft: 0 })
  })

  it.each(['password', 'recovery codes'] as const)(
    'A concurrent request sets no %s once a change of address was undone.',
    async (what) => {
      const { call, id } = await person(app)
      const undoing = await owner.pool.connect()
      try {
        await undoing.query('begin')
        await undoing.query('select from accounts where id = $1 for update', [id])
        await undoing.query('delete from sessions where user_id = $1', [id])
        const answer =
          what === 'password'
            ? call('PUT /api/user/password', { body: { password: 'Mine now 123' } })
            : call('POST /api/user/recoveryCodes')
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await expect.poll(async () => (await owner.pool.query(waiting)).rowCount).toBe(1)
        await undoing.query('commit')
        expect((await answer).status).toBe(401)
      } finally {
        undoing.release()
      }
      const { rows } = await owner.pool.query(
        `select (select password_hash from accounts where id = $1) as password,
        (select count(*)::int from account_recovery_codes where user_id = $1) as codes`,
        [id],
      )
      expect(rows).toEqual([{ password: null, codes: 0 }])
    },
  )
})
