import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../platform/database/database.ts'
import { readsFrom } from '../../platform/database/read-replicas.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { copyDatabase, createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { databaseGate } from '../../test/database-gate.ts'
import { type Caller, caller, type Person, person } from '../../test/people.ts'
import { getSearcher, searchDatabase } from './candidates.ts'

const place = { latitude: 10, longitude: 10 }
const signedIn = ({ token }: Person, { url }: TestApp) => caller(url, token)

let primary: TestDatabase
let replica: TestDatabase
let everyone: Person[]
beforeAll(async () => {
  primary = await createTestDatabase()
  const app = await startTestApp({}, { database: primary })
  everyone = await Promise.all(Array.from({ length: 7 }, () => person(app, { at: place })))
  await app.close()
  // Nothing is replicated to this copy, so it is a replica that lags for the whole test.
  replica = await copyDatabase(primary)
})
afterAll(() => Promise.all([primary.drop(), replica.drop()]))

const addressOf = ({ host, user, database, port = 5432 }: TestDatabase['config'] & { port?: number }) =>
  `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`

async function startWithReplica(address: string): Promise<TestApp> {
  return startTestApp(
    { LOG_LEVEL: 'silent', DATABASE_URL: addressOf(primary.config), DATABASE_READ_URL: address },
    {
      database: primary,
    },
  )
}
const idsNear = async (viewer: Caller) =>
  (await viewer.call('GET /api/user/nearBy', {})).body.users.map(({ id }) => id).sort()
const idsIn = (some: readonly Person[]) => some.map(({ id }) => id).sort()

it('a lagging replica shows nobody who blocked, paused, filters differently or was erased meanwhile', async () => {
  const app = await startWithReplica(addressOf(replica.config))
  try {
    const [me, blocked, blocker, paused, stranger, erased, other] = everyone as [Person, ...Person[]] as Person[]
    const viewer = signedIn(me!, app)
    expect(await idsNear(viewer)).toEqual(idsIn(everyone.slice(1)))
    await viewer.call('PUT /api/blocks/:userId', { params: { userId: blocked!.id } })
    await signedIn(blocker!, app).call('PUT /api/blocks/:userId', { params: { userId: me!.id } })
    await signedIn(paused!, app).call('PATCH /api/user/updateUser', { body: { paused: true } })
    await signedIn(stranger!, app).call('PATCH /api/user/updateUser', { body: { ageMin: 90 } })
    await app.platform.db.deleteFrom('accounts').where('id', '=', erased!.id).execute()
    const found = await searchDatabase(app.platform, await getSearcher(app.platform, me!.id), [])
    expect(found?.map(({ id }) => id).sort()).toEqual(idsIn(everyone.slice(1)))
    expect(await idsNear(viewer)).toEqual([other!.id])
    const { body: deck } = await viewer.call('GET /api/deck', {})
    expect(deck.cards.map(({ id }) => id)).toEqual([other!.id])
  } finally {
    await app.close()
  }
})

it('the primary answers while a replica hangs', async () => {
  const gate = await databaseGate(replica.config)
  const app = await startWithReplica(addressOf(gate.config))
  try {
    const [me, , , , , , other] = everyone as [Person, ...Person[]] as Person[]
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
  const replicas = connect(gate.config as never, () => undefined, 2, true)
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
