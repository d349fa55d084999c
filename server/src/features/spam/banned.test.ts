import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { administrator, soon, standingOf } from '../reports/cases.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { erase } from './acts.test-spam.ts'
import { findKeptSanctions, renewMailbox } from './banned.queries.ts'
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

const bans = async () => (await owner.pool.query('select value, until from kept_sanctions')).rows
const hasSignal = ({ id }: Person) =>
  soon(async () => {
    const { rows } = await owner.pool.query(`select from account_signals where user_id = $1 and kind = 'address'`, [id])
    return rows.length > 0 || undefined
  })

async function bannedAndGone(email: string, length?: number): Promise<Person> {
  const who = await person(app, { email, name: 'Bannedana' })
  await hasSignal(who)
  const ban = { kind: 'ban', ground: 'scam', decidedBy: null, statement: 'You asked many people for money.' } as const
  await transaction(app.platform, (tx) => sanction(tx, { ...ban, userId: who.id, ...(length && { days: length }) }))
  await erase(app, owner, who)
  return who
}

/** The tables that contain any of `canaries` in plain text. */
async function tablesWith(canaries: readonly string[]): Promise<string[]> {
  const { rows } = await owner.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'graphile_worker')`,
  )
  const holds = async (name: string) =>
    (await owner.pool.query<{ row: string }>(`select t::text as row from ${name} t`)).rows.some(({ row }) =>
      canaries.some((canary) => row.includes(canary)),
    )
  const found = await Promise.all(rows.map(async ({ name }) => ((await holds(name)) ? name : '')))
  return found.filter(Boolean).sort()
}

describe('a ban of an account that was erased', () => {
  it('The ban of an erased account is stored as a keyed hash that identifies no one.', async () => {
    const { email, id, name } = await bannedAndGone('hal.canary@example.org')
    expect(await bans()).toEqual([{ value: expect.any(Buffer), until: null }])
    expect(await tablesWith([email, id, name, Buffer.from(email).toString('hex')])).toEqual([
      'public.audit_log',
      'public.deletion_ledger',
    ])
  })

  it('The ban of an erased account continues for anyone with its mailbox, with reasons and an appeal, and others see no difference.', async () => {
    const [eve, admin] = [await person(app), await administrator(app)]
    const ask = (email: string) => caller(app.url).send('POST', '/api/user/requestOtp', { email })
    const [known, unknown] = [await ask('hal.canary@example.org'), await ask('no-one.yet@example.org')]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    const back = await person(app, { email: 'hal.canary+new@example.org' })
    const { standing, until, sanctions } = await standingOf(back)
    expect({ standing, until }).toEqual({ standing: 'banned', until: null })
    expect(sanctions).toMatchObject([
      { kind: 'ban', ground: 'evasion', automated: true, appealUntil: expect.any(String) },
    ])
    expect((await eve.call('GET /api/user/:id', { params: { id: back.id } })).status).toBe(404)
    expect((await back.call('GET /api/deck')).body.code).toBe('suspended')
    expect((await standingOf(eve)).standing).toBe('good')
    await hasSignal(back)
    const reason = 'The mailbox belongs to someone else now.'
    await admin.call('POST /api/admin/sanctions/:id/lift', { params: { id: sanctions[0]?.id ?? '' }, body: { reason } })
    expect([(await standingOf(back)).standing, await bans()]).toEqual(['good', []])
  })

  it('The ban of an erased account is found under every key; the longest one is kept, under the current key only.', async () => {
    const [today, before] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const until = new Date(app.clock.now().getTime() + days(3))
    for (const row of [
      { value: today, until },
      { value: before, until: null },
    ])
      await owner.db.insertInto('banned_addresses').values(row).execute()
    const values = [today, before]
    expect(await findKeptSanctions(app.platform.db, values, app.clock.now())).toEqual([
      { kind: 'ban', until: null, led_by: [] },
    ])
    await renewMailbox(app.platform.db, values)
    const { rows } = await owner.pool.query('select value, until from banned_addresses')
    expect(rows).toEqual([{ value: today, until: null }])
    expect(await findKeptSanctions(app.platform.db, [today], app.clock.now())).toEqual([
      { kind: 'ban', until: null, led_by: [] },
    ])
    await owner.db.deleteFrom('banned_addresses').execute()
  })

  it('The ban of an erased account continues when an earlier version stored only the ban, and its mailboxes are deleted when it ends.', async () => {
    const value = addressSignal(app.platform.secrets, 'early@example.org')
    await owner.db.insertInto('banned_addresses').values({ value, until: null }).execute()
    const back = await person(app, { email: 'early+2@example.org' })
    const [ban] = (await standingOf(back)).sanctions
    expect(ban).toMatchObject({ kind: 'ban', ground: 'evasion' })
    const admin = await administrator(app)
    const reason = 'The mailbox belongs to someone else now.'
    await admin.call('POST /api/admin/sanctions/:id/lift', { params: { id: ban?.id ?? '' }, body: { reason } })
    expect((await standingOf(await person(app, { email: 'early+3@example.org' }))).standing).toBe('good')
  })

  it('The ban of an erased account keeps its end date and is forgotten then.', async () => {
    const { email } = await bannedAndGone('ivy@example.org', 30)
    const [ban] = await bans()
    app.clock.advance(days(10))
    const back = await person(app, { email })
    expect(await standingOf(back)).toMatchObject({ standing: 'banned', until: ban.until.toISOString() })
    await erase(app, owner, back)
    app.clock.advance(days(20) + 1_000)
    expect((await standingOf(await person(app, { email }))).standing).toBe('good')
    await forgetLinks(app.platform)
    expect(await bans()).toEqual([])
  })
})
