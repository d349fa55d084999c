import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { stopLeftover } from '../platform/database/postgres-cluster.ts'
import { claimDataDir } from '../platform/process/data-dir.ts'

// Uses a data directory like a process in another container would; prints the result as one line of JSON.
const [dataDir = '', action = ''] = process.argv.slice(2)
const log = { debug() {}, info() {}, warn() {}, error() {} }

const actions: Record<string, () => Promise<unknown>> = {
  async start() {
    const { stop } = await startEmbeddedPostgres({ dataDir, log })
    await stop()
  },
  async hold() {
    const { stop } = await startEmbeddedPostgres({ dataDir, log })
    process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
  },
  /** Locks the data directory without running a database, as at the start of creating one. */
  async claim() {
    await claimDataDir(dataDir)
    setInterval(() => {}, 60_000)
  },
  /**
   * Locks and releases the data directory repeatedly; counts how often another process held the lock at the same time.
   */
  async compete() {
    const held = join(dataDir, 'held')
    const counts = { won: 0, shared: 0 }
    while (counts.won < 40) {
      const claim = await claimDataDir(dataDir, { patience: 0 }).catch(() => undefined)
      if (!claim) continue
      counts.won += 1
      try {
        closeSync(openSync(held, 'wx'))
      } catch {
        counts.shared += 1
      }
      await sleep(Math.random() * 4)
      rmSync(held, { force: true })
      claim.release()
      await sleep(Math.random() * 4)
    }
    return counts
  },
  stopLeftover: () => stopLeftover(join(dataDir, 'postgres')),
  async join() {
    const { connection, stop } = await joinEmbeddedPostgres({ dataDir, log })
    const client = new pg.Client(connection)
    await client.connect()
    const { rows } = await client.query('select word from kept')
    await client.end()
    await stop()
    return rows
  },
}

const result = await (actions[action] ?? (() => Promise.reject(new Error(`no action ${action}`))))().then(
  (done) => ({ done: done ?? null }),
  (error: Error) => ({ error: error.message, name: error.name }),
)
process.stdout.write(`${JSON.stringify(result)}\n`)
