import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { symbols } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { after, days } from '../../platform/clock.ts'
import { removeLeftFiles } from '../../platform/file-removal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addPhoto, addVoice, attachmentForm, jpeg } from '../../test/attachments.ts'
import { type Person, person } from '../../test/people.ts'
import { databaseOf } from '../../test/restoring.ts'
import { connect } from '../../test/sockets.ts'
import { standstillMs } from '../../test/standstill.ts'
import { outgoing } from '../../test/talk.ts'
import { keysOf } from '../photos/photo-files.ts'
import { waiting } from '../verification/acts.test-verification.ts'
import { sweepFiles } from './file-sweep.ts'

let app: TestApp
const logged: string[] = []
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'info' })
  const log = app.platform.log as unknown as Record<symbol, { write(line: string): void }>
  const stream = log[symbols.streamSym]
  if (stream) stream.write = (line) => void logged.push(line)
})
afterAll(() => app.close())

async function keys(): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of app.platform.storage.list()) found.push(key)
  return found.sort()
}

async function namedKeys(): Promise<string[]> {
  const { rows } = await app.platform.pool.query<{ key: string }>(`
    select format('photos/%s/%s', w, file_name) as key from photos, unnest('{320,640,1080}'::int[]) as w
    union all select format('attachments/%s/%s', w, file_name) from attachments, unnest('{320,640,1080}'::int[]) as w
      where kind = 'photo'
    union all select 'attachments/voice/' || file_name from attachments where kind = 'voice'
    union all select 'verification/' || file_name from verifications where state = 'waiting'
    union all select 'exports/' || file_name from data_exports where file_name is not null
    union all select 'evidence/' || found[1] from reports,
      regexp_matches(evidence::text, '[0-9a-f]{64}\\.(?:webp|webm|ogg|m4a)', 'g') as found`)
  return [...new Set(rows.map(({ key }) => key))].sort()
}

const inDays = (count: number, storage: Storage = app.platform.storage) =>
  sweepFiles({ ...app.platform, storage, clock: { now: () => after(app.clock.now(), days(count)) } })

async function withPhoto(): Promise<{ ana: Person; fileName: string }> {
  const ana = await person(app)
  const form = attachmentForm(await jpeg())
  const { body } = await ana.call('PATCH /api/user/:userId/image', { params: { userId: ana.id }, form })
  return { ana, fileName: body.images[0] ?? '' }
}

async function withEverything(): Promise<void> {
  const [{ ana, fileName }, ben] = [await withPhoto(), await person(app)]
  const line = await connect(app, ana)
  for (const { id: attachmentId } of [await addPhoto(ana, ben), await addVoice(ana, ben)])
    await line.ask('send_message', outgoing(ana, ben, '', { attachmentId }))
  await waiting(app)
  await ana.call('POST /api/export', { body: { language: 'en' } })
  await vi.waitUntil(async () => (await ana.call('GET /api/export')).body.state === 'ready', standstillMs)
  const subject = { kind: 'photo', fileName }
  const report = { userId: ana.id, subject, reason: 'scam', details: '', block: false }
  expect((await ben.send('POST', '/api/reports', report)).status).toBe(201)
  line.socket.disconnect()
}

