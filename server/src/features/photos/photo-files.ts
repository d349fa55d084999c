import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Platform } from '../../platform/platform.ts'
import { type Developed, type Width, widths } from './developed.ts'

type Storing = Pick<Platform, 'storage'>

/** Whose pictures: those of profiles and those of messages are kept apart. */
export type Album = 'photos' | 'attachments'

const fileNamePattern = /^[A-Za-z0-9_-]{22}\.webp$/
/** Where one variant is in the store. */
export const keyOf = (album: Album, width: Width, fileName: string) => `${album}/${width}/${fileName}`

/** `w` of an address: a narrower variant. */
export const WidthQuery = z
  .enum(['320', '640'])
  .optional()
  .catch(undefined)
  .transform((width): Width => (width ? (Number(width) as 320 | 640) : 1080))

/** Whether `keepFiles` could have given a name. */
export function isPhotoFile(fileName: string): boolean {
  return fileNamePattern.test(fileName)
}

/** Keeps the files of a photo under a new random name: all of them or none. A row makes them visible. */
export async function keepFiles(
  { storage }: Storing,
  { variants }: Pick<Developed, 'variants'>,
  album: Album = 'photos',
): Promise<string> {
  const fileName = `${randomBytes(16).toString('base64url')}.webp`
  const put = variants.map(({ width, bytes }) => storage.put(keyOf(album, width, fileName), bytes, 'image/webp'))
  // All have ended before anything is removed: none comes later.
  const failed = (await Promise.allSettled(put)).find((one) => one.status === 'rejected')
  if (!failed) return fileName
  await removeFiles({ storage }, fileName, album).catch(() => undefined)
  throw failed.reason
}

/** The bytes of one variant; undefined when they are gone. */
export function readFiles({ storage }: Storing, fileName: string, width: Width, album: Album = 'photos') {
  return storage.get(keyOf(album, width, fileName))
}

/** Where every variant is in the store. */
export const keysOf = (fileName: string, album: Album = 'photos') =>
  widths.map((width) => keyOf(album, width, fileName))

/** Removes every variant; gone already is fine. */
export async function removeFiles({ storage }: Storing, fileName: string, album: Album = 'photos'): Promise<void> {
  await Promise.all(keysOf(fileName, album).map((key) => storage.remove(key)))
}
