import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { administrator } from '../reports/cases.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { compareNewcomer, noteNewcomer } from './linked.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const sees = async (who: Person, { id }: Person) => (await who.send('GET', `/api/user/${id}`)).status
const noted = async ({ id }: Person) =>
  (await app.platform.pool.query(`select note from reviews where user_id = $1 and state = 'open'`, [id])).rows
const isUnseen = async ({ id }: Person) =>
  (await app.platform.pool.query('select unseen from accounts where id = $1', [id])).rows[0].unseen

const close = ({ id: userId }: Person, kind: 'suspension' | 'ban') =>
  transaction(app.platform, (tx) =>
    sanction(tx, { userId, kind, ground: 'scam', decidedBy: null, statement: 'You asked for money.', days: 90 }),
  )

let births = 0
/** Creates two accounts of one person on one network, without a decision about either. */
async function twoAccounts(): Promise<[Person, Person]> {
  const who = { name: 'Eve', birthDate: `1991-02-${String(++births).padStart(2, '0')}` }
  const [one, other] = [await person(app, who), await person(app, who)]
  for (const { id: userId } of [one, other])
    await noteNewcomer(app.platform, { userId, network: `203.0.${births}.9`, device: 'Safari · macOS' })
  return [one, other]
}

describe.each(['suspension', 'ban'] as const)('after a %s', (kind) => {
  it('A new account of a sanctioned person with another mailbox is hidden until a moderator has reviewed it.', async () => {
    const [eve, back] = await twoAccounts()
    await close(eve, kind)
    await compareNewcomer(app.platform, back.id)
    expect(await isUnseen(back)).toBe(true)
    expect(await noted(back)).toEqual([{ note: expect.stringContaining(eve.id) }])
    const admin = await administrator(app)
    const { body } = await admin.call('GET /api/admin/dossiers/:userId', {
      params: { userId: back.id },
      query: { reason: 'a review' },
    })
    expect(body.linked).toMatchObject([{ person: { id: eve.id }, standing: kind === 'ban' ? 'banned' : 'suspended' }])
  })

  it('An existing second account of a sanctioned person is also hidden.', async () => {
    const [eve, second] = await twoAccounts()
    await close(eve, kind)
    await expect.poll(() => isUnseen(second)).toBe(true)
    expect(await noted(second)).toHaveLength(1)
  })
})

it('A block also applies to an existing second account.', async () => {
  const ana = await person(app)
  const [eve, second] = await twoAccounts()
  expect(await sees(ana, second)).toBe(200)
  await ana.send('PUT', `/api/blocks/${eve.id}`)
  await expect.poll(() => sees(ana, second)).toBe(404)
  expect(await sees(second, ana)).toBe(404)
  expect(await isUnseen(second)).toBe(false)
})

it('An account that left the mailbox of a person who is banned later is found.', async () => {
  const ana = await person(app, { email: 'first@example.org' })
  await ana.call('POST /api/user/addressChange', { body: { email: 'second@example.org' } })
  const otp = await app.codeFor('second@example.org')
  await ana.call('POST /api/user/addressChange/confirm', { body: { email: 'second@example.org', otp } })
  const back = await person(app, { email: 'first+new@example.org' })
  await close(back, 'ban')
  await expect.poll(() => isUnseen(ana)).toBe(true)
})

it('An administrator who resembles a banned person stays visible and gets a review.', async () => {
  const [eve, second] = await twoAccounts()
  await app.platform.grantSuperAdmin(second.email)
  await close(eve, 'ban')
  await expect.poll(() => noted(second)).toHaveLength(1)
  expect(await isUnseen(second)).toBe(false)
})
