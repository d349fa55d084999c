import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { days } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { receiptOf } from '../reports/acts.test-reports.ts'
import { administrator, decide, signInAgain, standingOf, told } from '../reports/cases.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { erase as eraseSoon } from './acts.test-spam.ts'
import { addressSignal, forgetLinks } from './linked.ts'

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

const rowsOf = async (query: string, ...values: unknown[]) => (await owner.pool.query(query, values)).rows
const erase = (who: Person) => eraseSoon(app, owner, who)
const sanctionsOf = async (who: Person) =>
  (await standingOf(who)).sanctions.map(({ kind, ground, endsAt }) => ({ kind, ground, endsAt }))

let boxes = 0
/**
 * Creates a person with their own mailbox and an open report about them. They can come back with another spelling of
 * the mailbox.
 */
async function reported() {
  const box = `offender${boxes++}`
  const who = await person(app, { email: `${box}@example.org` })
  const receipt = await receiptOf(await person(app), who.id)
  const [{ id: reportId }] = await rowsOf('select id from reports where receipt = $1', receipt)
  let spelling = 0
  return { who, receipt, reportId, comesBack: () => person(app, { email: `${box}+${++spelling}@example.org` }) }
}
type Kind = Parameters<typeof sanction>[1]['kind']
/** The person may be erased. Returns when the sanction ends. */
async function decideAbout({ who, reportId }: { who: Person; reportId: number }, kind: Kind): Promise<string> {
  const until = new Date(app.clock.now().getTime() + days(90))
  const why = { ground: 'scam', decidedBy: null, statement: 'You asked for money.', reportId, until } as const
  await transaction(app.platform, (tx) => sanction(tx, { userId: who.id, kind, ...why }))
  return until.toISOString()
}

const kinds = ['suspension', 'restriction', 'reporting_restriction', 'ban'] as const
for (const { tags, cases } of firstQuick(1, kinds))
  describe.each(cases)('a %s', { tags }, (kind) => {
    it('A sanction decided before the erasure continues for a person who comes back.', async () => {
      const one = await reported()
      const endsAt = await decideAbout(one, kind)
      await erase(one.who)
      expect(await sanctionsOf(await one.comesBack())).toEqual([{ kind, ground: 'evasion', endsAt }])
    })

    it('A sanction decided after the erasure applies to a person who comes back.', async () => {
      const one = await reported()
      await erase(one.who)
      const endsAt = await decideAbout(one, kind)
      expect(await sanctionsOf(await one.comesBack())).toEqual([{ kind, ground: 'evasion', endsAt }])
    })

    it('A sanction decided after the person came back applies to the new account.', async () => {
      const one = await reported()
      await erase(one.who)
      const back = await one.comesBack()
      expect(await sanctionsOf(back)).toEqual([])
      const endsAt = await decideAbout(one, kind)
      const last = kind === 'suspension' || kind === 'ban' ? () => signInAgain(app, back) : async () => back
      await expect.poll(async () => (await rowsOf('select from sanctions where user_id = $1', back.id)).length).toBe(1)
      expect(await sanctionsOf(await last())).toEqual([{ kind, ground: 'evasion', endsAt }])
    })

    it.each(['erased', 'back'])(
      'A sanction lifted while its person is %s ends for every mailbox of theirs.',
      async (when) => {
        const one = await reported()
        await decideAbout(one, kind)
        const earlier = `earlier${boxes}@example.org`
        const value = addressSignal(app.platform.secrets, earlier)
        await rowsOf('insert into earlier_mailboxes (user_id, value) values ($1, $2)', one.who.id, value)
        const idOf = async ({ id }: Person) => (await rowsOf('select id from sanctions where user_id = $1', id))[0].id
        const first = await idOf(one.who)
        await erase(one.who)
        const id = when === 'back' ? await idOf(await one.comesBack()) : first
        const admin = await administrator(app)
        const reason = 'It was a mistake of ours: they wrote to friends.'
        const lifted = await admin.call('POST /api/admin/sanctions/:id/lift', { params: { id }, body: { reason } })
        expect(lifted.status).toBe(200)
        for (const who of [await one.comesBack(), await person(app, { email: earlier.replace('@', '+2@') })])
          expect(await sanctionsOf(who)).toEqual([])
      },
    )
  })

it.each(['warning', 'item_removed'] as const)('A %s is erased with the account.', async (kind) => {
  const one = await reported()
  await decideAbout(one, kind)
  await erase(one.who)
  expect(await sanctionsOf(await one.comesBack())).toEqual([])
})

it('A suspension and a longer restriction continue separately.', async () => {
  const one = await reported()
  await decideAbout(one, 'suspension')
  app.clock.advance(days(10))
  await decideAbout(one, 'restriction')
  await erase(one.who)
  const back = await one.comesBack()
  expect((await sanctionsOf(back)).map(({ kind }) => kind).sort()).toEqual(['restriction', 'suspension'])
  expect(await standingOf(back)).toMatchObject({ standing: 'suspended' })
})

it('A decision in the queue binds an erased person, and a dismissal deletes their mailbox.', async () => {
  const admin = await administrator(app)
  const [eve, fay] = [await reported(), await reported()]
  for (const { who } of [eve, fay]) await erase(who)
  const mailboxes = () =>
    rowsOf('select report_id from reported_mailboxes where report_id = any($1)', [eve.reportId, fay.reportId])
  expect(await mailboxes()).toHaveLength(2)
  expect((await decide(admin, eve.receipt, { action: 'ban', ...told })).status).toBe(200)
  expect((await decide(admin, fay.receipt, { action: 'dismiss', falseReport: false, note: 'Nothing.' })).status).toBe(
    200,
  )
  expect(await mailboxes()).toEqual([])
  expect((await standingOf(await eve.comesBack())).standing).toBe('banned')
  expect((await standingOf(await fay.comesBack())).standing).toBe('good')
})

it('An open report stores a mailbox for a year.', async () => {
  const one = await reported()
  await erase(one.who)
  const kept = () => rowsOf('select from reported_mailboxes where report_id = $1', one.reportId)
  app.clock.advance(days(364))
  await forgetLinks(app.platform)
  expect(await kept()).toHaveLength(1)
  app.clock.advance(days(2))
  await forgetLinks(app.platform)
  expect(await kept()).toEqual([])
})
