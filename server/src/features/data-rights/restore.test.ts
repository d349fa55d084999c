import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { after, days, systemClock } from '../../platform/clock.ts'
import { backUp } from '../../platform/database/backup.ts'
import { connectOwner, migrate } from '../../platform/database/database.ts'
import { openBackup, restoreBackup } from '../../platform/database/restore.ts'
import { fileStorage } from '../../platform/storage/file-storage.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { type Address, databaseOf, newDatabases, runCommand } from '../../test/restoring.ts'
import { moveTo, undoTokenFor } from '../accounts/access.test-accounts.ts'
import { eraseDue } from './erasure.ts'
import { ledgerFile } from './ledger.ts'
import { replayLedger } from './replay.ts'
import { endRetention } from './retention.ts'

const password = 'A long password 7'
const databases = newDatabases()
let folder: string
let app: TestApp
let restored: TestApp
let startedAt: Date
let told: string | null
let undoToken: string
let codes: string[]
let adminCodes: string[]
const people: Record<string, Person> = {}
const who = (name: string) => people[name] as Person

const ask = async (one: Person) => (await one.call('POST /api/erasure', { body: {} })).body.eraseAt
const keep = (one: Person) => one.call('DELETE /api/erasure')
const change = (statement: string, one: Person) => {
  const { db, pool } = connectOwner(databaseOf(app), () => undefined)
  return pool.query(statement, [one.id]).finally(() => db.destroy())
}
const signInAgain = async (one: Person) => {
  const body = { email: one.email, password }
  return caller(restored.url, (await caller(restored.url).call('POST /api/user/authenticate', { body })).body.token)
}
const eraseAtOf = async (one: Person) => (await (await signInAgain(one)).call('GET /api/erasure')).body.eraseAt
const isSeen = async (one: Person) =>
  (await (await signInAgain(who('viewer'))).call('GET /api/user/:id', { params: { id: one.id } })).status === 200

const undo = (on: TestApp) => caller(on.url).call('POST /api/user/addressChange/undo', { body: { token: undoToken } })
const recover = async (on: TestApp, recoveryCode = '') => {
  const body = { email: who('spends').email, recoveryCode }
  return (await caller(on.url).call('POST /api/user/authenticate', { body })).status
}
const verify = async (admin: Pick<Person, 'call'>, code = '') =>
  (await admin.call('POST /api/admin/second-factor/verify', { body: { code } })).status

const names = [
  ...['viewer', 'asksSince', 'keepsSince', 'asksAgain', 'due', 'unused', 'erased', 'robbed', 'admin', 'stays'],
  ...['spends', 'moved'],
]

