import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Platform } from '../../platform/platform.ts'
import { type Developed, type Width, widths } from './developed.ts'

type Storing = Pick<Platform, 'storage'>

/** Photos of profiles and photos in messages are stored separately. */
export type Album = 'photos' | 'attachments'

const fileNamePattern = /^[A-Za-z0-9_-]{22}\.webp$/
export const keyOf = (album: Album, width: Width, fileName: string) => `${album}/${width}/${fileName}`

/** `w` in a photo's URL, which selects a narrower variant. */
export const WidthQuery = z
  .enum(['320', '640'])
  .optional()
  .catch(undefined)
  .transform((width): Width => (width ? (Number(width) as 320 | 640) : 1080))

export function isPhotoFile(fileName: string): boolean {
  return fileNamePattern.test(fileName)
}

/**
 * Stores a photo's files under a new random name, all or none. Nobody can see them until a database row refers to them.
 */
export async function keepFiles(
  { storage }: Storing,
  { variants }: Pick<Developed, 'variants'>,
  album: Album = 'photos',
): Promise<string> {
  const fileName = `${randomBytes(16).toString('base64url')}.webp`
  const put = variants.map(({ width, bytes }) => storage.put(keyOf(album, width, fileName), bytes, 'image/webp'))
  // Waits for all, so that no file is written after the removal.
  const failed = (await Promise.allSettled(put)).find((one) => one.status === 'rejected')
  if (!failed) return fileName
  await removeFiles({ storage }, fileName, album).catch(() => undefined)
  throw failed.reason
}

export function readFiles({ storage }: Storing, fileName: string, width: Width, album: Album = 'photos') {
  return storage.get(keyOf(album, width, fileName))
}

export const keysOf = (fileName: string, album: Album = 'photos') =>
  widths.map((width) => keyOf(album, width, fileName))

export async function removeFiles({ storage }: Storing, fileName: string, album: Album = 'photos'): Promise<void> {
  await Promise.all(keysOf(fileName, album).map((key) => storage.remove(key)))
}
