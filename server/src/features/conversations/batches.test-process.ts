// One of two processes that write to the same conversations. Its parent passes it messages and reads the answers.
import { tmpdir } from 'node:os'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { createSending, type Outgoing } from './sending.ts'

const config = readConfig({
  DATA_DIR: process.env.RACE_DATA_DIR ?? tmpdir(),
  DEMO: 'off',
  LOG_LEVEL: 'error',
  RATE_LIMIT_SCALE: '10000',
  SECRET_KEY: 'a key for tests, long enough to be one',
})
const owner = JSON.parse(process.env.RACE_DATABASE ?? '{}')
const app = await createApp({ config, owner, webFolder: tmpdir() })
const sending = createSending(app.platform, () => undefined)

async function send({ senderId, ...outgoing }: Outgoing & { senderId: string }) {
  const answer = await sending.sendMessage(senderId, outgoing).catch((error: Error) => error)
  return answer instanceof Error ? { error: answer.message } : { seq: answer.seq, revision: answer.revision }
}

process.on('message', async (all: (Outgoing & { senderId: string })[]) => {
  process.send?.(await Promise.all(all.map(send)))
})
process.on('disconnect', () => void app.close().then(() => process.exit(0)))
process.send?.('ready')
