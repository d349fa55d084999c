import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { eraseAccount } from '../data-rights/erasure.ts'
import { signInAgain, soon, standingOf } from '../reports/cases.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'

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
const erase = ({ id }: Person) => eraseAccount({ ...app.platform, db: owner.db }, id)
const ask = (who: Person, email: string) => who.call('POST /api/user/addressChange', { body: { email } })

async function move(who: Person, email: string): Promise<number> {
  await ask(who, email)
  const otp = await app.codeFor(email)
  return (await who.call('POST /api/user/addressChange/confirm', { body: { email, otp } })).status
}

it('no account moves to a banned mailbox, however that is written, and the answer is that of any other', async () => {
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

it('a ban is of every mailbox that the account had, and a banned person moves nowhere', async () => {
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

it('a person who comes back to a mailbox that a banned account has left is recognised', async () => {
  const who = await person(app, { email: 'left@example.org' })
  await hasSignal(who)
  expect(await move(who, 'elsewhere@example.org')).toBe(200)
  await ban(who)
  app.clock.advance(73 * 3_600_000)
  const back = await person(app, { email: 'left@example.org' })
  const unseen = () => owner.db.selectFrom('accounts').select('unseen').where('id', '=', back.id).executeTakeFirst()
  expect(await soon(async () => (await unseen())?.unseen || undefined)).toBe(true)
})
