import { randomBytes } from 'node:crypto'
import { copyFile, type FileHandle, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { makeFolder, syncFile, syncFolder } from './durable.ts'
import { isSafeKey, type Storage } from './storage.ts'

// Two levels of subfolders, so that no folder grows too large.
function pathOf(folder: string, key: string): string {
  if (!isSafeKey(key)) throw new Error('a storage key has characters that are not allowed')
  const name = basename(key)
  // biome-ignore lint/plugin/cut-text: storage keys are ASCII.
  return join(folder, dirname(key), name.slice(0, 2), name.slice(2, 4), name)
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const writeBytes = (bytes: Buffer) => (path: string) => writeFile(path, bytes, { mode: 0o640 })

async function writeWhole(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = join(dirname(path), `.${randomBytes(8).toString('hex')}.part`)
  await makeFolder(dirname(path))
  try {
    await write(unfinished)
    await syncFile(unfinished)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function openWhole(path: string, onEmpty: () => void): Promise<{ file: FileHandle; size: number } | undefined> {
  const file = await open(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!file) return undefined
  const { size } = await file.stat()
  if (size > 0) return { file, size }
  await file.close()
  onEmpty()
  return undefined
}

async function readWhole({ file }: { file: FileHandle }): Promise<Buffer> {
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

async function* filesUnder(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesUnder(path)
    else if (entry.isFile()) yield path
  }
}

const isUnfinished = (path: string) => basename(path).startsWith('.')

export function keyOfPath(path: string, separator: string = sep): string {
  const parts = path.split(separator)
  return [...parts.slice(0, -3), ...parts.slice(-1)].join('/')
}

async function* listIn(folder: string) {
  for await (const path of filesUnder(folder)) {
    if (isUnfinished(path)) continue
    const found = await stat(path).catch(() => undefined)
    if (found) yield { key: keyOfPath(relative(folder, path)), writtenAt: found.mtime }
  }
}

async function removeUnfinishedIn(folder: string, before: Date): Promise<void> {
  for await (const path of filesUnder(folder)) {
    if (!isUnfinished(path)) continue
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}

/**
 * Stores files under `folder`. A failed write leaves no file. `onEmpty` is called with the key of a file that is empty
 * because of a power cut.
 */
export function fileStorage(folder: string, onEmpty: (key: string) => void = () => undefined): Storage {
  const find = (key: string) => openWhole(pathOf(folder, key), () => onEmpty(key))
  return {
    put: async (key, bytes) => writeWhole(pathOf(folder, key), writeBytes(bytes)),
    putFile: async (key, path) => writeWhole(pathOf(folder, key), (unfinished) => copyFile(path, unfinished)),
    open: async (key) => {
      const found = await find(key)
      return found && { stream: found.file.createReadStream(), size: found.size }
    },
    addressOf: async (key) => relative(folder, pathOf(folder, key)),
    list: () => listIn(folder),
    get: async (key) => {
      const found = await find(key)
      return found && readWhole(found)
    },
    remove: async (key) => rm(pathOf(folder, key), { force: true }),
    removeUnfinished: (before) => removeUnfinishedIn(folder, before),
    verify: async () => {
      const probe = join(folder, `.probe-${randomBytes(4).toString('hex')}`)
      await writeWhole(probe, writeBytes(Buffer.alloc(1)))
      await rm(probe, { force: true })
    },
  }
}
