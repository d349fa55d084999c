import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { firstQuick } from '../../../../tools/tier.ts'
import { backUp } from '../../platform/database/backup.ts'
import { connectOwner, migrate, type Pools } from '../../platform/database/database.ts'
import { openBackup, restoreBackup } from '../../platform/database/restore.ts'
import { fileStorage } from '../../platform/storage/file-storage.ts'
import { transaction } from '../../platform/transaction.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto, addVoice, jpeg } from '../../test/attachments.ts'
import { caller, type Person, person } from '../../test/people.ts'
import { type Address, rowsIn as allRows, databaseOf, newDatabases, runCommand } from '../../test/restoring.ts'
import { connect } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'
import { recordInAudit, verifyChain } from '../audit/audit.ts'
import { eraseAccount } from './erasure.ts'
import { ledgerFile } from './ledger.ts'
import { replayLedger } from './replay.ts'

let app: TestApp
let owner: Pools
let folder: string
const databases = newDatabases()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-backup-'))
  app = await startTestApp()
  owner = connectOwner(databaseOf(app), () => undefined)
})
afterAll(async () => {
  await owner.db.destroy()
  await app.close()
  await databases.drop()
  await rm(folder, { recursive: true, force: true })
})

const backup = (name: string, passphrase?: string, more: Partial<Parameters<typeof backUp>[1]> = {}) => {
  const { storage, log } = app.platform
  return backUp(join(folder, name), { owner: databaseOf(app), storage, log, now: new Date(), passphrase, ...more })
}
const open = (name: string, passphrase?: string) =>
  openBackup(join(folder, name), { passphrase, workFolder: join(folder, 'work') })

/** All rows, except in tables that keep changing without requests. */
async function rowsIn(config: Address): Promise<Map<string, string[]>> {
  const found = await allRows(config)
  for (const moving of ['candidate_changes', 'rate_limits']) found.delete(moving)
  return found
}

interface World {
  ana: Person
  ben: Person
  eve: Person
}

async function giveFace(one: Person): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await jpeg())]), 'a.jpg')
  await one.call('PATCH /api/user/:userId/image', { params: { userId: one.id }, form })
}

async function live(): Promise<World> {
  const at = { latitude: 38.72, longitude: -9.14 }
  const [ana, ben, eve] = [
    await person(app, { name: 'Ana\tTab', at, bio: 'Line\none \\ "two"', gender: 'woman' }),
    await person(app, { name: 'Ben', at, gender: 'man', password: 'A long password 7' }),
    await person(app, { name: 'Eve', at }),
  ]
  for (const one of [ana, ben, eve]) await giveFace(one)
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
    [eve, ben],
  ] as const)
    await one.call('PUT /api/decisions/:userId', { params: { userId: other.id }, body: { decision: 'like' } })
  const line = await connect(app, ana)
  await line.ask('send_message', outgoing(ana, ben, 'Before the backup'))
  await line.ask('send_message', outgoing(ana, ben, '', { attachmentId: (await addVoice(ana, ben)).id }))
  await line.ask('send_message', outgoing(ana, eve, '', { attachmentId: (await addPhoto(ana, eve)).id }))
  const report = { userId: eve.id, subject: { kind: 'profile' }, reason: 'spam', details: '', block: false }
  await ben.send('POST', '/api/reports', report)
  for (const action of ['first_act', 'second_act'])
    await transaction(app.platform, (tx) =>
      recordInAudit(tx, { actorId: null, action, target: { n: 1 }, reason: 'A test' }),
    )
  return { ana, ben, eve }
}

const without = (rows: readonly string[] = [], ...names: string[]) =>
  rows.filter((row) => !names.some((name) => row.includes(name)))

