import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database-source.ts'
import { createLogger } from './platform/logger.ts'
import { serveMetrics } from './platform/metrics.ts'
import { reasonsOf } from './start-faults.ts'

// V8 keeps the heap of a program that seems to rest within 8 MB of what is alive, and a server that is asked a few hundred
// things a second seems to rest: the whole heap was collected every 10 s, and those were the slowest messages.
setFlagsFromString('--no-memory-reducer')

// Everybody comes back at once after a restart: whoever finds the queue full tries again only after 1, 3, 7 … seconds.
const backlog = 4_096

const webFolder = join(dirname(fileURLToPath(import.meta.url)), '../../web/dist')

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel)
  for (const line of config.warnings) log.warn(line)
  const database = await openDatabase(config, log)
  const app = await createApp({ config, owner: database.owner, webFolder })
  const metrics = config.metricsPort === undefined ? undefined : await serveMetrics(config.metricsPort, app.measured)
  closeWithGrace({ delay: 20_000, logger: log as never }, async ({ err }) => {
    if (err) log.error({ err }, 'a fault that nobody caught')
    metrics?.close()
    await app.close()
    await database.stop()
  })
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
