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

/** Waits until what is in a file is on disk. */
export const syncFile = sync

/** Waits until the names in a folder are on disk. Windows cannot be asked to, and writes them in its own time. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await sync(folder)
}

/** Makes a folder and those above it; their names are on disk when this is done. */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const wanted = resolve(folder)
  const highest = await mkdir(wanted, { recursive: true, ...(mode !== undefined && { mode }) })
  if (highest === undefined) return
  for (let made = wanted; made.length >= highest.length; made = dirname(made)) await syncFolder(dirname(made))
}