describe('restored backups', () => {
  it('a restored backup matches row for row, without people who were erased since; sign-in works and photos open', {
    tags: 'long',
  }, async () => {
    const { ana, ben, eve } = await live()
    const [line, before] = [await connect(app, ben), await rowsIn(databaseOf(app))]
    // People keep writing during the backup. Whatever part of this the backup includes must be complete.
    let going = true
    let sent = 0
    const writing = (async () => {
      while (going) await line.ask('send_message', outgoing(ben, ana, `While it is made ${sent++}`))
    })()
    const manifest = await backup('all.backup', 'a passphrase')
    going = false
    await writing
    const now = await rowsIn(databaseOf(app))
    expect(sent).toBeGreaterThan(0)
    await eraseAccount({ ...app.platform, db: owner.db }, eve.id)
    const ledger = join(folder, 'newer-ledger.jsonl')
    await writeFile(ledger, await readFile(ledgerFile(app.platform.config.dataDir)))

    const database = await databases.make()
    const dataDir = join(folder, 'elsewhere')
    const storage = fileStorage(join(dataDir, 'media'))
    const opened = await open('all.backup', 'a passphrase')
    await restoreBackup(database, storage, opened)
    await opened.close()
    const whole = await rowsIn(database)
    for (const [table, rows] of before) {
      const found = whole.get(table) ?? []
      if (table === 'sessions') {
        // Empty, because some sessions may have ended after the backup, so everyone has to sign in again.
        expect(found).toEqual([])
      } else if (['messages', 'conversations', 'notifications', 'profiles'].includes(table)) {
        // Existing rows are still there, unchanged or updated.
        expect(found.length, table).toBeGreaterThanOrEqual(rows.length)
      } else if (table === 'standings') {
        // A timer writes this table, so the backup may contain the state before or after.
        expect([rows, now.get(table)]).toContainEqual(found)
      } else expect(found, table).toEqual(rows)
    }
    expect(without(whole.get('messages'), 'While it is made').sort()).toEqual(before.get('messages')?.sort())
    const gaps = await countOf(
      database,
      `select from conversations c where last_seq <>
      (select coalesce(max(seq), 0) from messages m where m.conversation_id = c.id)`,
    )
    expect(gaps).toBe(0)
    expect(manifest.files.length).toBeGreaterThan(10)

    await migrate(database)
    const restored = connectOwner(database, () => undefined)
    const erasing = { ...app.platform, db: restored.db, storage, config: { ...app.platform.config, dataDir } }
    expect(await replayLedger(erasing, [ledger], new Date(manifest.madeAt))).toBe(1)
    await restored.db.destroy()
    const left = await rowsIn(database)
    const traces = [...left].filter(([table]) => !['deletion_ledger', 'reports'].includes(table))
    expect(traces.filter(([, rows]) => rows.some((row) => row.includes(eve.id))).map(([table]) => table)).toEqual([])
    expect(left.get('profiles')?.length).toBe((whole.get('profiles')?.length ?? 0) - 1)
    expect(without(left.get('messages')).length).toBe(without(whole.get('messages')).length - 1)

    const elsewhere = await startTestApp({ DATA_DIR: dataDir }, { database: { config: database } })
    const { body, status } = await caller(elsewhere.url).call('POST /api/user/authenticate', {
      body: { email: ben.email, password: 'A long password 7' },
    })
    expect([status, body.id]).toEqual([200, ben.id])
    const signedIn = caller(elsewhere.url, body.token)
    const { body: seen } = await signedIn.call('GET /api/user/:id', { params: { id: ana.id } })
    const photo = await fetch(elsewhere.url + (seen.photos[0]?.url ?? ''))
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await signedIn.call('GET /api/user/:id', { params: { id: eve.id } })).status).toBe(404)
    expect(await verifyChain(elsewhere.platform)).toMatchObject({ entries: 2, firstBroken: null })
    // New rows get unused numbers.
    const report = { userId: ana.id, subject: { kind: 'profile' }, reason: 'spam', details: '', block: false }
    expect((await signedIn.send('POST', '/api/reports', report)).status).toBe(201)
    expect(await readdir(join(folder, 'work')).catch(() => [])).toEqual([])
    await elsewhere.close()
  })
})

async function countOf(config: pg.ClientConfig, text: string): Promise<number> {
  const client = new pg.Client(config)
  await client.connect()
  const { rowCount } = await client.query(text)
  await client.end()
  return rowCount ?? 0
}

