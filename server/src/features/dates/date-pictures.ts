import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../../platform/platform.ts'
import { readFiles } from '../photos/photo-files.ts'

const waitMs = 2_000

/**
 * Reads a small version of a photo. Undefined if the file store fails or hangs, so that the date's page works without
 * it.
 */
export async function readPicture(
  platform: Pick<Platform, 'storage' | 'log'>,
  fileName: string | null,
): Promise<Buffer | undefined> {
  if (fileName === null) return undefined
  try {
    return await Promise.race([readFiles(platform, fileName, 320), sleep(waitMs, undefined, { ref: false })])
  } catch (err) {
    platform.log.warn({ err }, 'the photo for the page of a date could not be read')
    return undefined
  }
}
