import { afterAll, beforeAll, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { standstillMs } from '../../test/standstill.ts'
import { erase as eraseSoon } from './acts.test-spam.ts'
import { compareNewcomer } from './linked.ts'

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

const sees = async (who: Person, { id }: Person) => (await who.send('GET', `/api/user/${id}`)).status
const block = (who: Person, { id }: Person) => who.send('PUT', `/api/blocks/${id}`)
const listOf = async (who: Person) => (await who.call('GET /api/blocks')).body.users
const blockedBy = async (who: Person) => (await listOf(who)).map(({ since: _, ...one }) => one)
const erase = (who: Person) => eraseSoon(app, owner, who)

let boxes = 0
/** Creates three accounts with the same mailbox. Another person has blocked the first. */
async function cameBack() {
  const box = `box${boxes++}`
  const [ana, ben] = [await person(app), await person(app, { name: 'Ben', email: `${box}@example.org` })]
  await block(ana, ben)
  const back = await person(app, { name: 'Bob', email: `${box}+2@example.org` })
  await compareNewcomer(app.platform, back.id)
  expect([await sees(ana, back), await sees(back, ana)]).toEqual([404, 404])
  return { ana, ben, back, third: () => person(app, { name: 'Bo', email: `${box}+3@example.org` }) }
}

it('A linked block stays when the account blocked first is erased, until its owner ends it.', async () => {
  const { ana, ben, back } = await cameBack()
  expect(await blockedBy(ana)).toEqual([{ id: ben.id, name: 'Ben' }])
  await erase(ben)
  expect([await sees(ana, back), await sees(back, ana)]).toEqual([404, 404])
  expect(await blockedBy(ana)).toEqual([{ id: ben.id, name: '', erased: true }])
  await ana.call('DELETE /api/blocks/:userId', { params: { userId: ben.id } })
  expect([await sees(ana, back), await sees(back, ana)]).toEqual([200, 200])
  expect(await blockedBy(ana)).toEqual([])
})

it('A third account stays blocked after the first is erased, and is released with the others.', async () => {
  const { ana, ben, third } = await cameBack()
  await erase(ben)
  const last = await third()
  await compareNewcomer(app.platform, last.id)
  expect(await sees(ana, last)).toBe(404)
  await ana.call('DELETE /api/blocks/:userId', { params: { userId: ben.id } })
  expect(await sees(ana, last)).toBe(200)
})

it('The list shows when a person was blocked, not when they came back.', async () => {
  const [ana, ben] = [await person(app), await person(app, { name: 'Ben', email: 'when@example.org' })]
  await block(ana, ben)
  const [{ since = '' } = {}] = await listOf(ana)
  app.clock.advance(days(1))
  const back = await person(app, { name: 'Bob', email: 'when+2@example.org' })
  await compareNewcomer(app.platform, back.id)
  await erase(ben)
  expect(await listOf(ana)).toEqual([{ id: ben.id, name: '', erased: true, since }])
})

it('An erased person whom the blocker couldn’t see is not on their list.', async () => {
  const [ana, ben] = [await person(app), await person(app, { name: 'Ben', email: 'hid@example.org' })]
  await block(ben, ana)
  await block(ana, ben)
  const back = await person(app, { name: 'Bob', email: 'hid+2@example.org' })
  await compareNewcomer(app.platform, back.id)
  await erase(ben)
  expect([await sees(ana, back), await blockedBy(ana)]).toEqual([404, []])
})

it('A linked block waits for a concurrent like of the pair, so that no match follows it.', async () => {
  const { ana, third } = await cameBack()
  const last = await third()
  const { pool } = app.platform
  await pool.query('delete from blocks where blocked_id = $1', [last.id])
  const liking = await pool.connect()
  try {
    await liking.query('begin')
    await liking.query('select lock_pair($1, $2)', [ana.id, last.id])
    let isBlocked = false
    const comparing = compareNewcomer(app.platform, last.id).then(() => {
      isBlocked = true
    })
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect
      .poll(async () => isBlocked || ((await pool.query(waiting)).rowCount ?? 0) > 0, { timeout: standstillMs })
      .toBe(true)
    expect(isBlocked).toBe(false)
    await liking.query('commit')
    await comparing
    expect(await sees(ana, last)).toBe(404)
  } finally {
    liking.release(true)
  }
})
