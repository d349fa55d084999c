import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { after, days, hours } from '../../platform/clock.ts'
import { unlessLocked } from '../../platform/database/advisory-lock.ts'
import { backUp } from '../../platform/database/backup.ts'
import { backupName, madeAt, newestBackup, openBackupPlace } from '../../platform/database/backup-place.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { findDrill, noteDrill, unended } from '../../platform/database/restore-drills.ts'
import { outdated } from '../../platform/database/scheduled-backup.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto } from '../../test/attachments.ts'
import { person } from '../../test/people.ts'
import { databaseOf, rowsIn, runCommand } from '../../test/restoring.ts'
import { drillWeekly } from './drill.ts'

const passphrase = 'three words and more'
let folder: string
let s3: S3rver
const places: Record<string, string> = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-nightly-'))
  s3 = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3') },
    configureBuckets: [{ name: 'backups', configs: [] }],
  })
  const { port } = (await s3.run()) as AddressInfo
  places['a folder'] = join(folder, 'elsewhere')
  for (const name of ['elsewhere', 'one', 'drilled']) await mkdir(join(folder, name))
  places['an S3 store'] =
    `s3://backups?endpoint=http://127.0.0.1:${port}&region=eu-1&accessKeyId=S3RVER&secretAccessKey=S3RVER`
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the backups of 100 nights', () => {
  const start = new Date('2026-03-01T02:11:00Z')
  const nights = Array.from({ length: 100 }, (_, night) => after(start, days(night)))
  /** The backups that exist each morning, if each night adds one and removes outdated ones. */
  const mornings = () => {
    let there: string[] = []
    return nights.map((night) => {
      there = [...there, backupName(night)]
      const gone = new Set(outdated(there, night))
      there = there.filter((name) => !gone.has(name))
      return { night, ages: there.map((name) => (night.getTime() - (madeAt(name) as Date).getTime()) / days(1)) }
    })
  }

  it('backups of the last seven days and one of each of five weeks are kept, and none for longer than 35 days', () => {
    for (const { night, ages } of mornings()) {
      const past = Math.round((night.getTime() - start.getTime()) / days(1))
      for (let age = 0; age <= Math.min(6, past); age++) expect(ages).toContain(age)
      expect(Math.max(...ages)).toBeLessThan(35)
      expect(ages.length).toBeLessThanOrEqual(7 + 5)
      // Never more than two weeks apart: a week's backup is kept until there is one from the next week.
      const sorted = [...ages, 0].sort((a, b) => a - b)
      for (let n = 1; n < sorted.length; n++) expect((sorted[n] as number) - (sorted[n - 1] as number)).toBeLessThan(14)
    }
  })

  it('the newest backup stays, however old: without new backups, none is removed', () => {
    const newest = backupName(after(start, days(3)))
    const names = [backupName(start), newest]
    expect(outdated(names, after(start, days(400)))).toEqual([backupName(start)])
  })

  it('of two backups on one day, the newer stays', () => {
    const [morning, evening] = [backupName(start), backupName(after(start, hours(12)))]
    expect(outdated([evening, morning], after(start, hours(13)))).toEqual([morning])
  })
})

