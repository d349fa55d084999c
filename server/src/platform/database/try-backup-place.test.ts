import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tryBackupPlace, watchBackupPlace } from './try-backup-place.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-place-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a place that can be written is made, and has nothing in it afterwards', async () => {
  const place = join(folder, 'backups')
  await tryBackupPlace(place)
  expect(await readdir(place, { recursive: true })).toEqual([])
  await rename(place, join(folder, 'kept'))
  expect(existsSync(place)).toBe(false)
})

test('one that cannot be written is told of once, in a line that says why', async () => {
  const inTheWay = join(folder, 'file')
  await writeFile(inTheWay, '')
  const told: string[] = []
  const isWritable = watchBackupPlace(join(inTheWay, 'backups'), {
    error: (_: object, line: string) => told.push(line),
  } as never)
  expect([await isWritable(), await isWritable()]).toEqual([false, false])
  expect(told).toEqual([expect.stringMatching(/^BACKUP_TO cannot be written, so no backup is made: ENOTDIR/)])
})
