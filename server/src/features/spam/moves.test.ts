import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { signInAgain, soon, standingOf } from '../reports/cases.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { erase as eraseSoon } from './acts.test-spam.ts'

let app: TestApp
let owner: Pools
beforeAll(async () => {
  app = await startTestApp()
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const hasSignal = ({ id }: Person) =>
  soon(async () => {
    const { rows } = await owner.pool.query(`select from account_signals where user_id = $1 and kind = 'address'`, [id])
    return rows.length > 0 || undefined
  })
const ban = ({ id }: Person) =>
  transaction(app.platform, (tx) =>
    sanction(tx, { userId: id, kind: 'ban', ground: 'scam', decidedBy: null, statement: 'You asked for money.' }),
  )
const erase = (who: Person) => eraseSoon(app, owner, who)
const ask = (who: Person, email: string) => who.call('POST /api/user/addressChange', { body: { email } })

async function move(who: Person, email: string): Promise<number> {
  await ask(who, email)
  const otp = await app.codeFor(email)
  return (await who.call('POST /api/user/addressChange/confirm', { body: { email, otp } })).status
}

it('No account can move to a banned mailbox, however it is spelled, and the answer is the usual one.', async () => {
  const gone = await person(app, { email: 'gone@example.org' })
  await hasSignal(gone)
  await ban(gone)
  await erase(gone)
  app.mails.length = 0
  const who = await person(app)
  const [banned, free] = [await ask(who, 'gone+again@example.org'), await ask(who, 'free@example.org')]
  expect([banned.status, banned.body]).toEqual([free.status, free.body])
  await app.codeFor('free@example.org')
  expect((await ask(who, 'gone@example.org')).status).toBe(202)
  expect(app.mails.filter(({ to }) => to.startsWith('gone'))).toEqual([])
})

it('A ban covers every mailbox the account had, and a banned person can’t move to another.', async () => {
  const who = await person(app, { email: 'first@example.org' })
  await hasSignal(who)
  expect(await move(who, 'second@example.org')).toBe(200)
  await ban(who)
  const back = await signInAgain(app, { ...who, email: 'second@example.org' })
  expect((await ask(back, 'third@example.org')).body.code).toBe('suspended')
  await erase(who)
  for (const email of ['first@example.org', 'second+x@example.org'])
    expect((await standingOf(await person(app, { email }))).standing).toBe('banned')
})

it.each(['reporting_restriction', 'restriction', 'suspension'] as const)(
  'After a %s and an erasure, moving to the mailbox is refused only if the sanction closed the account.',
  async (kind) => {
    const gone = await person(app, { email: `${kind}@example.org` })
    await transaction(app.platform, (tx) =>
      sanction(tx, { userId: gone.id, kind, ground: 'scam', decidedBy: null, statement: 'You lied.', days: 90 }),
    )
    await erase(gone)
    // Nodes of an older version treat every row in this table as a ban.
    expect(await owner.db.selectFrom('banned_addresses').selectAll().execute()).toEqual([])
    const who = await person(app)
    const email = `${kind}+2@example.org`
    if (kind === 'suspension') {
      await ask(who, email)
      await ask(who, 'other@example.org')
      await app.codeFor('other@example.org')
      expect(app.mails.filter(({ to }) => to === email)).toEqual([])
      return
    }
    expect(await move(who, email)).toBe(200)
    const kinds = async () => (await standingOf(who)).sanctions.map((one) => one.kind)
    await expect.poll(kinds).toEqual([kind])
  },
)

it('A person who comes back to a mailbox that a banned account has left is recognised.', async () => {
  const who = await person(app, { email: 'left@example.org' })
  await hasSignal(who)
  expect(await move(who, 'elsewhere@example.org')).toBe(200)
  await ban(who)
  app.clock.advance(73 * 3_600_000)
  const back = await person(app, { email: 'left@example.org' })
  const unseen = () => owner.db.selectFrom('accounts').select('unseen').where('id', '=', back.id).executeTakeFirst()
  expect(await soon(async () => (await unseen())?.unseen || undefined)).toBe(true)
})
