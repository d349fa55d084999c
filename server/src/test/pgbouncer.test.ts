import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { recordInAudit } from '../features/audit/audit.ts'
import { connectLogin } from '../platform/database/database.ts'
import { transaction } from '../platform/transaction.ts'
import { startTestApp, type TestApp } from './app.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { person } from './people.ts'
import { allowLogin, login, type Pooler, startPgbouncer } from './pgbouncer.ts'
import { has } from './programs.ts'
import { connect } from './sockets.ts'

let owner: pg.Client
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client(database.config)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

async function refusal(config: pg.ClientConfig): Promise<string | undefined> {
  const { pool } = connectLogin(config, () => undefined, 1)
  const asked = pool.query('select 1').then(
    () => undefined,
    (error: Error) => error.message,
  )
  return asked.finally(() => pool.end())
}

describe('the application’s own login', () => {
  const name = 'duet_other'
  const as = (user: string) => ({ ...database.config, user })
  beforeAll(() => owner.query(`create role ${name} login`))
  afterAll(() => owner.query(`drop owned by ${name}; drop role ${name}`))

  it('A new login is refused with the statements to run, and they suffice.', async () => {
    const line = await refusal(as(name))
    expect(line).toMatch(
      /^DATABASE_URL: run this as the owner of the database, then restart the pooler if there is one: grant duet_app to "duet_other"; alter role/,
    )
    await owner.query(line?.slice(line.indexOf('grant')) ?? '')
    expect(await refusal(as(name))).toBeUndefined()
    await owner.query(`alter role ${name} set statement_timeout = 0`)
    expect(await refusal(as(name))).toBe(
      `DATABASE_URL: run this as the owner of the database, then restart the pooler if there is one: alter role "duet_other" set statement_timeout = '5s';`,
    )
  })

  it('A login with the owner’s rights is refused.', async () => {
    const line = 'may change tables and make roles'
    expect(await refusal(as(database.config.user))).toContain(line)
    await owner.query(`alter role ${name} createrole`)
    expect(await refusal(as(name))).toContain(line)
    await owner.query(`alter role ${name} nocreaterole`)
  })
})

describe.skipIf(!has('pgbouncer')).each([
  { mode: 'session', environment: {} },
  { mode: 'transaction', environment: { DATABASE_PREPARE: 'off' } },
] as const)('through PgBouncer, pooling by $mode', ({ mode, environment }) => {
  let pooler: Pooler & { stop(): Promise<void> }
  let app: TestApp
  beforeAll(async () => {
    await owner.query(
      `do $$ begin create role ${login} login; exception when duplicate_object or unique_violation then null; end $$`,
    )
    for (const statement of allowLogin) await owner.query(statement)
    const { host } = inject('postgres')
    pooler = await startPgbouncer(mode, host, inject('folder'))
    const throughPooler = (name: string) => ({ ...pooler, user: login, database: name, idleTimeoutMillis: 0 })
    app = await startTestApp(environment, { login: throughPooler })
  })
  afterAll(async () => {
    await app?.close()
    await pooler?.stop()
  })

  it('Through PgBouncer, people can meet, like each other and exchange live messages.', async () => {
    const at = { latitude: 41.39, longitude: 2.17 }
    const ana = await person(app, { name: 'Ana', gender: 'woman', at })
    const ben = await person(app, { name: 'Ben', gender: 'man', at })
    const { body: deck } = await ana.call('GET /api/deck')
    expect(deck.cards.map(({ name }) => name)).toEqual(['Ben'])
    // Enough executions for PostgreSQL to switch a statement to a generic plan.
    for (let nth = 0; nth < 12; nth++) expect((await ana.call('GET /api/user/myDetails')).status).toBe(200)
    await ana.send('PUT', `/api/decisions/${ben.id}`, { decision: 'like' })
    const { body } = await ben.send('PUT', `/api/decisions/${ana.id}`, { decision: 'like' })
    expect(body.match).toMatchObject({ user: { name: 'Ana' } })
    const [one, other] = [await connect(app, ana), await connect(app, ben)]
    for (let nth = 0; nth < 20; nth++) {
      const sent = { id: randomUUID(), senderId: ana.id, receiverId: ben.id, message: `Message ${nth}` }
      expect(await one.ask('send_message', sent)).toMatchObject({ ok: true })
      await other.next('private message', ({ id }) => id === sent.id)
    }
  })

  it('Through PgBouncer, the application works as its login, not as the owner.', async () => {
    const { rows } = await app.platform.pool.query('select current_user as role')
    expect(rows).toEqual([{ role: login }])
    await expect(app.platform.pool.query('alter table accounts add column x int')).rejects.toThrow('must be owner')
    await expect(app.platform.pool.query('update accounts set is_super_admin = true')).rejects.toThrow(
      'permission denied',
    )
  })

  it('Through PgBouncer, the application can’t claim to be restoring the audit log.', async () => {
    const { db } = app.platform
    await transaction(app.platform, async (tx) => {
      await sql`set local duet.restoring = 'on'`.execute(tx.db)
      await recordInAudit(tx, { actorId: null, action: 'tested', target: {}, reason: 'sealed all the same' })
    })
    const { rows } = await sql<{ seq: number }>`select seq from audit_log`.execute(db)
    expect(rows).toEqual([{ seq: 1 }])
  })

  it('The end of a session is noticed past the pooler.', async () => {
    const ana = await person(app)
    const { socket } = await connect(app, ana)
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    expect((await ana.send('POST', '/api/user/signOut', {})).status).toBeLessThan(300)
    await closed
  })
})
