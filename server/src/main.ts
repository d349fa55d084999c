import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import { type App, createApp } from './app.ts'
import { type Config, readConfig, settingsIn } from './config.ts'
import { openDatabase } from './database-source.ts'
import { isUsed } from './platform/database/database.ts'
import { createLogger } from './platform/logger.ts'
import { serveMetrics } from './platform/metrics.ts'
import { noteRunning } from './platform/process/running-note.ts'
import { holdPort } from './platform/process/starting.ts'
import { build } from './platform/version.ts'
import { reasonsOf } from './start-faults.ts'

// V8 shrinks the heap of an idle program to within 8 MB of its live data, and considers a server with a few hundred
// requests a second idle. The full collection every 10 s caused the slowest messages.
setFlagsFromString('--no-memory-reducer')

// After a restart all clients reconnect together. If the accept queue is full, they retry only after 1, 3, 7 … seconds.
const backlog = 4_096

const newestWeb = join(dirname(fileURLToPath(import.meta.url)), '../../web/dist')
// Resolve the link now: a later build may change it while the server runs.
const webFolder = existsSync(newestWeb) ? realpathSync(newestWeb) : newestWeb

/** The limit for a whole shutdown. The embedded database may take longer; it then stops on its own. */
const stopMs = 20_000

/**
 * Until Duet is ready, a signal may end the process immediately: only the database runs, and it stops when its parent
 * exits.
 */
function endOnSignals(): () => void {
  const end = (signal: NodeJS.Signals) => process.exit(signal === 'SIGINT' ? 130 : 143)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
}

async function measure({ metricsPort: port, metricsHost: host }: Config, { measured }: App) {
  return port === undefined ? undefined : serveMetrics({ port, host }, measured)
}

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel)
  log.info({ version: build, node: process.version }, 'Duet starts')
  for (const line of config.warnings) log.warn(line)
  const hearNoMore = endOnSignals()
  const freePort = await holdPort(config.port, config.host)
  const freeMetricsPort = await holdPort(config.metricsPort, config.metricsHost)
  const database = await openDatabase(config, log)
  if (config.databaseUrl && !config.redisUrl && (await isUsed(database.owner)))
    log.warn(
      'REDIS_URL: is not set, and another Duet uses the same database: people on one see nothing from the other until they reload. This is fine while one replaces the other',
    )
  const forgetRunning = noteRunning(config.dataDir, settingsIn(process.env))
  const app = await createApp({ config, owner: database.owner, login: database.login, webFolder })
  await freeMetricsPort()
  const metrics = await measure(config, app)
  hearNoMore()
  closeWithGrace({ delay: stopMs, logger: log as never }, async ({ err }) => {
    if (err) log.error({ err }, 'an uncaught error')
    metrics?.close()
    forgetRunning()
    await app.close()
    await database.stop()
  })
  await freePort()
  await app.http.listen({ port: config.port, host: config.host, backlog })
  const { port } = app.http.server.address() as { port: number }
  for (const line of [`Duet is ready at ${config.publicUrl ?? `http://localhost:${port}`}`, ...(await app.greeting())])
    console.info(line)
}

let config: Config | undefined
try {
  config = readConfig(process.env)
  await start(config)
} catch (error) {
  for (const line of reasonsOf(error, config)) console.error(line)
  process.exit(1)
}
