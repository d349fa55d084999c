import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { minutes } from '../clock.ts'
import { inOwnFolder } from './own-folder.ts'

let work: string
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'duet-work-'))
})
afterEach(() => void vi.useRealTimers())
afterAll(() => rm(work, { recursive: true, force: true }))

it('A folder in use is never mistaken for an abandoned one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await inOwnFolder(join(work, 'drill-'), async (folder) => {
    await utimes(folder, 1, 1)
    vi.advanceTimersByTime(minutes(10))
    await expect.poll(async () => (await stat(folder)).mtimeMs).toBeGreaterThan(Date.now() - minutes(5))
  })
})

it('A folder and its contents are removed, even after a failure', async () => {
  const failed = inOwnFolder(join(work, 'drill-'), async (folder) => {
    await writeFile(join(folder, 'plain'), 'text')
    expect(existsSync(join(folder, 'plain'))).toBe(true)
    throw new Error('it cannot be read')
  })
  await expect(failed).rejects.toThrow('it cannot be read')
  expect(await readdir(work)).toEqual([])
})
