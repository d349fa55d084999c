// Adds or deletes a photo, then hangs until it is killed: while writing a file (after some others) or removing one.
import { readConfig } from '../../config.ts'
import { systemClock } from '../../platform/clock.ts'
import { connect, connectOwner } from '../../platform/database/database.ts'
import { createLogger } from '../../platform/logger.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRateLimits } from '../../platform/security/rate-limit.ts'
import { createSecrets } from '../../platform/security/secrets.ts'
import { createDecoders } from '../../platform/storage/decoders.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { addPhotos, deletePhoto } from '../photos/photos.ts'

const { FILES_DATABASE = '{}', FILES_DATA_DIR = '', FILES_OWNER = '', FILES_PHOTO = '', FILES_DELETE } = process.env
const config = readConfig({ DATA_DIR: FILES_DATA_DIR, LOG_LEVEL: 'silent' })
const { db } = connect(JSON.parse(FILES_DATABASE), () => undefined)
const { pool } = connectOwner(JSON.parse(FILES_DATABASE), () => undefined)
const log = createLogger('silent')
const secrets = createSecrets('a key for tests, long enough to be one')
const storage = openStorage(config, log)
const hang = () => {
  process.send?.('hanging')
  return new Promise<never>(() => setInterval(() => undefined, 1_000))
}
let kept = 0
const put: typeof storage.put = async (...file) => {
  await storage.put(...file)
  if (++kept === 3) await hang()
}
const platform = {
  ...{ config, db, pool, log, secrets, clock: systemClock, decoders: createDecoders() },
  limits: createRateLimits(pool, 10_000, secrets),
  storage: { ...storage, put, remove: hang },
} as Partial<Platform> as Platform

async function* photo() {
  yield { read: async () => Buffer.from(FILES_PHOTO, 'base64') }
}
if (FILES_DELETE) await deletePhoto(platform, FILES_OWNER, FILES_DELETE)
else await addPhotos(platform, FILES_OWNER, FILES_OWNER, photo())
