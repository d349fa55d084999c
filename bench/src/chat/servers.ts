import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { portOf } from '../../../tools/line.ts'
import { freePort } from '../../../tools/ports.ts'
import { nodeFlagsOf, serverFile } from '../../../tools/server.ts'
import { cpuMsOf, startPinned } from './cores.ts'
import type { World } from './world.ts'

export interface Server {
  pid: number
  port: number
  /** Resident memory, in KB. */
  memoryKb(): number
  cpuMs(): number
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const here = dirname(fileURLToPath(import.meta.url))
const lifeline = join(here, '../../../scripts/lifeline.mjs')

function asServer(child: ChildProcess, port: number): Server {
  return {
    pid: child.pid as number,
    port,
    memoryKb: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]),
    cpuMs: () => cpuMsOf(child.pid as number),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      const insist = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await ended
      clearTimeout(insist)
    },
  }
}

async function startFloor(name: string, ...args: string[]): Promise<Server> {
  const child = startPinned(['--import', 'tsx', join(here, `../floors/${name}.ts`), ...args])
  return asServer(child, await portOf(child.stdout as NodeJS.ReadableStream))
}

/** Starts a socket.io relay that stores nothing. With a port, it can restart where it was. */
export const startRelay = (port?: number) => startFloor('chat-relay', ...(port === undefined ? [] : [String(port)]))

/**
 * Starts bare Fastify, which looks the token up in a map and runs one primary-key query. `tokens` is a file with each
 * person's authorization header and id.
 */
export const startRow = (dataDir: string, tokens: string) => startFloor('http', dataDir, tokens)

export const startQueries = ({ naive }: World) => startFloor('chat-queries', JSON.stringify(naive))

const readyLimitMs = 60_000

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + readyLimitMs
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error('Duet ended before it was ready')
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(20)
  }
  throw new Error('Duet was not ready in time')
}

interface ProductOptions {
  port?: number
  /** The folder for a CPU profile, which is written when the server stops. */
  profileIn?: string
  file?: string
}

/** Starts Duet as `npm start` does, either on the bench's database or with its own. */
export async function startProduct(
  world: Pick<World, 'dataDir'> & { url?: string },
  { port, profileIn, file = serverFile }: ProductOptions = {},
): Promise<Server> {
  const chosen = port ?? (await freePort())
  const dataDir = join(world.dataDir, 'duet')
  mkdirSync(dataDir, { recursive: true })
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(chosen),
    DATA_DIR: dataDir,
    ...(world.url && { DATABASE_URL: world.url }),
    DEMO: 'off',
    RATE_LIMIT_SCALE: '1000000',
    LOG_LEVEL: 'warn',
  }
  const flags = nodeFlagsOf(join(dirname(file), '../..'))
  const profiling = profileIn ? ['--cpu-prof', `--cpu-prof-dir=${profileIn}`] : []
  const child = startPinned([...profiling, ...flags, '--import', lifeline, file], env)
  child.stdout?.resume()
  await untilReady(chosen, child)
  return asServer(child, chosen)
}
