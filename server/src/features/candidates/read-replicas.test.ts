import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, connectOwner } from '../../platform/database/database.ts'
import { readsFrom } from '../../platform/database/read-replicas.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { copyDatabase, createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { databaseGate } from '../../test/database-gate.ts'
import { type Caller, caller, type Person, person } from '../../test/people.ts'
import { announceNewcomer } from '../discovery/discovery.ts'
import { getSearcher, searchDatabase } from './candidates.ts'

const place = { latitude: 10, longitude: 10 }
const signedIn = ({ token }: Person, { url }: TestApp) => caller(url, token)

let primary: TestDatabase
let replica: TestDatabase
let everyone: Person[]
beforeAll(async () => {
  primary = await createTestDatabase()
  const app = await startTestApp({}, { database: primary })
  everyone = await Promise.all(Array.from({ length: 8 }, () => person(app, { at: place })))
  await app.close()
  // Nothing is replicated to this copy, so it is a replica that lags for the whole test.
  replica = await copyDatabase(primary)
  // Otherwise they would still be told about each other, which uses up a day's news.
  const owner = connectOwner(primary.config, () => undefined)
  await owner.pool.query(
    'delete from graphile_worker._private_jobs; delete from notifications; delete from rate_limits',
  )
  await owner.db.destroy()
})
afterAll(() => Promise.all([primary.drop(), replica.drop()]))

const addressOf = ({ host, user, database, port = 5432 }: TestDatabase['config'] & { port?: number }) =>
  `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`

async function startWithReplica(address: string): Promise<TestApp> {
  return startTestApp(
    { LOG_LEVEL: 'silent', DATABASE_URL: addressOf(primary.config), DATABASE_READ_URL: address },
    // Its own login would lead to the primary's pooler.
    { database: primary, login: () => undefined },
  )
}
const idsNear = async (viewer: Caller) =>
  (await viewer.call('GET /api/user/nearBy', {})).body.users.map(({ id }) => id).sort()
const idsIn = (some: readonly Person[]) => some.map(({ id }) => id).sort()

it('a lagging replica shows nobody who blocked, paused, hid their distance, filters differently or was erased meanwhile', async () => {
  const app = await startWithReplica(addressOf(replica.config))
  try {
    const [me, blocked, blocker, paused, stranger, erased, hider, other] = everyone as Person[]
    const viewer = signedIn(me!, app)
    expect(await idsNear(viewer)).toEqual(idsIn(everyone.slice(1)))
    await viewer.call('PUT /api/blocks/:userId', { params: { userId: blocked!.id } })
    await signedIn(blocker!, app).call('PUT /api/blocks/:userId', { params: { userId: me!.id } })
    await signedIn(paused!, app).call('PATCH /api/user/updateUser', { body: { paused: true } })
    await signedIn(stranger!, app).call('PATCH /api/user/updateUser', { body: { ageMin: 90 } })
    await signedIn(hider!, app).call('PATCH /api/privacy', { body: { hideDistance: true } })
    await app.platform.db.deleteFrom('accounts').where('id', '=', erased!.id).execute()
    const found = await searchDatabase(app.platform, await getSearcher(app.platform, me!.id), [])
    expect(found?.map(({ id }) => id).sort()).toEqual(idsIn(everyone.slice(1)))
    expect(await idsNear(viewer)).toEqual([other!.id])
    await announceNewcomer(app.platform, me!.id)
    const told = async (who: Person) =>
      (await signedIn(who, app).call('GET /api/notifications')).body.notifications.filter(
        ({ kind }) => kind === 'nearby',
      )
    expect([await told(other!), await told(stranger!)]).toMatchObject([[{ link: `/profile/${me!.id}` }], []])
  } finally {
    await app.close()
  }
})

it('the primary answers while a replica hangs', async () => {
  const gate = await databaseGate(replica.config)
  const app = await startWithReplica(addressOf(gate.config))
  try {
    const [me, other] = [everyone[0], everyone.at(-1)]
    const viewer = signedIn(me!, app)
    expect(await idsNear(viewer)).toContain(other!.id)
    gate.stop()
    expect(await idsNear(viewer)).toContain(other!.id)
  } finally {
    gate.letGo()
    await app.close()
  }
})

it('a replica that failed is tried again by one query after ten seconds', async () => {
  const gate = await databaseGate(replica.config)
  const replicas = connect(gate.config, () => undefined, 2, true)
  const own = connect(primary.config, () => undefined, 2)
  let now = 0
  const reads = readsFrom(replicas.pool, own.pool, { warn() {}, info() {} }, () => now)
  const answering = async () =>
    (await reads.query<{ name: string }>({ text: 'select current_database() as name' })).rows[0]?.name
  try {
    expect(await answering()).toBe(replica.config.database)
    gate.stop()
    expect(await answering()).toBe(primary.config.database)
    gate.letGo()
    now = 9_000
    expect(await answering()).toBe(primary.config.database)
    now = 20_000
    const [first, second] = await Promise.all([answering(), answering()])
    expect([first, second]).toEqual([replica.config.database, primary.config.database])
    expect(await answering()).toBe(replica.config.database)
  } finally {
    await Promise.all([replicas.db.destroy(), own.db.destroy()])
  }
})

it('a busy replica keeps its queries, and only those that wait too long go to the primary', {
  tags: 'long',
}, async () => {
  const replicas = connect(replica.config, () => undefined, 1, true)
  const own = connect(primary.config, () => undefined, 2)
  const reads = readsFrom(replicas.pool, own.pool, { warn() {}, info() {} })
  const answering = async () =>
    (await reads.query<{ name: string }>({ text: 'select current_database() as name' })).rows[0]?.name
  try {
    expect(await answering()).toBe(replica.config.database)
    const slow = reads.query({ text: 'select pg_sleep(3)' })
    expect(await answering()).toBe(primary.config.database)
    await slow
    expect(await answering()).toBe(replica.config.database)
  } finally {
    await Promise.all([replicas.db.destroy(), own.db.destroy()])
  }
})
