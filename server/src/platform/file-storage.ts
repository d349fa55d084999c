import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { Storage } from './storage.ts'

const safeKey = /^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*(\.[A-Za-z0-9]+)?$/

// Two levels of folders by the first letters of the name, so that no folder grows too large.
function pathOf(folder: string, key: string): string {
  if (!safeKey.test(key)) throw new Error('a storage key has characters that are not allowed')
  const name = basename(key)
  return join(folder, dirname(key), name.slice(0, 2), name.slice(2, 4), name)
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const writeBytes = (bytes: Buffer) => (path: string) => writeFile(path, bytes, { mode: 0o640 })

async function writeWhole(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = join(dirname(path), `.${randomBytes(8).toString('hex')}.part`)
  await mkdir(dirname(path), { recursive: true })
  try {
    await write(unfinished)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function openWhole(path: string) {
  const file = await open(path)
  const { size } = await file.stat()
  return { stream: file.createReadStream(), size }
}

async function* keysIn(folder: string): AsyncIterable<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    // Without the two folders that the name itself gives.
    const [...parts] = relative(folder, join(entry.parentPath, entry.name)).split('/')
    yield [...parts.slice(0, -3), entry.name].join('/')
  }
}

/** Keeps files under `folder`. A file is there whole or not at all. */
export function fileStorage(folder: string): Storage {
  return {
    put: async (key, bytes) => writeWhole(pathOf(folder, key), writeBytes(bytes)),
    putFile: async (key, path) => writeWhole(pathOf(folder, key), (unfinished) => copyFile(path, unfinished)),
    open: async (key) => {
      try {
        return await openWhole(pathOf(folder, key))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    keys: () => keysIn(folder),
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
      await writeWhole(probe, writeBytes(Buffer.alloc(1)))
      await rm(probe, { force: true })
    },
  }
}