describe.each(['a folder', 'an S3 store'])('nightly backups in %s', (kind) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ BACKUP_TO: places[kind] as string, BACKUP_PASSPHRASE: passphrase })
    await noteDrill(app.platform.pool, { backup: 'an earlier one', triedAt: app.clock.now(), fault: null })
  })
  afterAll(() => app.close())

  it('the nightly job makes a complete, sealed backup, reports it, and removes outdated ones', async () => {
    const me = await person(app, { name: 'Anastasia Maria' })
    await addPhoto(me, await person(app))
    const place = openBackupPlace(places[kind] as string)
    const old = join(folder, 'old')
    await writeFile(old, 'of years ago')
    await place.put(backupName(new Date('2020-01-01T00:00:00Z')), old)
    const work = join(app.platform.config.dataDir, 'work')
    await mkdir(work, { recursive: true })
    await writeFile(join(work, `${backupName(new Date(0))}.a1b2.part`), 'half')
    await app.platform.jobs.add('back-up', {})
    await expect.poll(async () => (await newestBackup(place))?.madeAt.getFullYear()).toBeGreaterThan(2020)
    await expect.poll(async () => (await place.list()).length).toBe(1)
    const { name } = (await newestBackup(place)) as { name: string }
    const copy = join(folder, `copy-of-${name}`)
    await place.fetch(name, copy)
    const bytes = await readFile(copy)
    expect(bytes.length).toBeGreaterThan(10_000)
    expect(bytes.includes('Anastasia Maria')).toBe(false)
    expect(bytes.subarray(0, 2).toString()).not.toBe('PK')
    await expect.poll(() => readdir(work)).toEqual([])
    const at = await app.measured.backedUpAt?.()
    expect(at?.getTime()).toBe(madeAt(name)?.getTime())
  })

  it('a drill restores the nightly backup and changes nothing', { tags: 'long' }, async () => {
    vi.stubEnv('BACKUP_TO', places[kind] as string)
    vi.stubEnv('BACKUP_PASSPHRASE', passphrase)
    const rowsOf = async () =>
      (await app.platform.pool.query('select count(*)::int as rows from accounts')).rows[0].rows
    const before = await rowsOf()
    const { config } = app.platform
    await app.platform.jobs.add('back-up', {})
    const place = openBackupPlace(places[kind] as string)
    await expect.poll(() => newestBackup(place)).toBeDefined()
    const { code, stdout, stderr } = await runCommand('restore', ['--drill'], config.dataDir, databaseOf(app))
    // The S3 client writes a warning on old versions of Node.js.
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^The drill went well, in \d+ s: duet-\S+\.backup can be restored\.\nRestored from /)
    expect(await rowsOf()).toBe(before)
    const doctor = async () => (await runCommand('doctor', [], config.dataDir, databaseOf(app))).stdout
    expect(await doctor()).toMatch(/^ok {6}restore drill: duet-\S+\.backup could be restored, 0 days ago$/m)
    const under = { backup: 'this one', triedAt: new Date(), fault: unended }
    await noteDrill(app.platform.pool, under)
    expect(await doctor()).toMatch(/^wait {4}restore drill: this one is being restored$/m)
    await noteDrill(app.platform.pool, { ...under, triedAt: after(under.triedAt, -hours(3)) })
    expect(await doctor()).toMatch(/^failed {2}restore drill: this one could not be restored: it did not end$/m)
    await noteDrill(app.platform.pool, { backup: 'this one', triedAt: app.clock.now(), fault: 'it is broken' })
    expect(await doctor()).toMatch(/^failed {2}restore drill: this one could not be restored: it is broken$/m)
    vi.stubEnv('BACKUP_PASSPHRASE', 'another one, as long')
    const wrong = await runCommand('restore', ['--drill'], config.dataDir, databaseOf(app))
    expect(wrong.code).toBe(1)
    expect(await doctor()).toMatch(
      /^failed {2}restore drill: duet-\S+\.backup could not be restored: This is no whole/m,
    )
    vi.unstubAllEnvs()
  })
})

it('a second backup job makes no backup, and leaves the unfinished file of the first alone', async () => {
  const app = await startTestApp({ BACKUP_TO: join(folder, 'one'), BACKUP_PASSPHRASE: passphrase })
  const work = join(app.platform.config.dataDir, 'work')
  await mkdir(work, { recursive: true })
  const unfinished = `${backupName(new Date(0))}.a1b2.part`
  await writeFile(join(work, unfinished), 'half')
  const owner = connectOwner(databaseOf(app), () => undefined)
  const left = async () =>
    (await owner.pool.query(`select from graphile_worker.jobs where task_identifier = 'back-up'`)).rowCount
  await unlessLocked(owner.pool, 'back-up', async () => {
    await app.platform.jobs.add('back-up', {})
    await expect.poll(left).toBe(0)
  })
  expect([await readdir(work), await openBackupPlace(join(folder, 'one')).list()]).toEqual([[unfinished], []])
  await owner.db.destroy()
  await app.close()
})

