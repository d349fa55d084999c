import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

async function sync(path: string): Promise<void> {
  const opened = await open(path)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

export const syncFile = sync

/** Makes new file names durable. Windows has no call for this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await sync(folder)
}

export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const wanted = resolve(folder)
  const highest = await mkdir(wanted, { recursive: true, ...(mode !== undefined && { mode }) })
  if (highest === undefined) return
  for (let made = wanted; made.length >= highest.length; made = dirname(made)) await syncFolder(dirname(made))
}
