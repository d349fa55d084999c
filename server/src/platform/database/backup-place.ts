import { createWriteStream } from 'node:fs'
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { oneAtATime } from '../one-at-a-time.ts'
import { syncFile, syncFolder } from '../storage/durable.ts'
import { s3Storage } from '../storage/s3-storage.ts'

/** Where backups go: a folder that is there, best of another disk or machine, or a bucket of an S3-compatible store. */
export interface BackupPlace {
  /** Keeps a file of this machine under a name; there whole or not at all. */
  put(name: string, path: string): Promise<void>
  /** The names of all backups there, in no order. */
  list(): Promise<string[]>
  /** Of the backup of this name, in bytes. Throws when there is none. */
  sizeOf(name: string): Promise<number>
  /** Writes the backup of this name into a file. Throws when there is none. */
  fetch(name: string, path: string): Promise<void>
  remove(name: string): Promise<void>
}

/** Removes what a process that was killed has left of a backup in a folder: files that `isLeft` names. */
export async function removeLeft(folder: string, isLeft: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) if (isLeft(name)) await rm(join(folder, name), { force: true })
}

const named = /^duet-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

/** `duet-2026-11-24T02-11-00Z.backup`: the names sort as their times do. */
export const backupName = (at: Date): string => `duet-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

/** When the backup of this name was made; undefined for other names. */
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

/** The place that `BACKUP_TO` names: `s3://…`, or a folder. */
export const openBackupPlace = (to: string): BackupPlace => (to.startsWith('s3:') ? bucketPlace(to) : folderPlace(to))

/** The newest backup there; undefined without one. */
export async function newestBackup(
  place: Pick<BackupPlace, 'list'>,
): Promise<{ name: string; madeAt: Date } | undefined> {
  const name = (await place.list()).sort().at(-1)
  return name === undefined ? undefined : { name, madeAt: madeAt(name) as Date }
}
