import { readConfig } from '../config.ts'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { createLogger } from '../platform/logger.ts'
import { reasonsOfCommand } from '../start-faults.ts'

// Runs only the embedded PostgreSQL, for several nodes on one machine. Prints its DATABASE_URL and stops on a signal.
try {
  const { dataDir, logLevel } = readConfig(process.env)
  const settings = { max_connections: '300' }
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: createLogger(logLevel), settings })
  const { host, user, database } = connection
  console.log(`postgres:///${database}?${new URLSearchParams({ host, user })}`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(0)))
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