describe('the restore drill', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ BACKUP_TO: join(folder, 'drilled'), BACKUP_PASSPHRASE: passphrase })
  })
  afterAll(() => app.close())
  const nightly = () => ({
    ...app.platform,
    log: { ...app.platform.log, error: () => undefined },
    locks: app.platform.pool,
  })

  it('a drill restores the nightly backup once a week, changes no row and no file, and sends no email', {
    tags: 'long',
  }, async () => {
    const me = await person(app)
    await addPhoto(me, await person(app))
    const listed = async () => {
      const keys: string[] = []
      for await (const { key } of app.platform.storage.list()) keys.push(key)
      return keys.sort()
    }
    const look = async () => {
      const rows = await rowsIn(databaseOf(app))
      for (const moving of ['restore_drills', 'rate_limits', 'candidate_changes', 'standings']) rows.delete(moving)
      const counts = [...rows].map(([table, { length }]) => `${table} ${length}`)
      return { counts, files: await listed(), mails: app.mails.length }
    }
    const before = await look()
    await app.platform.jobs.add('back-up', {})
    const place = openBackupPlace(join(folder, 'drilled'))
    await expect.poll(async () => (await findDrill(app.platform.pool))?.fault).toBeNull()
    const first = await findDrill(app.platform.pool)
    expect(first?.backup).toBe((await newestBackup(place))?.name)
    expect(await look()).toEqual(before)
    expect(await readdir(join(app.platform.config.dataDir, 'work'))).toEqual([])

    app.clock.advance(days(6))
    await drillWeekly(nightly(), place, 'of a later night')
    expect(await findDrill(app.platform.pool)).toEqual(first)
    app.clock.advance(days(1))
    await drillWeekly(nightly(), place, first?.backup ?? '')
    const second = await findDrill(app.platform.pool)
    expect(second?.triedAt.getTime()).toBeGreaterThan(first?.triedAt.getTime() ?? 0)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'a manual drill interrupted by %s leaves nothing of the backup',
    {
      tags: 'long',
    },
    async (signal) => {
      const { dataDir } = app.platform.config
      const [work, file] = [join(dataDir, 'work'), join(folder, `${signal}.backup`)]
      const { platform } = app
      await backUp(file, {
        owner: databaseOf(app),
        storage: platform.storage,
        log: platform.log,
        now: new Date(),
        passphrase,
      })
      const args = ['--import', 'tsx', 'server/src/cli/restore.ts', '--drill', file]
      const env = { ...process.env, DATA_DIR: dataDir, BACKUP_PASSPHRASE: passphrase }
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      await expect
        .poll(() => readdir(work, { recursive: true }))
        .toContainEqual(expect.stringMatching(/\/postgres\/base$/))
      child.kill(signal)
      expect(await ended).toEqual([signal === 'SIGINT' ? 130 : 143, null])
      expect(await readdir(work)).toEqual([])
    },
  )

  it("a drill doesn't start when a second database would fill the live database's disk", async () => {
    const { pool } = app.platform
    const query = (text: string, values?: unknown[]) =>
      text.includes('pg_database_size') ? { rows: [{ bytes: 1e18 }] } : pool.query(text, values)
    const place = openBackupPlace(join(folder, 'drilled'))
    const fetch = vi.fn(place.fetch)
    const whole = { fetch, sizeOf: async () => 8 }
    app.clock.advance(days(8))
    await drillWeekly({ ...nightly(), locks: { query } as never }, whole, 'of a large Duet')
    const refusal =
      /^DATA_DIR has \d+\.\d GB free, and it takes 1000000000\.\d GB beside \d\.\d GB that have to stay free$/
    expect((await findDrill(pool))?.fault).toMatch(refusal)
    expect(fetch).not.toHaveBeenCalled()
  })

  it('a failed drill is recorded with its reason, and repeated the next night', async () => {
    const broken = { sizeOf: async () => 9, fetch: (_name: string, path: string) => writeFile(path, 'no backup') }
    app.clock.advance(days(8))
    for (const night of ['one night', 'the next night']) {
      await drillWeekly(nightly(), broken, night)
      expect(await findDrill(app.platform.pool)).toMatchObject({
        backup: night,
        fault: expect.stringMatching(/^This is no whole backup: /),
      })
      expect(await app.measured.drilled?.()).toMatchObject({ backup: night })
      app.clock.advance(days(1))
    }
  })
})

it('nightly backups need a passphrase', async () => {
  await expect(startTestApp({ BACKUP_TO: places['a folder'] as string })).rejects.toThrow(
    'BACKUP_PASSPHRASE: needs 12 characters',
  )
  await expect(startTestApp({ BACKUP_TO: 'backups', BACKUP_PASSPHRASE: passphrase })).rejects.toThrow(
    'BACKUP_TO: must be',
  )
})
