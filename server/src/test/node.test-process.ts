// Runs one of several nodes in a process that tests can kill. Reports its address, and stops on SIGTERM.
import { tmpdir } from 'node:os'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'

const { NODE_DATABASE = '{}', NODE_TIMES = '{}', NODE_NOTICE = '0', ...environment } = process.env
const config = readConfig({
  ...{ DATA_DIR: environment.NODE_DATA_DIR ?? tmpdir(), DEMO: 'off', LOG_LEVEL: 'error', RATE_LIMIT_SCALE: '10000' },
  ...{ SECRET_KEY: 'a key for tests, long enough to be one', REDIS_URL: environment.REDIS_URL },
})
const app = await createApp({
  ...{ config, owner: JSON.parse(NODE_DATABASE), webFolder: tmpdir() },
  ...{ nodeTimes: JSON.parse(NODE_TIMES), noticeMs: Number(NODE_NOTICE) },
})
await app.http.listen({ port: 0, host: '127.0.0.1' })
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
process.once('disconnect', () => process.exit(1))
const { port } = app.http.server.address() as { port: number }
process.send?.(`http://127.0.0.1:${port}`)
