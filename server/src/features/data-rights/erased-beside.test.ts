import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { person } from '../../test/people.ts'
import { addOne } from '../../test/photos.ts'
import { connect } from '../../test/sockets.ts'
import { receiptOf, say } from '../reports/acts.test-reports.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { eraseAccount } from './erasure.ts'

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

const rowsOf = async <T>(query: string, ...values: unknown[]) => (await owner.pool.query(query, values)).rows as T[]

/** All delete triggers on tables that reference accounts, because these run during an erasure. */
const fired = `
  with recursive hanging as (
    select 'accounts'::regclass::oid as id
    union select f.conrelid from pg_constraint f join hanging h on f.confrelid = h.id
    where f.contype = 'f' and f.confdeltype = 'c')
  select tgname as name from pg_trigger where tgrelid in (select id from hanging) and tgtype & 8 > 0 and not tgisinternal
  order by 1`

/**
 * Why each trigger is safe during an erasure. If a trigger handled an erasure like an action of the person, it could
 * change other people's data.
 */
const meanings = {
  appearance_in_photos_changed: 'marks a profile’s photos as changed; the profile is deleted too',
  badge_photos_removed: 'removes the badge of a profile that is deleted too',
  block_changed: 'notifies the devices of a conversation that is deleted too',
  block_taken_back: 'applies only when the blocker removes the block, not to an erasure',
  candidate_unlocated: 'removes a candidate who is deleted too',
  candidates_deleted: 'tells in-memory indexes that the candidate is gone',
  conversation_gone: 'deletes the messages of a conversation that is deleted too',
  photo_rejected: 'removes copies of a rejected photo from date pages; the photo is deleted too',
  sanctioned_account_gone: 'keeps mailboxes for sanctions and open reports, and clears texts written about the person',
  session_ended: 'closes the person’s live connections',
}

it('Every trigger that an erasure fires is known to be safe.', async () => {
  const names = (await rowsOf<{ name: string }>(fired)).map(({ name }) => name)
  expect(names).toEqual(Object.keys(meanings))
})

/** Counters, and queues that jobs process concurrently. */
const moving = ['candidate_changes', 'deletion_ledger', 'files_to_remove', 'kysely_migration', 'rate_limits']

/** Rows that contain none of `words`. Ignores which account a block was derived from. */
async function rowsWithout(words: readonly string[]): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    `select c.relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relname = any($1)`,
    moving,
  )
  const found = tables.map(async ({ name }) => {
    const rows = await rowsOf<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from "${name}" t`)
    const kept = rows.filter(({ row }) => {
      const text = JSON.stringify({ ...row, linked_to: null })
      return !words.some((word) => text.includes(word))
    })
    return kept.map(({ row }) => `${name} ${JSON.stringify(row)}`)
  })
  return (await Promise.all(found)).flat().sort()
}

it('Erasing an account changes no data between other people.', async () => {
  const place = { latitude: 52.37, longitude: 4.89 }
  const named = (name: string) => person(app, { name, at: place })
  const [ana, ben, cleo] = [await named('Ana'), await named('Ben'), await named('Cleo')]
  const [dan, eve] = [await named('Dan'), await named('Eve')]
  const photos = [await addOne(ben), await addOne(cleo)]
  for (const who of [ben, cleo]) await say(who, eve, await connect(app, who), 'Hello')
  for (const { id } of [ben, dan]) await ana.send('PUT', `/api/blocks/${id}`)
  await rowsOf(
    `insert into blocks (blocker_id, blocked_id, created_at, linked_to) values ($1, $2, now(), $3)`,
    ...[ana.id, cleo.id, ben.id],
  )
  for (const { id } of [ben, cleo]) {
    await receiptOf(dan, id)
    const why = { kind: 'restriction', ground: 'scam', statement: 'You asked for money.', decidedBy: null } as const
    await transaction(app.platform, (tx) => sanction(tx, { userId: id, ...why }))
  }
  const [talk] = await rowsOf<{ id: string }>('select conversation_id($1, $2)::text as id', ben.id, eve.id)
  // Waits for the jobs and notifications that these actions cause.
  await expect.poll(async () => (await rowsOf('select from photo_prints')).length).toBe(photos.length)
  await expect
    .poll(async () => (await rowsOf('select from graphile_worker._private_jobs where locked_at is null')).length)
    .toBe(0)
  const own = [ben.id, talk?.id ?? '', 'Ben']
  const before = await rowsWithout(own)
  await eraseAccount({ ...app.platform, db: owner.db }, ben.id)
  const after = new Set(await rowsWithout([]))
  expect(before.filter((row) => !after.has(row))).toEqual([])
  expect(before.some((row) => row.startsWith('blocks') && row.includes(cleo.id))).toBe(true)
})
