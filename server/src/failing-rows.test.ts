import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDueErasures } from './features/data-rights/erasure.queries.ts'
import { endRetention } from './features/data-rights/retention.ts'
import { recountEverybody } from './features/likes/pending.ts'
import { learnWhatIsDue } from './features/matching/learning.ts'
import { findOverdue } from './features/sanctions/sanctions.queries.ts'
import { sweepVerifications } from './features/verification/sweep.ts'
import { connectOwner, type Pools } from './platform/database/database.ts'
import { eachStep } from './platform/jobs/each-one.ts'
import { ownerOf, startTestApp, type TestApp } from './test/app.ts'
import { withBadRow } from './test/bad-row.ts'
import { people, person } from './test/people.ts'

let app: TestApp
let owner: Pools
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'silent' })
  owner = connectOwner(ownerOf(app.platform), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
})

const run = async (text: string, ...values: unknown[]) => (await owner.pool.query(text, values)).rows
const asOwner = () => ({ ...app.platform, db: owner.db })

it('A failed step of a job does not stop the other steps, and fails the job at the end', async () => {
  const taken: string[] = []
  const steps = ['first', 'second', 'third'].map((name) => async () => {
    taken.push(name)
    if (name !== 'third') throw new Error(name)
  })
  await expect(eachStep(...steps)).rejects.toThrow('first')
  expect(taken).toEqual(['first', 'second', 'third'])
})

it('Nightly retention continues when some texts cannot be cleared', async () => {
  const [ana, unused] = [await person(app), await person(app)]
  const [sanction] = await run(
    `insert into sanctions (user_id, kind, ground, statement, automated, item, created_at)
    values ($1, 'item_removed', 'spam', '', false, '{"kind": "message", "body": "Words"}', '2020-01-01') returning id`,
    ana.id,
  )
  await run('delete from sessions where user_id = $1', unused.id)
  await run(`update profiles set last_active_at = '2020-01-01' where user_id = $1`, unused.id)
  await run(`insert into inactivity_warnings (user_id, warned_at) values ($1, '2022-01-01')`, unused.id)
  await withBadRow(app, { table: 'sanctions', column: 'id', value: sanction.id }, () =>
    expect(endRetention(asOwner())).rejects.toThrow('cannot be changed'),
  )
  expect(await run('select from accounts where id = $1 and erase_at is not null', unused.id)).toHaveLength(1)
})

it('Failing erasures and sanctions do not block the front of the queue', async () => {
  const ids = (await people(app, 2)).map(({ id }) => id).sort()
  const now = app.clock.now()
  await run('update accounts set erase_at = null where erase_at is not null')
  await run(`update accounts set erase_at = $2 where id = any($1)`, ids, now)
  await run(
    `insert into sanctions (user_id, kind, ground, statement, automated, created_at, ends_at)
    select id, 'restriction', 'spam', '', false, '2020-01-01', '2020-01-02' from unnest($1::uuid[]) id`,
    ids,
  )
  const erased = new Set<string>()
  const ended = new Set<string>()
  await expect
    .poll(async () => {
      for (const id of await findDueErasures(owner.db, now, 1)) erased.add(id)
      for (const { user_id } of await findOverdue(owner.db, now, 1)) ended.add(user_id)
      return [[...erased].sort(), [...ended].sort()]
    })
    .toEqual([ids, ids])
  await run('update accounts set erase_at = null where id = any($1)', ids)
})

it('A verification that cannot be ended does not stop the others', async () => {
  const accounts = await run(
    `insert into accounts (email, terms_accepted_at, created_at)
    select 'asked' || n || '@example.com', now(), now() from generate_series(1, 60) n returning id`,
  )
  const ids = accounts.map(({ id }) => String(id)).sort()
  await run(
    `insert into verifications (user_id, pose, state, file_name, asked_at, expires_at)
    select id, 'wave', 'asked', substring(encode(sha256(id::text::bytea), 'hex') for 22) || '.sealed', '2020-01-01', '2020-01-01'
    from unnest($1::uuid[]) id`,
    ids,
  )
  const [first = ''] = ids
  await withBadRow(app, { table: 'verifications', column: 'user_id', value: first }, () =>
    sweepVerifications(app.platform),
  )
  expect(await run('select user_id from verifications')).toEqual([{ user_id: first }])
})

it('A failed count of likes does not stop the other counts', async () => {
  const [first = '', second = ''] = (await people(app, 2)).map(({ id }) => id).sort()
  const counted = () =>
    run(`select user_id from standings where user_id = any($1) and pending < 1 order by 1`, [first, second])
  await run('insert into standings (user_id, pending) select id, 5 from unnest($1::uuid[]) id', [first, second])
  await withBadRow(app, { table: 'standings', column: 'user_id', value: first }, () => recountEverybody(asOwner()))
  expect(await counted()).toEqual([{ user_id: second }])
})

it('A decision that fails to train does not stop the others', async () => {
  const [ana, ben, cem] = (await people(app, 3)).map(({ id }) => id) as [string, string, string]
  const lesson = 'insert into lessons (actor_id, target_id, due_at) values ($1, $2, $3)'
  for (const actor of [ana, ben]) await run(lesson, actor, cem, '2020-01-01')
  await withBadRow(app, { table: 'lessons', column: 'actor_id', value: ana }, () => learnWhatIsDue(asOwner()))
  expect(await run('select actor_id from lessons where due_at is not null')).toEqual([{ actor_id: ana }])
})
