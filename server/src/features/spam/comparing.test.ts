import { promised } from '@duet/contract/promised.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { days } from '../../platform/clock.ts'
import { connectOwner, type Pools } from '../../platform/database/database.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { type Person, person } from '../../test/people.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { foldNames } from './folded-names.ts'
import { findLikenesses, findLinked } from './linked.queries.ts'
import { compareNewcomer, compareOthers, forgetLinks, noteNewcomer } from './linked.ts'

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
const sees = async (who: Person, { id }: Person) => (await who.send('GET', `/api/user/${id}`)).status
const isUnseen = async ({ id }: Person) => (await rowsOf('select unseen from accounts where id = $1', id))[0].unseen
const notes = async ({ id }: Person) =>
  (await rowsOf(`select note from reviews where user_id = $1 and state = 'open'`, id)).map(({ note }) => note)
const ban = ({ id: userId }: Person) =>
  transaction(app.platform, (tx) =>
    sanction(tx, { userId, kind: 'ban', ground: 'scam', decidedBy: null, statement: 'You asked for money.' }),
  )

let births = 0
/** Creates an account and a later one with the same name, birthday, network and device. */
async function lookAlikes(name = 'Eve', later = name): Promise<[Person, Person]> {
  const birthDate = `1992-03-${String(++births).padStart(2, '0')}`
  const [first, second] = [await person(app, { name, birthDate }), await person(app, { name: later, birthDate })]
  for (const { id: userId } of [first, second])
    await noteNewcomer(app.platform, { userId, network: `198.51.${births}.9`, device: 'Safari · macOS' })
  return [first, second]
}

it('An impersonated person stays visible when the impostor is banned or blocked, and gets a review.', async () => {
  const ana = await person(app)
  const [eve, impostor] = await lookAlikes()
  await ana.send('PUT', `/api/blocks/${impostor.id}`)
  await ban(impostor)
  await compareOthers(app.platform, impostor.id)
  expect([await isUnseen(eve), await sees(ana, eve)]).toEqual([false, 200])
  expect(await notes(eve)).toEqual([expect.stringContaining(impostor.id)])
})

it('An account older than a banned one of the same mailbox is hidden.', async () => {
  const first = await person(app, { email: 'order@example.org' })
  const second = await person(app, { email: 'order+2@example.org' })
  await ban(second)
  await compareOthers(app.platform, second.id)
  expect(await isUnseen(first)).toBe(true)
})

it.each([
  ['Éve', 'Eve'],
  ['ŁUKASZ', 'lukasz'],
])('%s is recognised as %s, even where an older version folded the earlier name.', async (earlier, later) => {
  const resembling = async ({ id }: Person) =>
    (await findLinked(app.platform.db, id, new Date(app.clock.now().getTime() - days(7)), 20)).map((one) => one.id)
  const [eve, back] = await lookAlikes(earlier, later)
  expect(await resembling(back)).toEqual([eve.id])
  const { birth_date } = (await rowsOf('select birth_date::text from profiles where user_id = $1', eve.id))[0]
  const signal = app.platform.secrets.hmac('linked-person', earlier.toLowerCase(), birth_date)
  await rowsOf(`update account_signals set value = $2 where user_id = $1 and kind = 'person'`, eve.id, signal)
  await rowsOf('update profiles set folded_name = null where user_id = $1', eve.id)
  await ban(eve)
  expect(await resembling(back)).toEqual([])
  await foldNames(app.platform)
  expect(await resembling(back)).toEqual([eve.id])
  await expect.poll(() => isUnseen(back)).toBe(true)
})

it('A network used long ago is not compared.', async () => {
  const [eve, back] = await lookAlikes()
  await rowsOf(
    `update account_signals set at = at - interval '8 days' where user_id = $1 and kind = 'network'`,
    back.id,
  )
  await ban(eve)
  await compareNewcomer(app.platform, back.id)
  expect([await isUnseen(back), await notes(back)]).toEqual([false, []])
})

