// One of two processes that send likes at the same moment. Its parent passes it pairs, and it answers once its likes
// are stored.
import { tmpdir } from 'node:os'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { decide } from './likes.ts'

const config = readConfig({
  DATA_DIR: process.env.RACE_DATA_DIR ?? tmpdir(),
  DEMO: 'off',
  LOG_LEVEL: 'error',
  RATE_LIMIT_SCALE: '10000',
  SECRET_KEY: 'a key for tests, long enough to be one',
})
const owner = JSON.parse(process.env.RACE_DATABASE ?? '{}')
const app = await createApp({ config, owner, webFolder: tmpdir() })
const hooks = { onOpened: () => undefined, onDecided: () => undefined }

async function like(from: string, to: string) {
  const answer = await decide(app.platform, from, to, { decision: 'like' }, hooks).catch((error: Error) => error)
  return answer instanceof Error ? { error: answer.message } : { matched: answer.match !== null }
}

process.on('message', async (pairs: [string, string][]) => {
  process.send?.(await Promise.all(pairs.map(([from, to]) => like(from, to))))
})
process.on('disconnect', () => void app.close().then(() => process.exit(0)))
process.send?.('ready')