async function killed(environment: Record<string, string>): Promise<void> {
  const child = fork(fileURLToPath(new URL('./files.test-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      FILES_DATABASE: JSON.stringify(databaseOf(app)),
      FILES_DATA_DIR: app.platform.config.dataDir,
      ...environment,
    },
  })
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('the sweep of files', () => {
  it('the sweep removes files without a row after a day, and no file with one', { tags: 'long' }, async () => {
    await withEverything()
    const named = await namedKeys()
    const kinds = [...new Set(named.map((key) => key.split('/')[0]))]
    expect(kinds.sort()).toEqual(['attachments', 'evidence', 'exports', 'photos', 'verification'])
    expect(await keys()).toEqual(named)
    const { storage } = app.platform
    const orphans = [
      ...keysOf(`${randomBytes(16).toString('base64url')}.webp`),
      ...keysOf(`${randomBytes(16).toString('base64url')}.webp`, 'attachments'),
      `attachments/voice/${randomBytes(16).toString('base64url')}.ogg`,
      `verification/${randomBytes(16).toString('base64url')}.sealed`,
      `exports/${randomBytes(32).toString('base64url')}.zip`,
      `evidence/${randomBytes(32).toString('hex')}.webp`,
    ]
    for (const key of orphans) await storage.put(key, Buffer.from('x'), 'image/webp')
    await storage.put('of-another/program.txt', Buffer.from('x'), 'text/plain')
    await inDays(0)
    expect(await keys()).toEqual(expect.arrayContaining([...named, ...orphans]))
    await inDays(2)
    expect(await keys()).toEqual([...named, 'of-another/program.txt'].sort())
    await storage.remove('of-another/program.txt')
  })

  it('the sweep removes unfinished files', async () => {
    const folder = join(app.platform.config.dataDir, 'media')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '.cut-off.part'), 'x')
    await utimes(join(folder, '.cut-off.part'), 1, 1)
    await inDays(0)
    expect(await readdir(folder)).not.toContain('.cut-off.part')
  })

  it('the sweep removes the evidence of many reports at once, however few photos there are', async () => {
    await withPhoto()
    const evidence = Array.from({ length: 40 }, () => `evidence/${randomBytes(32).toString('hex')}.webp`)
    async function* list() {
      for (const key of evidence) yield { key, writtenAt: new Date(0) }
      yield* app.platform.storage.list()
    }
    const removed: string[] = []
    await inDays(2, { ...app.platform.storage, list, remove: async (key: string) => void removed.push(key) })
    expect(removed.sort()).toEqual(evidence.sort())
  })

  it("the sweep removes nothing from another database's store, and logs an error", { tags: 'long' }, async () => {
    await withPhoto()
    async function* list() {
      for (let n = 0; n < 40; n++)
        yield { key: `photos/320/${randomBytes(16).toString('base64url')}.webp`, writtenAt: new Date(0) }
      yield* app.platform.storage.list()
    }
    const removed: string[] = []
    const remove = async (key: string) => void removed.push(key)
    logged.length = 0
    await inDays(2, { ...app.platform.storage, list, remove })
    expect(removed).toEqual([])
    expect(logged.some((line) => line.includes('too many files have no row'))).toBe(true)
  })
})

describe('a photo', () => {
  it("a photo with a size that can't be stored leaves no file and no row", async () => {
    const ana = await person(app)
    const before = await keys()
    const { storage } = app.platform
    const { put } = storage
    let puts = 0
    storage.put = (...file) => (++puts === 2 ? Promise.reject(new Error('no space left')) : put(...file))
    const form = attachmentForm(await jpeg(910))
    const { status } = await ana.call('PATCH /api/user/:userId/image', { params: { userId: ana.id }, form })
    storage.put = put
    expect(status).toBe(500)
    expect(await keys()).toEqual(before)
    expect(await namedKeys()).toEqual(before)
  })

  it('a photo deleted during a store outage is gone for everyone, and its files are removed after the outage', async () => {
    const { ana, fileName } = await withPhoto()
    const { storage } = app.platform
    const { remove } = storage
    storage.remove = () => Promise.reject(new Error('away'))
    const { status, body } = await ana.call('PATCH /api/user/deleteImage', { body: { imageFileName: fileName } })
    await removeLeftFiles(app.platform)
    storage.remove = remove
    expect([status, body.images]).toEqual([200, []])
    expect(await keys()).toEqual(expect.arrayContaining(keysOf(fileName)))
    await removeLeftFiles(app.platform)
    expect(await keys()).toEqual(await namedKeys())
    expect((await app.platform.pool.query('select from files_to_remove')).rowCount).toBe(0)
  })

  it("a process killed between a photo's files and its row leaves files, which are soon removed", {
    tags: 'long',
  }, async () => {
    const ana = await person(app)
    const before = await keys()
    await killed({ FILES_OWNER: ana.id, FILES_PHOTO: (await jpeg(920)).toString('base64') })
    expect(await keys()).toHaveLength(before.length + 3)
    expect(await namedKeys()).toEqual(before)
    await inDays(2)
    expect(await keys()).toEqual(before)
  })

  it("a process killed between deleting a photo's row and its files leaves files, which are removed within minutes", {
    tags: 'long',
  }, async () => {
    const { ana, fileName } = await withPhoto()
    await killed({ FILES_OWNER: ana.id, FILES_DELETE: fileName })
    expect(await namedKeys()).not.toEqual(expect.arrayContaining(keysOf(fileName)))
    expect(await keys()).toEqual(expect.arrayContaining([...(await namedKeys()), ...keysOf(fileName)]))
    await removeLeftFiles(app.platform)
    expect(await keys()).toEqual(await namedKeys())
  })
})