it('A network is stored as long as the safety centre promises, and the other signals stay.', async () => {
  const [old, newer] = await lookAlikes()
  for (const [{ id }, age] of [
    [old, promised.networkDays + 1],
    [newer, promised.networkDays - 1],
  ] as const)
    await rowsOf(`update account_signals set at = at - $2 * interval '1 day' where user_id = $1`, id, age)
  await forgetLinks(app.platform)
  const kindsOf = async ({ id }: Person) =>
    (await rowsOf('select kind from account_signals where user_id = $1 order by kind', id)).map(({ kind }) => kind)
  const lasting = (await kindsOf(newer)).filter((kind) => kind !== 'network')
  expect(lasting.length).toBeGreaterThan(0)
  expect(await kindsOf(newer)).toContain('network')
  expect(await kindsOf(old)).toEqual(lasting)
})

it('Only blocks of accounts that resemble the person are compared.', async () => {
  const [eve, back] = await lookAlikes()
  await owner.pool.query(`begin; set local session_replication_role = replica;
    insert into blocks (blocker_id, blocked_id, created_at)
      select gen_random_uuid(), gen_random_uuid(), now() from generate_series(1, 20000);
    commit; analyze blocks`)
  await ban(eve)
  const since = new Date(app.clock.now().getTime() - days(7))
  const read = sql<{ rows: number }>`select sum(pg_stat_get_xact_tuples_returned(oid))::int as rows from pg_class
    where oid = 'blocks'::regclass or oid in (select indexrelid from pg_index where indrelid = 'blocks'::regclass)`
  const rows = await owner.db.transaction().execute(async (tx) => {
    expect(await findLikenesses(tx, back.id, since)).toMatchObject([{ user_id: eve.id, counted: 2 }])
    expect(await findLinked(tx, back.id, since, 20)).toMatchObject([{ id: eve.id }])
    return (await read.execute(tx)).rows[0]?.rows
  })
  expect(rows).toBeLessThan(100)
})

it('Many blocks are applied in batches, because a transaction can take only so many locks.', async () => {
  const [eve, back] = await lookAlikes()
  await rowsOf(`insert into accounts (email, terms_accepted_at, created_at)
    select 'blocker' || n || '@example.net', now(), now() from generate_series(1, 1200) n`)
  await rowsOf(
    `insert into blocks (blocker_id, blocked_id, created_at) select id, $1, now() from accounts where email like '%.net'`,
    eve.id,
  )
  await owner.pool.query(`create function count_locks() returns trigger language plpgsql as $$ begin
      if (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())) > 1000 then
        raise 'out of shared memory'; end if;
      return null; end $$;
    create trigger count_locks after insert on blocks for each statement execute function count_locks()`)
  await compareNewcomer(app.platform, back.id)
  await owner.pool.query('drop function count_locks cascade')
  expect(await rowsOf('select count(*)::int from blocks where blocked_id = $1', back.id)).toEqual([{ count: 1200 }])
  expect(await notes(back)).toHaveLength(1)
})

it('A failed comparison of a newcomer is retried.', async () => {
  const banned = await person(app, { email: 'again@example.org' })
  await ban(banned)
  await owner.pool.query('alter table photo_prints rename to unreadable')
  const back = await person(app, { email: 'again+2@example.org' })
  const failed = `select from graphile_worker._private_jobs where key = $1 and attempts > 0 and locked_at is null`
  await expect.poll(async () => (await rowsOf(failed, `recognise:${back.id}`)).length).toBe(1)
  await owner.pool.query('alter table unreadable rename to photo_prints')
  await rowsOf('update graphile_worker._private_jobs set run_at = now() where key = $1', `recognise:${back.id}`)
  await app.platform.jobs.add('recognise', { userId: banned.id })
  await expect.poll(() => isUnseen(back)).toBe(true)
})
