import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import type { NetConnectOpts } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { freePort } from '../../tools/ports.ts'
import { serverFile } from '../../tools/server.ts'
import { type Line, startProxy } from './proxy.ts'

export interface Node {
  port: number
  dataDir: string
  /** Its environment variables, which commands run beside the node also need. */
  environment: Record<string, string | undefined>
  database: Line
  redis: Line
  isUp(): boolean
  /** Does nothing if the node is running. Resolves once it is ready. */
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
  /** Freezes the node, or lets it continue, as when a machine is suspended and resumed. */
  freeze(): void
  thaw(): void
  memoryMb(): number
  /** Its log output. Empty unless something went wrong. */
  output(): string
}

/** The database's address, for the owner role and for the nodes. */
export interface DatabaseAddress {
  owner: pg.ClientConfig
  way: NetConnectOpts
  login?: pg.ClientConfig | undefined
  replicas?: number
}

function urlOf({ user, password, host, port, database }: pg.ClientConfig): string {
  const login = [user, password]
    .filter(Boolean)
    .map((word) => encodeURIComponent(String(word)))
    .join(':')
  return `postgresql://${login}@${host}:${port}/${database}`
}

interface Ways {
  name: string
  folder: string
  address: DatabaseAddress
  redisPort: number
  /** The built server of another release. By default, this checkout's. */
  file?: string | undefined
  /** May include CLOCK_OFF_MS, by which the node's clock is wrong. */
  environment?: Record<string, string>
}

// Longer than a node waits for a frozen database.
const readyLimitMs = 240_000
const here = dirname(fileURLToPath(import.meta.url))
const lifeline = join(here, '../../scripts/lifeline.mjs')
const skewedClock = join(here, 'skewed-clock.mjs')

async function untilReady(port: number, child: ChildProcess, output: () => string): Promise<void> {
  const until = Date.now() + readyLimitMs
  while (Date.now() < until) {
    const end = child.signalCode ?? child.exitCode
    if (end !== null) throw new Error(`a node ended at its start (${end}): ${output()}`)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(25)
  }
  throw new Error(`a node was not ready in time: ${output()}`)
}

export async function createNode({
  name,
  folder,
  address,
  redisPort,
  file = serverFile,
  environment,
}: Ways): Promise<Node> {
  const port = await freePort()
  const database = await startProxy(() => address.way)
  const redis = await startProxy(() => ({ host: '127.0.0.1', port: redisPort }))
  const dataDir = join(folder, name)
  mkdirSync(dataDir, { recursive: true })
  const { owner, login, replicas } = address
  const direct = urlOf({ ...owner, host: '127.0.0.1', port: database.port })
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: login ? urlOf({ ...login, database: owner.database }) : direct,
    ...(login && { DATABASE_DIRECT_URL: direct }),
    ...(replicas && {
      DATABASE_READ_URL: urlOf({ ...owner, ...(login && { user: login.user }), host: '127.0.0.1', port: replicas }),
    }),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    SECRET_KEY: 'the same for all nodes, and long enough to be a key',
    DEMO: 'off',
    RATE_LIMIT_SCALE: '100000',
    LOG_LEVEL: 'error',
    ...environment,
  }
  const printed: Buffer[] = []
  const output = () => Buffer.concat(printed).toString()
  let child: ChildProcess | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    const insist = setTimeout(() => ending.kill('SIGKILL'), 60_000)
    await ended
    clearTimeout(insist)
  }
  const isUp = () => child !== undefined && child.exitCode === null && child.signalCode === null
  return {
    port,
    dataDir,
    environment: env,
    database,
    redis,
    isUp,
    output,
    async start() {
      if (isUp()) return
      const first = environment?.CLOCK_OFF_MS === undefined ? [lifeline] : [lifeline, skewedClock]
      const args = ['--enable-source-maps', ...first.flatMap((one) => ['--import', one]), file]
      child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
      child.stdout?.on('data', (chunk) => printed.push(chunk))
      child.stderr?.on('data', (chunk) => printed.push(chunk))
      await untilReady(port, child, output)
    },
    kill: () => end('SIGKILL'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    memoryMb: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child?.pid}/status`, 'utf8'))?.[1]) / 1024,
  }
}