async function restoreInto(database: Address, dataDir: string, path: string): Promise<void> {
  const storage = fileStorage(join(dataDir, 'media'))
  const backup = await openBackup(path, { workFolder: join(dataDir, 'work') })
  await restoreBackup(database, storage, backup)
  await backup.close()
  await migrate(database)
  const { db } = connectOwner(database, () => undefined)
  const erasing = { ...app.platform, db, storage, clock: systemClock, config: { ...app.platform.config, dataDir } }
  const ledger = ledgerFile(app.platform.config.dataDir)
  expect(await replayLedger(erasing, [ledger], new Date(backup.manifest.madeAt))).toBe(1)
  await db.destroy()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-restore-'))
  app = await startTestApp()
  for (const name of names) people[name] = await person(app, { password })
  await app.platform.grantSuperAdmin(who('admin').email)
  for (const name of ['keepsSince', 'asksAgain', 'due']) await ask(who(name))
  await change(`update accounts set erase_at = now() - interval '1 hour' where id = $1`, who('due'))
  await change(`update profiles set last_active_at = now() - interval '25 months' where user_id = $1`, who('unused'))
  await change(`insert into inactivity_warnings values ($1, now() - interval '29 days')`, who('unused'))
  await change('delete from sessions where user_id = $1', who('unused'))

  await change(
    `with key as (insert into push_keys (public_key, private_key, created_at) values ('key', '', now()) returning public_key)
      insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, public_key, created_at)
      select user_id, id, 'https://push.example/1', '', '', public_key, now() from sessions, key where user_id = $1`,
    who('stays'),
  )

  codes = (await who('spends').call('POST /api/user/recoveryCodes')).body.recoveryCodes
  const { body: factor } = await who('admin').call('POST /api/admin/second-factor')
  const code = new TOTP({ secret: Secret.fromBase32(factor.secret) }).generate({ timestamp: app.clock.now().getTime() })
  const confirmed = await who('admin').call('POST /api/admin/second-factor/confirm', { body: { code } })
  adminCodes = confirmed.body.recoveryCodes
  await moveTo(app, who('moved'), 'moved.since@example.com')
  undoToken = await undoTokenFor(app, who('moved').email)
  await change(`update address_undos set expires_at = now() + interval '1 hour' where user_id = $1`, who('moved'))

  const path = join(folder, 'duet.backup')
  await backUp(path, {
    owner: databaseOf(app),
    storage: app.platform.storage,
    log: app.platform.log,
    now: app.clock.now(),
  })

  expect([await recover(app, codes[0]), await verify(who('admin'), adminCodes[0])]).toEqual([200, 200])
  expect((await undo(app)).status).toBe(200)
  told = await ask(who('asksSince'))
  await keep(who('keepsSince'))
  await keep(who('asksAgain'))
  app.clock.advance(60_000)
  await ask(who('asksAgain'))
  await who('robbed').call('POST /api/user/signOutEverywhere')
  const owner = connectOwner(databaseOf(app), () => undefined)
  await endRetention({ ...app.platform, db: owner.db })
  await ask(who('erased'))
  await change(`update accounts set erase_at = now() - interval '1 hour' where id = $1`, who('erased'))
  await change('update accounts set erase_at = null where id = $1', who('due'))
  await change('update accounts set erase_at = null where id = $1', who('unused'))
  await eraseDue({ ...app.platform, db: owner.db })
  await owner.db.destroy()

  startedAt = new Date()
  const [dataDir, database] = [join(folder, 'elsewhere'), await databases.make()]
  await restoreInto(database, dataDir, path)
  restored = await startTestApp({ DATA_DIR: dataDir }, { database: { config: database } })
})
afterAll(async () => {
  await restored?.close()
  await app.close()
  await databases.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('after a restore', () => {
  it('a person who asked for erasure after the backup is hidden, and will be erased on the day they were told', async () => {
    expect(await eraseAtOf(who('asksSince'))).toBe(told)
    expect(await isSeen(who('asksSince'))).toBe(false)
  })

  it('a person who cancelled their erasure after the backup stays, and is seen', { tags: 'long' }, async () => {
    expect(await eraseAtOf(who('keepsSince'))).toBeNull()
    expect(await isSeen(who('keepsSince'))).toBe(true)
    expect(await isSeen(who('stays'))).toBe(true)
  })

  it("a person's last decision counts", async () => {
    expect(await eraseAtOf(who('asksAgain'))).not.toBeNull()
    expect(await isSeen(who('asksAgain'))).toBe(false)
  })

  it('nobody is erased within a day after the restore, and everyone can cancel until then', async () => {
    const owner = connectOwner(databaseOf(restored), () => undefined)
    await eraseDue({ ...restored.platform, db: owner.db })
    await owner.db.destroy()
    for (const name of ['due', 'unused']) {
      const eraseAt = new Date((await eraseAtOf(who(name))) ?? 0)
      expect(eraseAt.getTime()).toBeGreaterThanOrEqual(after(startedAt, days(1)).getTime())
      const back = await signInAgain(who(name))
      expect((await back.call('DELETE /api/erasure')).body).toEqual({ eraseAt: null })
    }
  })

  it('a person who was erased after the backup is gone', async () => {
    const body = { email: who('erased').email, password }
    expect((await caller(restored.url).call('POST /api/user/authenticate', { body })).status).toBe(401)
  })

  it('a recovery code used after the backup is refused, and the others still sign in', async () => {
    expect([await recover(restored, codes[0]), await recover(restored, codes[1])]).toEqual([401, 200])
    const admin = await signInAgain(who('admin'))
    expect([await verify(admin, adminCodes[0]), await verify(admin, adminCodes[1])]).toEqual([401, 200])
  })

  it('an address change undone after the backup can be undone again for at least a day', async () => {
    const { rows } = await restored.platform.pool.query(
      `select a.email, u.expires_at from accounts a join address_undos u on u.user_id = a.id where a.id = $1`,
      [who('moved').id],
    )
    expect(rows).toEqual([{ email: 'moved.since@example.com', expires_at: expect.any(Date) }])
    expect(rows[0].expires_at.getTime()).toBeGreaterThanOrEqual(after(startedAt, days(1)).getTime())
    expect((await undo(restored)).status).toBe(200)
    await signInAgain(who('moved'))
  })

  it('no browser gets push messages before someone signs in on it again', async () => {
    const { rows } = await restored.platform.pool.query('select from push_subscriptions')
    expect(rows).toEqual([])
  })

  it("tokens from before the restore don't work, whether their session had ended or not", async () => {
    for (const name of ['robbed', 'stays']) {
      expect((await caller(restored.url, who(name).token).call('GET /api/user/myDetails')).status).toBe(401)
    }
  })

  it('the restore command prints who is an administrator', { tags: 'long' }, async () => {
    const [dataDir, database] = [join(folder, 'by-command'), await databases.make()]
    const ledger = ledgerFile(app.platform.config.dataDir)
    const ended = await runCommand('restore', [join(folder, 'duet.backup'), '--ledger', ledger], dataDir, database)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain(who('admin').email)
    expect(ended.stdout).not.toContain(who('stays').email)
    expect(ended.stdout).toContain('1 erased again')
  })
})

describe('point-in-time recovery', () => {
  const at = () => startedAt.toISOString()

  it('a command signs everyone out of a point-in-time recovery, and erases people again who were erased since', {
    tags: 'long',
  }, async () => {
    const gone = await person(restored)
    const ledger = join(folder, 'since.jsonl')
    await writeFile(ledger, `${JSON.stringify({ userId: gone.id, erasedAt: new Date().toISOString() })}\n`)
    const dataDir = join(folder, 'put-back')
    const run = () => runCommand('restore', ['--point', at(), '--ledger', ledger], dataDir, databaseOf(restored))
    expect(await run()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('1 erased again.') })
    expect((await caller(restored.url, gone.token).call('GET /api/user/myDetails')).status).toBe(401)
    expect(await isSeen(gone)).toBe(false)
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining(': 0 erased again.') })
  })

  it('a recovered database of an older version is migrated first', { tags: 'long' }, async () => {
    const older = await databases.make()
    await migrate(older, '0002_impressions_by_month')
    const ended = await runCommand('restore', ['--point', at()], join(folder, 'older'), older)
    expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('0 erased again.') })
  })

  it("a point that isn't a moment, and a database without Duet, are refused and left alone", {
    tags: 'long',
  }, async () => {
    const [dataDir, empty] = [join(folder, 'refused'), await databases.make()]
    const tokens = await signInAgain(who('stays'))
    for (const moment of ['yesterday', '2030-01-31', '2030-01-31T18:00:00', '2199-01-31T18:00:00Z', ''])
      expect(await runCommand('restore', ['--point', moment], dataDir, databaseOf(restored))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('with its zone'),
      })
    expect(await runCommand('restore', ['--point', at()], dataDir, empty)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no Duet in this database'),
    })
    expect(await runCommand('restore', ['--point', at(), '--drill'], dataDir, empty)).toMatchObject({ code: 2 })
    expect((await tokens.call('GET /api/user/myDetails')).status).toBe(200)
  })
})