describe('making backups', () => {
  const there = 'photos/320/there.webp'
  beforeAll(() => app.platform.storage.put(there, Buffer.from('x'), 'image/webp'))
  afterAll(() => app.platform.storage.remove(there))

  it('a backup opens files only after it has released its database connection', { tags: 'long' }, async () => {
    const held: number[] = []
    const { storage } = app.platform
    const open = async (key: string) => {
      held.push(
        await countOf(
          databaseOf(app),
          `select from pg_stat_activity
            where datname = current_database() and state = 'idle in transaction' and query ilike 'copy%'`,
        ),
      )
      return storage.open(key)
    }
    const given = { list: storage.list, open }
    await backup('slow.backup', undefined, { storage: given })
    expect(held.length).toBeGreaterThan(0)
    expect(held.filter((count) => count > 0)).toEqual([])
  })

  it.each(['all', 'many'])(
    "a backup fails when %s of the listed files can't be read, and leaves no file behind",
    async (which) => {
      const { storage } = app.platform
      async function* list() {
        for (let n = 0; n < 100; n++) yield { key: `photos/320/missing${n}.webp`, writtenAt: new Date() }
        if (which === 'many') yield* storage.list()
      }
      const given = { list, open: storage.open }
      const failed = backup('none.backup', undefined, { storage: given })
      await expect(failed).rejects.toThrow(/^100 of \d+ files of the store cannot be read/)
      expect((await readdir(folder)).filter((name) => name.includes('none.backup'))).toEqual([])
    },
  )

  it('a backup includes only files from folders that Duet writes, without exports, backups or other files', async () => {
    const there = ['photos/320/a.webp', 'attachments/voice/a.ogg', 'verification/a.sealed', 'evidence/a.webp']
    const foreign = ['duet-2026-11-24T02-11-00Z.backup', 'photos.webp', 'photos/640/abcd.webp.bak', 'photos/x (1).webp']
    async function* list() {
      for (const key of [...there, ...foreign, 'exports/a.zip']) yield { key, writtenAt: new Date() }
    }
    const open = async () => ({ stream: Readable.from([Buffer.from('x')]), size: 1 })
    const warn = vi.fn()
    const { files } = await backup('own.backup', undefined, { storage: { list, open }, log: { warn } })
    expect(files.map(({ key }) => key)).toEqual(there)
    expect(warn.mock.calls).toEqual([[{ files: 4 }, expect.any(String)]])
  })

  it("a restore writes no file into the store that isn't Duet's", {
    tags: 'long',
  }, async () => {
    await backup('with-others.backup')
    const opened = await open('with-others.backup')
    const files = ['duet-2026.backup', 'photos/x (1).webp'].map((key) => ({ key, sha256: '' }))
    const puts: string[] = []
    const storage = { put: async (key: string) => void puts.push(key) }
    await restoreBackup(await databases.make(), storage, { ...opened, manifest: { ...opened.manifest, files } })
    await opened.close()
    expect(puts).toEqual([])
  })

  it('a backup continues without a file that is removed meanwhile', async () => {
    const { storage } = app.platform
    async function* list() {
      yield { key: 'photos/320/removed.webp', writtenAt: new Date() }
      yield* storage.list()
    }
    const given = { list, open: storage.open }
    const { files } = await backup('removed.backup', undefined, { storage: given })
    const opened = await open('removed.backup')
    expect(opened.manifest.files).toEqual(files)
    await opened.close()
  })

  it("a backup that can't be written fails with the reason", async () => {
    await expect(backup('no-such-folder/a.backup')).rejects.toThrow('ENOENT')
  })
})

