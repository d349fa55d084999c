import { createWriteStream } from 'node:fs'
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { oneAtATime } from '../one-at-a-time.ts'
import { syncFile, syncFolder } from '../storage/durable.ts'
import { s3Storage } from '../storage/s3-storage.ts'

/**
 * Where backups are stored: an existing folder, ideally on another disk or machine, or a bucket of an S3-compatible
 * store.
 */
export interface BackupPlace {
  put(name: string, path: string): Promise<void>
  list(): Promise<string[]>
  /** Size in bytes. Throws when there is no such backup. */
  sizeOf(name: string): Promise<number>
  fetch(name: string, path: string): Promise<void>
  remove(name: string): Promise<void>
}

export async function removeLeft(folder: string, isLeft: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) if (isLeft(name)) await rm(join(folder, name), { force: true })
}

const named = /^duet-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

/** `duet-2026-11-24T02-11-00Z.backup`: sorting names sorts them by time. */
export const backupName = (at: Date): string => `duet-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

export function madeAt(name: string): Date | undefined {
  const [, day, hour, minute, second] = named.exec(name) ?? []
  return day === undefined ? undefined : new Date(`${day}T${hour}:${minute}:${second}Z`)
}

function folderPlace(folder: string): BackupPlace {
  return {
    async put(name, path) {
      await removeLeft(folder, (left) => /^\.duet-.*\.part$/.test(left))
      const unfinished = join(folder, `.${name}.part`)
      try {
        await copyFile(path, unfinished)
        await syncFile(unfinished)
        await rename(unfinished, join(folder, name))
        await syncFolder(folder)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    list: oneAtATime(async () =>
      (
        await readdir(folder).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return []
          throw error
        })
      ).filter((name) => madeAt(name)),
    ),
    sizeOf: async (name) => (await stat(join(folder, name))).size,
    fetch: (name, path) => copyFile(join(folder, name), path),
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

function bucketPlace(url: string): BackupPlace {
  const storage = s3Storage(url)
  const open = async (name: string) => {
    const opened = await storage.open(name)
    if (!opened) throw new Error(`there is no backup ${name}`)
    return opened
  }
  return {
    put: (name, path) => storage.putFile(name, path, 'application/octet-stream'),
    async list() {
      const names: string[] = []
      for await (const { key } of storage.list()) if (madeAt(key)) names.push(key)
      return names
    },
    async sizeOf(name) {
      const { stream, size } = await open(name)
      stream.destroy()
      return size
    },
    async fetch(name, path) {
      await pipeline((await open(name)).stream, createWriteStream(path, { mode: 0o600 }))
    },
    remove: (name) => storage.remove(name),
  }
}

export const openBackupPlace = (to: string): BackupPlace => (to.startsWith('s3:') ? bucketPlace(to) : folderPlace(to))

export async function newestBackup(
  place: Pick<BackupPlace, 'list'>,
): Promise<{ name: string; madeAt: Date } | undefined> {
  const name = (await place.list()).sort().at(-1)
  return name === undefined ? undefined : { name, madeAt: madeAt(name) as Date }
}
