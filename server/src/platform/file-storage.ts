import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Storage } from './storage.ts'

const safeKey = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*(\.[A-Za-z0-9]+)?$/

// Two levels of folders by the first letters of the name, so that no folder grows too large.
function pathOf(folder: string, key: string): string {
  if (!safeKey.test(key)) throw new Error('a storage key has characters that are not allowed')
  const name = basename(key)
  return join(folder, dirname(key), name.slice(0, 2), name.slice(2, 4), name)
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const unfinished = join(dirname(path), `.${randomBytes(8).toString('hex')}.part`)
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(unfinished, bytes, { mode: 0o640 })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Keeps files under `folder`. A file is there whole or not at all. */
export function fileStorage(folder: string): Storage {
  return {
    put: async (key, bytes) => writeWhole(pathOf(folder, key), bytes),
    get: async (key) => {
      try {
        return await readFile(pathOf(folder, key))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    remove: async (key) => rm(pathOf(folder, key), { force: true }),
    verify: async () => {
      const probe = join(folder, `.probe-${randomBytes(4).toString('hex')}`)
      await writeWhole(probe, Buffer.alloc(1))
      await rm(probe, { force: true })
    },
  }
}
