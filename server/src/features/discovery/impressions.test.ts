import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { after, days } from '../../platform/clock.ts'
import { connectOwner, migrate, type Pools } from '../../platform/database/database.ts'
import { baseline } from '../../platform/database/schema-files.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { keepImpressions } from './impressions.ts'

let database: TestDatabase
let owner: Pools
beforeAll(async () => {
  database = await createTestDatabase()
  owner = connectOwner(database.config, () => undefined)
  await owner.pool.query(people)
})
afterAll(async () => {
  await owner.db.destroy()
  await database.drop()
})

const [ana, ben] = [randomUUID(), randomUUID()]
const people = `insert into accounts (id, email, terms_accepted_at, created_at) values ('${ana}', 'ana@example.org', now(), now()), ('${ben}', 'ben@example.org', now(), now())`
const showAt = (at: Date) =>
  `insert into impressions (viewer_id, target_id, deck_at, shown_at, slot, slot_kind, propensity, model_version)
    values ('${ana}', '${ben}', '${at.toISOString()}', '${at.toISOString()}', 0, 'regular', 1, 0)`
const show = (at: Date) => owner.pool.query(showAt(at))
const keep = (now: Date) => keepImpressions({ db: owner.db, clock: { now: () => now } })

async function partsOf(pool: Pick<pg.Pool, 'query'>): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ part: string; rows: number }>(
    'select tableoid::regclass::text as part, count(*)::int as rows from impressions group by 1 order by 1',
  )
  return Object.fromEntries(rows.map(({ part, rows }) => [part, rows]))
}

function inMonths(plus: number, day = 10): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + plus, day, 12))
}
const nameOf = (month: Date) => `months.impressions_${month.toISOString().slice(0, 7).replace('-', '_')}`

it('impressions are stored by month, and a month is dropped once nothing learns from it', async () => {
  onTestFinished(async () => void (await owner.pool.query('delete from impressions')))
  await show(inMonths(0))
  for (const plus of [1, 2]) {
    await keep(inMonths(plus - 1, 28))
    await show(inMonths(plus))
  }
  const [first, second] = [nameOf(inMonths(1)), nameOf(inMonths(2))]
  const all = { 'months.impressions_before': 1, [first]: 1, [second]: 1 }
  expect(await partsOf(owner.pool)).toEqual(all)
  await keep(after(inMonths(1, 1), days(209)))
  expect(await partsOf(owner.pool)).toEqual(all)
  await keep(after(inMonths(1, 1), days(211)))
  expect(await partsOf(owner.pool)).toEqual({ [first]: 1, [second]: 1 })
  await keep(after(inMonths(3, 1), days(211)))
  expect(await partsOf(owner.pool)).toEqual({})
})

it('impressions of a month without a partition go into the rest, and are dropped from there', async () => {
  onTestFinished(async () => void (await owner.pool.query('delete from impressions')))
  const late = inMonths(30)
  await show(late)
  await show(inMonths(31))
  expect(await partsOf(owner.pool)).toEqual({ 'months.impressions_rest': 2 })
  // Months that already have rows in `impressions_rest` stay there; partitions are created only for later months.
  await keep(late)
  await keep(inMonths(31))
  await show(inMonths(32))
  expect(await partsOf(owner.pool)).toEqual({ 'months.impressions_rest': 2, [nameOf(inMonths(32))]: 1 })
  await keep(after(late, days(211)))
  expect(await partsOf(owner.pool)).toEqual({ 'months.impressions_rest': 1, [nameOf(inMonths(32))]: 1 })
})

it('impressions from before the partitions are kept, and deleted with their people', async () => {
  const { config, drop } = await createEmptyDatabase()
  onTestFinished(drop)
  await migrate(config, baseline)
  const client = new pg.Client(config)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(people)
  // The last of these comes from a server whose clock was ahead.
  for (const at of [inMonths(-8), inMonths(0), inMonths(3)]) await client.query(showAt(at))
  await migrate(config)
  expect(await partsOf(client)).toEqual({ 'months.impressions_before': 3 })
  await expect(client.query(showAt(inMonths(0)))).rejects.toThrow('duplicate key')
  await client.query('delete from accounts where id = $1', [ben])
  expect(await partsOf(client)).toEqual({})
})
