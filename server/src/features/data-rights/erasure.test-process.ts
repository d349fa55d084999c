// Erases due accounts, then hangs until it is killed: either while emailing before the commit, or after removing some
// files after the commit.
import { readConfig } from '../../config.ts'
import { connectOwner } from '../../platform/database/database.ts'
import { createLogger } from '../../platform/logger.ts'
import { openMailer } from '../../platform/mailer.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { eraseDue } from './erasure.ts'

const { ERASE_DATABASE = '{}', ERASE_DATA_DIR = '', ERASE_FILES = '', ERASE_NOW = '' } = process.env
const config = readConfig({ DATA_DIR: ERASE_DATA_DIR, LOG_LEVEL: 'silent' })
const { db } = connectOwner(JSON.parse(ERASE_DATABASE), () => undefined)
const storage = openStorage(config, createLogger('silent'))
let left = Number(ERASE_FILES)
const clock = { now: () => new Date(ERASE_NOW) }
const hang = () => {
  process.send?.('hanging')
  return new Promise<void>(() => setInterval(() => undefined, 1_000))
}
const remove = (key: string) => (left-- > 0 ? storage.remove(key) : hang())
const mailer = openMailer(config)
await eraseDue({
  config,
  db,
  clock,
  log: createLogger('silent'),
  mailer: ERASE_FILES === '' ? { ...mailer, forget: hang } : mailer,
  storage: { ...storage, remove },
})
