import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Logger } from '../logger.ts'
import { fileStorage } from './file-storage.ts'
import { s3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

export function openStorage(
  { storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>,
  log: Pick<Logger, 'warn'>,
): Storage {
  if (storageUrl) return s3Storage(storageUrl)
  return fileStorage(join(dataDir, 'media'), (key) =>
    log.warn(
      { key: key.split('/')[0] },
      'a file of the store is empty: it counts as missing, restore it from a backup',
    ),
  )
}
