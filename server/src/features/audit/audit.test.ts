import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { transaction } from '../../platform/transaction.ts'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { recordInAudit, verifyChain, watchChain } from './audit.ts'

let app: TestApp
let owner: pg.Client
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'fatal' })
  const { host, user, database } = ownerOf(app.platform)
  owner = new pg.Client({ ...(host && { host }), ...(user && { user }), ...(database && { database }) })
  await owner.connect()
})
beforeEach(() => tamper('truncate audit_log'))
afterAll(async () => {
  await owner.end()
  await app.close()
})

const note = (reason: string) =>
  transaction(app.platform, (tx) =>
    recordInAudit(tx, {
      actorId: null,
      action: 'tested',
      target: { kind: 'test', id: 1 },
      reason,
      details: { b: 1, a: 'ü' },
    }),
  )
/** Runs a statement without triggers, as the database's owner could. */
const tamper = async (text: string) => {
  await owner.query('set session_replication_role = replica')
  await owner.query(text)
  await owner.query('set session_replication_role = origin')
}
async function write(count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await note(`reason ${n}, "quoted"\nand on two lines`)
}

it('an untouched log is intact, and its head is the seal of the last entry', async () => {
  expect(await verifyChain(app.platform)).toEqual({
    entries: 0,
    firstBroken: null,
    head: { seq: 0, hash: '00'.repeat(32) },
  })
  await write(5)
  const { rows } = await owner.query("select encode(hash, 'hex') as hash from audit_log where seq = 5")
  expect(await verifyChain(app.platform)).toEqual({
    entries: 5,
    firstBroken: null,
    head: { seq: 5, hash: rows[0].hash },
  })
})

it('concurrent entries are numbered without gaps and stay in one chain', { tags: 'race' }, async () => {
  await Promise.all(Array.from({ length: 12 }, (_, n) => note(`at once ${n}`)))
  expect(await verifyChain(app.platform)).toMatchObject({ entries: 12, firstBroken: null })
})

it('an entry is stored together with its act, or not at all', async () => {
  const failing = transaction(app.platform, async (tx) => {
    await recordInAudit(tx, { actorId: null, action: 'tested', target: {}, reason: 'never' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await write(1)
  expect(await verifyChain(app.platform)).toMatchObject({ entries: 1, firstBroken: null })
})

it.each([
  ['the reason', "update audit_log set reason = 'another' where seq = 3"],
  ['who did it', 'update audit_log set actor_id = gen_random_uuid() where seq = 3'],
  ['when', "update audit_log set at = at + interval '1 microsecond' where seq = 3"],
  ['what it was done to', `update audit_log set target = '{"kind":"test","id":2}' where seq = 3`],
  ['a detail', `update audit_log set details = details || '{"c":1}' where seq = 3`],
  ['the seal', "update audit_log set hash = sha256('x') where seq = 3"],
])('an entry is found if %s was edited', async (_what, text) => {
  await write(5)
  await tamper(text)
  expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: 3 })
})

it('an entry that was edited and sealed again is found through the next one', async () => {
  await write(5)
  await tamper(`update audit_log set reason = 'another' where seq = 3;
    update audit_log a set hash = sha256(prev_hash || convert_to(audit_text(a), 'UTF8')) where seq = 3`)
  expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: 4 })
})

it('a removed entry is found', async () => {
  await write(5)
  await tamper('delete from audit_log where seq = 3')
  expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: 3 })
})

it('two swapped entries are found', async () => {
  await write(5)
  await tamper(`update audit_log set seq = 100 where seq = 3; update audit_log set seq = 3 where seq = 4;
    update audit_log set seq = 4 where seq = 100`)
  expect(await verifyChain(app.platform)).toMatchObject({ firstBroken: 3 })
})

it('entries cut off the end are found by comparing with an earlier head', async () => {
  await write(5)
  const { head } = await verifyChain(app.platform)
  expect(await verifyChain(app.platform, head)).toMatchObject({ firstBroken: null })
  await tamper('delete from audit_log where seq > 3')
  expect(await verifyChain(app.platform)).toMatchObject({ entries: 3, firstBroken: null })
  expect(await verifyChain(app.platform, head)).toMatchObject({ firstBroken: 4 })
})

it('neither the application nor the owner can change or empty the log', async () => {
  await write(2)
  for (const text of ["update audit_log set reason = ''", 'delete from audit_log', 'truncate audit_log']) {
    await expect(app.platform.pool.query(text)).rejects.toMatchObject({ code: '42501' })
    await expect(owner.query(text)).rejects.toMatchObject({ code: '42501' })
  }
})

it("a copy restored row by row is intact, and the application can't claim to be restoring", async () => {
  await write(3)
  const { rows } = await owner.query('select * from audit_log order by seq')
  await tamper('delete from audit_log')
  await owner.query("set duet.restoring = 'on'")
  for (const row of rows) {
    await owner.query('insert into audit_log select * from jsonb_populate_record(null::audit_log, $1)', [
      JSON.stringify({
        ...row,
        prev_hash: `\\x${row.prev_hash.toString('hex')}`,
        hash: `\\x${row.hash.toString('hex')}`,
      }),
    ])
  }
  await owner.query('reset duet.restoring')
  expect(await verifyChain(app.platform)).toMatchObject({ entries: 3, firstBroken: null })
  await transaction(app.platform, async (tx) => {
    await sql`set local duet.restoring = 'on'`.execute(tx.db)
    await recordInAudit(tx, { actorId: null, action: 'tested', target: {}, reason: 'sealed all the same' })
  })
  expect(await verifyChain(app.platform)).toMatchObject({ entries: 4, firstBroken: null })
})

it('the nightly check logs an error if the log was changed', async () => {
  await write(2)
  const told: unknown[] = []
  const log = { ...app.platform.log, error: (details: unknown) => told.push(details), info: () => undefined }
  await watchChain({ ...app.platform, log: log as never })
  await tamper("update audit_log set reason = 'another' where seq = 2")
  await watchChain({ ...app.platform, log: log as never })
  expect(told).toEqual([{ firstBroken: 2 }])
})

it('the command reports a changed entry by its exit code and names it', { tags: 'long' }, async () => {
  await write(3)
  const { host = '', user = '', database } = ownerOf(app.platform)
  const url = `postgres:///${database}?${new URLSearchParams({ host, user })}`
  const run = async (...args: string[]) => {
    const command = ['--import', 'tsx', new URL('../../cli/audit.ts', import.meta.url).pathname, 'verify', ...args]
    const env = { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'silent' }
    return promisify(execFile)(process.execPath, command, { env }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
    )
  }
  const whole = await run()
  expect(whole).toMatchObject({ code: 0, said: expect.stringContaining('whole: 3 entries') })
  const [noted = ''] = /3:[0-9a-f]{64}/.exec(whole.said) ?? []
  await tamper('delete from audit_log where seq = 3')
  expect((await run()).code).toBe(0)
  expect(await run(noted)).toMatchObject({ code: 1, said: expect.stringContaining('entry 3') })
  await tamper("update audit_log set reason = 'another' where seq = 2")
  expect(await run()).toMatchObject({ code: 1, said: expect.stringContaining('entry 2') })
  expect((await run('nonsense')).code).toBe(2)
})
