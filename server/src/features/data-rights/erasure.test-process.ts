// Erases what is due, and hangs after so many files: until it is killed.
import { readConfig } from '../../config.ts'
import { connectOwner } from '../../platform/database.ts'
import { createLogger } from '../../platform/logger.ts'
import { openMailer } from '../../platform/mailer.ts'
import { openStorage } from '../../platform/open-storage.ts'
import { eraseDue } from './data-rights.ts'

const { ERASE_DATABASE = '{}', ERASE_DATA_DIR = '', ERASE_FILES = '0', ERASE_NOW = '' } = process.env
const config = readConfig({ DATA_DIR: ERASE_DATA_DIR, LOG_LEVEL: 'silent' })
const { db } = connectOwner(JSON.parse(ERASE_DATABASE), () => undefined)
const storage = openStorage(config)
let left = Number(ERASE_FILES)
const clock = { now: () => new Date(ERASE_NOW) }
const remove = async (key: string) => {
  if (left-- > 0) return storage.remove(key)
  process.send?.('hanging')
  return new Promise<void>(() => setInterval(() => undefined, 1_000))
}
await eraseDue({
  config,
  db,
  clock,
  log: createLogger('silent'),
  mailer: openMailer(config),
  storage: { ...storage, remove },
})
