import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readlink,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileStorage, keyOfPath } from './file-storage.ts'
import { s3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

let folder: string
let s3: S3rver
const stores: Record<'a folder' | 'an S3 store', Storage | undefined> = {
  'a folder': undefined,
  'an S3 store': undefined,
}
const credentials = 'accessKeyId=S3RVER&secretAccessKey=S3RVER'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-storage-'))
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'photos', configs: [] }],
  })
  const { port } = (await s3.run()) as AddressInfo
  stores['an S3 store'] = s3Storage(`s3://photos?endpoint=http://127.0.0.1:${port}&region=eu-west-1&${credentials}`)
  stores['a folder'] = fileStorage(join(folder, 'media'))
})

afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['a folder', 'an S3 store'] as const)('%s', (kind) => {
  const store = () => stores[kind] as Storage
  const key = 'photos/640/Ab-_cdefghijklmnopqrst.webp'

  test('A store returns what was stored, and the newer version after an overwrite', async () => {
    await store().put(key, Buffer.from([1, 2, 255]), 'image/webp')
    expect(await store().get(key)).toEqual(Buffer.from([1, 2, 255]))
    await store().put(key, Buffer.from('newer'), 'image/webp')
    expect(await store().get(key)).toEqual(Buffer.from('newer'))
  })

  test('A store accepts a file that needs several parts', { tags: 'long' }, async () => {
    const path = join(folder, 'large')
    const bytes = Buffer.alloc(70 * 1024 * 1024, 'Marzipan under the bridge. ')
    await writeFile(path, bytes)
    await store().putFile('exports/large.zip', path, 'application/zip')
    const opened = await store().open('exports/large.zip')
    if (!opened) throw new Error('the file is not there')
    expect([opened.size, (await buffer(opened.stream)).equals(bytes)]).toEqual([bytes.length, true])
    await store().remove('exports/large.zip')
  })

  test('A local file is stored and streamed back with its size', async () => {
    const path = join(folder, `large-${kind.length}`)
    const bytes = Buffer.alloc(300_000, 'abc')
    await writeFile(path, bytes)
    await store().putFile('exports/large-one.zip', path, 'application/zip')
    const opened = await store().open('exports/large-one.zip')
    const pieces: Buffer[] = []
    for await (const piece of opened?.stream ?? []) pieces.push(piece as Buffer)
    expect([opened?.size, Buffer.concat(pieces).equals(bytes)]).toEqual([bytes.length, true])
    expect(await store().open('exports/no-such.zip')).toBeUndefined()
    await store().remove('exports/large-one.zip')
  })

  test('A store lists every file with its modification time', async () => {
    const wanted = ['evidence/ab.webp', 'photos/320/Abcdefgh.webp', 'attachments/voice/Abcdefgh.ogg']
    for (const name of wanted) await store().put(name, Buffer.from('x'), 'image/webp')
    const found: string[] = []
    const before = Date.now() - 60_000
    for await (const { key: name, writtenAt } of store().list()) {
      found.push(name)
      expect(writtenAt.getTime()).toBeGreaterThan(before)
    }
    expect(found).toEqual(expect.arrayContaining(wanted))
    for (const name of wanted) await store().remove(name)
  })

  test('Reading a missing file returns undefined', async () => {
    expect(await store().get('photos/640/nothing.webp')).toBeUndefined()
  })

  test('A file can be removed, even twice', async () => {
    await store().put(key, Buffer.from('x'), 'image/webp')
    await store().remove(key)
    expect(await store().get(key)).toBeUndefined()
    await store().remove(key)
  })

  test('Verifying a writable store leaves nothing behind', async () => {
    await store().verify()
  })
})

