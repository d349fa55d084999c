import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'

// Runs only a database, for tests that kill it: prints its connection settings and waits.
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const { connection, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: quiet })
process.stdout.write(`${JSON.stringify(connection)}\n`)
process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
