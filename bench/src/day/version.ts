import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../server/src/platform/database/embedded-postgres.ts'
import { checkOut } from '../../../tools/checkout.ts'
import { mainOf } from '../../../tools/server.ts'
import { type Server, startProduct } from '../chat/servers.ts'
import { databaseCpuMs } from '../cost/meter.ts'

export interface Person {
  id: string
  token: string
}

export interface Version {
  name: string
  server: Server
  people: Person[]
  dataDir: string
  cpuMs(): number
}

interface Population {
  people: number
  swipes: number
  tokens: number
}

const log = { debug() {}, info() {}, warn() {}, error: console.error }
/** Seeds with the version's own command, because the schema and the population differ between versions. */
function seed(checkout: string, dataDir: string, { people, swipes, tokens }: Population): Person[] {
  const out = join(dataDir, 'tokens.jsonl')
  if (!existsSync(out)) {
    mkdirSync(dataDir, { recursive: true })
    const sizes = ['--people', String(people), '--swipes', String(swipes), '--tokens', String(tokens), '--out', out]
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
    const command = [join(checkout, 'server/dist/cli/seed.js'), ...sizes]
    execFileSync(process.execPath, command, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return readFileSync(out, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Without this, autovacuum would run during the measurement. */
async function vacuum(dataDir: string): Promise<void> {
  const running = await startEmbeddedPostgres({ dataDir, log })
  const owner = new pg.Client(running.connection)
  await owner.connect()
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
  await owner.end()
  await running.stop()
}

/** Starts Duet as of `commit`, by default this checkout, with its data in `folder`. */
export async function startVersion(
  folder: string,
  commit: string | undefined,
  population: Population,
): Promise<Version> {
  mkdirSync(folder, { recursive: true })
  const name = commit ?? 'this'
  const checkout = checkOut(folder, commit)
  const dataDir = join(folder, 'duet')
  const people = seed(checkout, dataDir, population)
  await vacuum(dataDir)
  const server = await startProduct({ dataDir: folder }, { file: mainOf(checkout) })
  const database = join(dataDir, 'postgres')
  return { name, server, people, dataDir, cpuMs: () => server.cpuMs() + databaseCpuMs(database) }
}