test('Every error of an unreachable S3 store names the store', async () => {
  const away = s3Storage(`s3://photos?endpoint=http://127.0.0.1:1&${credentials}`)
  const listing = async () => {
    for await (const { key } of away.list()) throw new Error(`found ${key}`)
  }
  for (const ask of [() => away.get('a'), () => away.put('a', Buffer.from('x'), ''), () => away.verify(), listing])
    await expect(ask()).rejects.toThrow(/^the store s3:\/\/photos cannot be used \(.*ECONNREFUSED/)
})

test('Storing in a folder resolves only once the file and its name are on disk', async () => {
  const synced: string[] = []
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync } = prototype
  prototype.sync = async function (this: FileHandle) {
    synced.push(await readlink(`/proc/self/fd/${this.fd}`).catch(() => ''))
    return sync.call(this)
  }
  const media = join(folder, 'durable')
  const store = fileStorage(media)
  try {
    await store.put('photos/320/abcdef.webp', Buffer.from('x'), 'image/webp')
    const [above, made] = [join(media, 'photos/320/ab'), join(media, 'photos/320/ab/cd')]
    expect(synced.slice(-2)).toEqual([expect.stringMatching(/\/cd\/\.[0-9a-f]+\.part$/), made])
    expect(synced).toEqual(expect.arrayContaining([folder, media, join(media, 'photos'), above]))
    synced.length = 0
    await store.putFile('photos/320/abcdeg.webp', join(made, 'abcdef.webp'), 'image/webp')
    expect(synced).toEqual([expect.stringMatching(/\.part$/), made])
  } finally {
    prototype.sync = sync
  }
})

test('An empty file counts as missing and is reported', async () => {
  const told: string[] = []
  const store = fileStorage(join(folder, 'emptied'), (key) => told.push(key))
  const key = 'photos/320/abcdef.webp'
  await store.put(key, Buffer.from('x'), 'image/webp')
  await truncate(join(folder, 'emptied/photos/320/ab/cd/abcdef.webp'), 0)
  expect([await store.get(key), await store.open(key)]).toEqual([undefined, undefined])
  expect(told).toEqual([key, key])
})

test('Only old unfinished files are cleaned up in a folder', async () => {
  const media = join(folder, 'cut-off')
  const store = fileStorage(media)
  const inFolder = join(media, 'photos/320/ab/cd')
  await store.put('photos/320/abcdef.webp', Buffer.from('x'), 'image/webp')
  for (const name of ['.old.part', '.new.part']) await writeFile(join(inFolder, name), 'x')
  await utimes(join(inFolder, '.old.part'), 1, 1)
  await utimes(join(inFolder, 'abcdef.webp'), 1, 1)
  await store.removeUnfinished(new Date(Date.now() - 60_000))
  expect((await readdir(inFolder)).sort()).toEqual(['.new.part', 'abcdef.webp'])
})

test.each([
  ['photos/1080/ab/cd/abcdef.webp', '/'],
  [String.raw`photos\1080\ab\cd\abcdef.webp`, '\\'],
])('The file %s has the key it was stored under', (path, separator) => {
  expect(keyOfPath(path, separator)).toBe('photos/1080/abcdef.webp')
})

test('A folder rejects keys that would escape it', async () => {
  const store = fileStorage(join(folder, 'media'))
  for (const key of ['../secret', 'photos/../../secret', '/etc/passwd', 'a\0b', 'a//b', '..', '']) {
    await expect(store.get(key)).rejects.toThrow('not allowed')
    await expect(store.put(key, Buffer.from('x'), 'text/plain')).rejects.toThrow('not allowed')
  }
})

test('Stored files are unreadable for other users, and no unfinished file remains', async () => {
  const store = fileStorage(join(folder, 'modes'))
  await store.put('photos/320/abcdef.webp', Buffer.from('x'), 'image/webp')
  const { mode } = await stat(join(folder, 'modes/photos/320/ab/cd/abcdef.webp'))
  expect(mode & 0o007).toBe(0)
  expect(await readdir(join(folder, 'modes/photos/320/ab/cd'))).toEqual(['abcdef.webp'])
})

test('Verifying an unwritable store fails', async () => {
  await expect(fileStorage('/dev/null/media').verify()).rejects.toThrow()
  await expect(s3Storage(`s3://photos?endpoint=http://127.0.0.1:9&${credentials}`).verify()).rejects.toThrow()
})
