import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBackupPlace } from './backup-place.ts'
import { tryBackupPlace, watchBackupPlace } from './try-backup-place.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-place-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('Testing a backup place leaves nothing in it', async () => {
  const place = join(folder, 'backups')
  await mkdir(place)
  await tryBackupPlace(place)
  expect(await readdir(place)).toEqual([])
})

test('A missing backup folder is not created, because its disk may not be mounted', async () => {
  const place = join(folder, 'unmounted')
  await expect(tryBackupPlace(place)).rejects.toThrow('ENOENT')
  const file = join(folder, 'a-backup')
  await writeFile(file, '')
  await expect(openBackupPlace(place).put('a-backup', file)).rejects.toThrow('ENOENT')
  expect(existsSync(place)).toBe(false)
})

test('A backup place that cannot be written is logged once, with the reason', async () => {
  const inTheWay = join(folder, 'file')
  await writeFile(inTheWay, '')
  const told: string[] = []
  const isWritable = watchBackupPlace(join(inTheWay, 'backups'), {
    error: (_: object, line: string) => told.push(line),
  } as never)
  expect([await isWritable(), await isWritable()]).toEqual([false, false])
  expect(told).toEqual([expect.stringMatching(/^BACKUP_TO cannot be written, so no backup is made: ENOTDIR/)])
})
