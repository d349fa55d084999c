import { join } from 'node:path'
import type { Config } from '../config.ts'
import { fileStorage } from './file-storage.ts'
import { s3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/** The store that the configuration names: a folder in the data directory when it names none. */
export function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Storage {
  return storageUrl ? s3Storage(storageUrl) : fileStorage(join(dataDir, 'media'))
}
