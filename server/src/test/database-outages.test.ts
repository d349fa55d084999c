import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, it, onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { connect as connectPool } from '../platform/database/database.ts'
import { startTestApp, type TestApp } from './app.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { databaseGate } from './database-gate.ts'
import { caller, type Person, people } from './people.ts'
import { type Client, connect } from './sockets.ts'

let database: TestDatabase
let app: TestApp
let ana: Person
let ben: Person
let socket: Client
beforeAll(async () => {
  database = await createTestDatabase()
  app = await startTestApp({ LOG_LEVEL: 'silent' }, { database })
  ;[ana, ben] = (await people(app, 2)) as [Person, Person]
})
beforeEach(async () => {
  socket = await connect(app, ana)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const { host, user } = inject('postgres')

async function asAdmin(text: string, config: pg.ClientConfig = { host, user, database: 'postgres' }): Promise<void> {
  const client = new pg.Client(config)
  await client.connect()
  await client.query(text)
  await client.end()
}
const cutConnections = () =>
  asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.config.database}'`)

const message = (id: string) => ({ id, message: 'Hello', senderId: ana.id, receiverId: ben.id })
/** Uses a long timeout, because a request may wait 5 s for a connection. */
const write = (id: string = randomUUID()): Promise<Record<string, unknown>> =>
  socket.socket.timeout(30_000).emitWithAck('send_message', message(id) as never)
const untilWritten = (id: string) => expect.poll(() => write(id)).toMatchObject({ ok: true })
const read = () => ana.call('GET /api/user/myDetails')
const untilRead = () => expect.poll(async () => (await read()).status).toBe(200)

async function holdAll({ platform: { pool } }: TestApp): Promise<() => void> {
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const release = () => {
    for (const client of held.splice(0)) client.release()
  }
  onTestFinished(release)
  return release
}

it('Without a free connection, requests get 503 and messages retry, and both work afterwards.', {
  tags: 'long',
}, async () => {
  const release = await holdAll(app)
  const id = randomUUID()
  const [answer, ack] = await Promise.all([read(), write(id)])
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
  expect(ack).toMatchObject({ ok: false, code: 'retry' })
  release()
  await untilWritten(id)
  await untilRead()
})

it('After a switchover to a read-only server, messages get `retry` until a primary answers.', async () => {
  const name = database.config.database
  await asAdmin(`alter database ${name} set default_transaction_read_only = on`)
  onTestFinished(() => asAdmin(`alter database ${name} reset default_transaction_read_only`))
  await cutConnections()
  const id = randomUUID()
  for (let tries = 0; tries < 5; tries++) expect(await write(id)).toMatchObject({ ok: false, code: 'retry' })
  const answer = await ana.call('PATCH /api/user/updateUser', { body: { bio: 'New' } })
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
  const health = await caller(app.url).send('GET', '/readyz')
  expect([health.status, health.body.code]).toEqual([503, 'unavailable'])
  expect(await app.measured.registry.metrics()).toMatch(
    /^duet_event_seconds_count\{event="send_message",outcome="failed"\} \d+$/m,
  )

  await asAdmin(`alter database ${name} reset default_transaction_read_only`)
  // No connection to the replica was open, so the primary is found without closing any.
  await untilWritten(id)
  await untilRead()
})

it('/readyz fails while the database is up but refuses writes, and stores no row.', async () => {
  const status = async () => (await caller(app.url).send('GET', '/readyz')).status
  await asAdmin('revoke insert on files_to_remove from duet_app', database.config)
  onTestFinished(() => asAdmin('grant insert on files_to_remove to duet_app', database.config))
  await expect.poll(status).toBe(503)
  await asAdmin('grant insert on files_to_remove to duet_app', database.config)
  await expect.poll(status).toBe(200)
  expect(await app.platform.db.selectFrom('files_to_remove').selectAll().execute()).toEqual([])
})

it('A request whose connection is cut gets 503, never 500.', { tags: 'long' }, async () => {
  const answers = new Set<string>()
  const asking = Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 15; n++) {
        const { status, body } = await read()
        answers.add(status === 200 ? '200' : `${status} ${body.code}`)
        const ack = await write()
        answers.add(ack.ok ? '200' : String(ack.code))
      }
    }),
  )
  for (let cuts = 0; cuts < 8; cuts++) await cutConnections()
  await asking
  await untilRead()
  for (const answer of answers) expect(['200', '503 unavailable', '503 retry', 'retry']).toContain(answer)
})

it('A statement prepared before a migration changed its result gets `retry` and is then prepared again.', async () => {
  const { pool } = connectPool(database.config, () => undefined, 1)
  onTestFinished(() => pool.end())
  await asAdmin('create table changing (a int); grant select on changing to duet_app', database.config)
  const ask = () => pool.query({ name: 'of-an-old-node', text: 'select * from changing' })
  await ask()
  await asAdmin('alter table changing add b int', database.config)
  await expect(ask()).rejects.toMatchObject({ code: '0A000' })
  expect((await ask()).fields.map(({ name }) => name)).toEqual(['a', 'b'])
})

it('/readyz responds in time while the pool is exhausted or the database hangs, and files and /healthz still work.', {
  tags: 'long',
}, async () => {
  const gate = await databaseGate(database.config)
  const other = await startTestApp({ LOG_LEVEL: 'silent' }, { database: { config: gate.config } })
  onTestFinished(() => other.close())
  const statusOf = async (path: string) => (await caller(other.url).send('GET', path)).status
  const release = await holdAll(other)
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  release()

  gate.stop()
  // Concurrent health checks share one query.
  await expect.poll(() => statusOf('/readyz')).toBe(503)
  expect(new Set(await Promise.all(Array.from({ length: 200 }, () => statusOf('/readyz'))))).toEqual(new Set([503]))
  expect(await statusOf('/healthz')).toBe(200)
  gate.letGo()
  await expect.poll(() => statusOf('/readyz')).toBe(200)
})

it('Duet doesn’t start behind a pooler that drops connection options, because it would work as the owner.', {
  tags: 'long',
}, async () => {
  const gate = await databaseGate(database.config, { dropsOptions: true })
  const dataDir = await mkdtemp(join(inject('folder'), 'pooled-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    SECRET_KEY: 'a key for tests, long enough to be one',
  })
  await expect(createApp({ config, owner: gate.config, webFolder: dataDir })).rejects.toThrow(
    /^The database ignores the options of connections \(working as \w+, statement_timeout 0 ms\)/,
  )
})