describe('damaged backups', () => {
  beforeAll(async () => {
    await giveFace(await person(app, { name: 'Finn' }))
    await backup('plain.backup')
    await backup('sealed.backup', 'right')
  })
  const damage = async (name: string, change: (bytes: Buffer) => Buffer) => {
    const path = join(folder, `damaged-${name}`)
    await writeFile(path, change(await readFile(join(folder, name))))
    return `damaged-${name}`
  }
  const flip = (at: number) => (bytes: Buffer) => {
    const place = Math.floor(bytes.length * at)
    bytes[place] = (bytes[place] ?? 0) ^ 1
    return bytes
  }

  // A plain backup also contains bytes that don't affect a restore, such as duplicated zip header fields. So this
  // changes a byte in a small photo, too.
  const inPhoto = (bytes: Buffer) => {
    const place = bytes.indexOf('WEBPVP8')
    expect(place).toBeGreaterThan(0)
    bytes[place + 14] = (bytes[place + 14] ?? 0) ^ 1
    return bytes
  }
  const damages = [
    ['plain.backup', 'in a photo', inPhoto],
    ['sealed.backup', 'in its head', flip(0.0005)],
    ['sealed.backup', 'in the middle', flip(0.5)],
  ] as const
  for (const { tags, cases } of firstQuick(1, damages))
    it.each(cases)('%s changed %s is refused in one line', { tags }, async (name, _, change) => {
      const refusal = await open(await damage(name, change), 'right').then(
        async (opened) => {
          await opened.close()
          return undefined
        },
        (error: Error) => error.message,
      )
      expect(refusal).toMatch(/^This is no whole backup: .*Nothing was changed\.$/)
    })

  it('a plain backup changed anywhere is refused, or its content is unchanged', {
    tags: 'long',
  }, async () => {
    const whole = await open('plain.backup')
    await whole.close()
    let refused = 0
    for (let place = 0; place < 60; place++) {
      const name = await damage('plain.backup', flip((place + 0.5) / 60))
      const opened = await open(name).catch((error: Error) => error)
      if (opened instanceof Error) {
        expect(opened.message).toMatch(/^This is no whole backup: [^\n]*$/)
        refused++
      } else {
        expect(opened.manifest).toEqual(whole.manifest)
        await opened.close()
      }
    }
    expect(refused).toBeGreaterThan(30)
  })

  it.each(['plain.backup', 'sealed.backup'])('%s cut off anywhere is refused', { tags: 'long' }, async (name) => {
    const { length } = await readFile(join(folder, name))
    for (const left of [0, 5, 20, Math.floor(length / 2), length - 1]) {
      const cut = await damage(name, (bytes) => bytes)
      await truncate(join(folder, cut), left)
      await expect(open(cut, 'right'), `${left} of ${length}`).rejects.toThrow(/^This is no whole backup: [^\n]*$/)
    }
  })

  it('a sealed backup opens only with its passphrase', { tags: 'long' }, async () => {
    await expect(open('sealed.backup')).rejects.toThrow('BACKUP_PASSPHRASE')
    await expect(open('sealed.backup', 'wrong')).rejects.toThrow(
      'no whole backup: it was sealed with another BACKUP_PASSPHRASE, or changed since. Nothing was changed.',
    )
    const opened = await open('sealed.backup', 'right')
    expect(opened.manifest.format).toBe(1)
    await opened.close()
    expect(String(await readFile(join(folder, 'sealed.backup')))).not.toContain('tables/accounts')
  })

  it("a restore refuses a file that isn't a ledger before it does anything", {
    tags: 'long',
  }, async () => {
    const database = await databases.make()
    const dataDir = await mkdtemp(join(folder, 'elsewhere-'))
    const list = join(folder, 'no-ledger')
    await writeFile(list, 'nothing of the kind\n')
    const ended = await runCommand('restore', [join(folder, 'plain.backup'), '--ledger', list], dataDir, database)
    expect(ended).toMatchObject({ code: 1, stderr: `${list} is no ledger of erased accounts\n` })
    expect([...(await rowsIn(database)).keys()]).toEqual([])
    expect(await readdir(dataDir)).toEqual([])
  })

  it('a restore refuses a database with people in it, and changes nothing', { tags: 'long' }, async () => {
    const before = await rowsIn(databaseOf(app))
    const opened = await open('plain.backup')
    const puts: string[] = []
    const storage = { put: async (key: string) => void puts.push(key) }
    await expect(restoreBackup(databaseOf(app), storage, opened)).rejects.toThrow('not empty')
    const database = await databases.make()
    const newer = { ...opened, manifest: { ...opened.manifest, migrations: ['9999_from_the_future'] } }
    await expect(restoreBackup(database, storage, newer)).rejects.toThrow('newer Duet')
    const short = opened.manifest.tables.map((table) => ({ ...table, rows: table.rows + 1 }))
    const another = await databases.make()
    const wrong = { ...opened, manifest: { ...opened.manifest, tables: short, files: [] } }
    await expect(restoreBackup(another, storage, wrong)).rejects.toThrow('another number of rows')
    expect(
      [...(await rowsIn(another)).entries()].filter(([table, rows]) => table !== 'trait_values' && rows.length > 0),
    ).toEqual([])
    await opened.close()
    expect(puts).toEqual([])
    const now = await rowsIn(databaseOf(app))
    for (const rows of [before, now]) rows.delete('standings')
    expect(now).toEqual(before)
  })
})
