import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'

// A process that only runs a database, for tests that kill it: prints where it is and waits.
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const { connection, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: quiet })
process.stdout.write(`${JSON.stringify(connection)}\n`)
process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
