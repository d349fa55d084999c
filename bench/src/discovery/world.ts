import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { seedPeople } from '../../../server/src/demo/population.ts'
import { seedDecisions } from '../../../server/src/demo/population-decisions.ts'
import { connectOwner, migrate } from '../../../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../../server/src/platform/database/embedded-postgres.ts'
import { stopLeftover } from '../../../server/src/platform/database/postgres-cluster.ts'
import { claimant } from '../../../server/src/platform/process/data-dir.ts'

export interface World {
  owner: pg.ClientConfig
  dataDir: string
  stop(): Promise<void>
}

export interface Population {
  people: number
  swipes: number
  /**
   * The folder in which to store the database and reuse it next time. Without it, the database is deleted at the end.
   */
  keepIn?: string | undefined
  settings?: Record<string, string>
}

const prefix = 'duet-discovery-'
const log = { debug() {}, info() {}, warn() {}, error: console.error }
/** Settings for a server with a million people. The whole database fits in memory, which the naive query needs too. */
export const roomy = { shared_buffers: '2GB', effective_cache_size: '8GB' }
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const naiveIndex = 'create index bench_box on locations (latitude, longitude)'

async function load(owner: pg.ClientConfig, { people, swipes }: Population): Promise<void> {
  await migrate(owner)
  const { db, pool } = connectOwner(owner, () => undefined)
  try {
    const since = performance.now()
    await seedPeople(
      db,
      people,
      1,
      (done) => done % 100_000 === 0 && console.log(`  ${done} people, ${seconds(since)}`),
    )
    const made = await seedDecisions(db, swipes, 1)
    await pool.query(naiveIndex)
    console.log(`  ${people} people and ${made} decisions in ${seconds(since)}`)
  } finally {
    await pool.end()
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const dataDir = join(tmpdir(), name)
    if (claimant(dataDir)) continue
    await stopLeftover(join(dataDir, 'postgres'))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Loads a population into its own database as fast as possible, then restarts it with the product's settings.
 * `onOpening` gets the function that stops the database if the run ends early.
 */
export async function openWorld(
  population: Population,
  onOpening: (world: Pick<World, 'stop'>) => void,
): Promise<World> {
  await removeLeftovers()
  const { people, swipes, keepIn } = population
  const dataDir = keepIn ? join(resolve(keepIn), `${people}-${swipes}`) : mkdtempSync(join(tmpdir(), prefix))
  mkdirSync(dataDir, { recursive: true })
  const loaded = join(dataDir, 'loaded')
  let running: Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined
  const stop = async () => {
    await running?.stop()
    if (!keepIn) rmSync(dataDir, { recursive: true, force: true })
  }
  onOpening({ stop })
  try {
    if (!existsSync(loaded)) {
      rmSync(join(dataDir, 'postgres'), { recursive: true, force: true })
      running = await startEmbeddedPostgres({ dataDir, log, durable: false })
      await load(running.connection, population)
      await running.stop()
      writeFileSync(loaded, '')
    }
    running = await startEmbeddedPostgres({ dataDir, log, settings: { ...roomy, ...population.settings } })
    await migrate(running.connection)
    return { owner: running.connection, dataDir, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
