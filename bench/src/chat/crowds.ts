import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../../tools/percentiles.ts'
import { type Load, startLoad, type Talker } from './load.ts'
import { type Server, startProduct, startRelay } from './servers.ts'
import { withIdsAsTokens } from './throughput.ts'
import type { World } from './world.ts'

const loads = 4
/**
 * These clients connect before the measurement, so that the memory per connection excludes whatever a server allocates
 * for its first clients.
 */
const firstVisitors = 200
const atOnce = 25

function shares(talkers: Talker[]): Talker[][] {
  const size = 2 * Math.ceil(talkers.length / loads / 2)
  return Array.from({ length: loads }, (_, n) => talkers.slice(n * size, (n + 1) * size))
}

async function connectAll(port: number, talkers: Talker[]): Promise<Load[]> {
  const parts = shares(talkers).filter((part) => part.length > 0)
  const started = parts.map(() => startLoad())
  try {
    await Promise.all(started.map((load, n) => load.ask('connect', { port, talkers: parts[n] ?? [], atOnce })))
  } catch (error) {
    for (const load of started) load.stop()
    throw error
  }
  return started
}

/** The minimum over some seconds of idling, after the garbage from connecting has been collected. */
async function restingKb(server: Server, seconds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let second = 0; second < seconds; second++) {
    await sleep(1000)
    least = Math.min(least, server.memoryKb())
  }
  return least
}

export async function weigh(server: Server, talkers: Talker[], restS: number): Promise<number> {
  const open: Load[] = []
  try {
    open.push(...(await connectAll(server.port, talkers.slice(0, firstVisitors))))
    const before = await restingKb(server, Math.min(5, restS))
    open.push(...(await connectAll(server.port, talkers.slice(firstVisitors))))
    const after = await restingKb(server, restS)
    return (after - before) / (talkers.length - firstVisitors)
  } finally {
    for (const load of open) load.stop()
  }
}

/**
 * Measures the relay and the product in turns, each time in a new process, because the heap's size at rest varies by up
 * to a fifth between processes.
 */
export async function measureIdle(
  world: World,
  talkers: Talker[],
  { restS, idleRounds }: { restS: number; idleRounds: number },
) {
  const relays: number[] = []
  const products: number[] = []
  for (let round = 0; round < idleRounds; round++) {
    const relay = await startRelay()
    relays.push(await weigh(relay, withIdsAsTokens(talkers), restS).finally(() => relay.stop('SIGKILL')))
    const product = await startProduct(world)
    products.push(await weigh(product, talkers, restS).finally(() => product.stop('SIGKILL')))
    console.log(`  relay: ${relays.at(-1)?.toFixed(1)} KB a connection, product: ${products.at(-1)?.toFixed(1)} KB`)
  }
  return { relayKb: median(relays), productKb: median(products) }
}

/**
 * How long it took until everyone had reconnected, and the CPU time per person that the new server and its database
 * have used since the server was ready, in microseconds.
 */
interface ReturnOfAll {
  readyS: number
  connectedS: number
  syncedS: number
  acknowledged: string[]
  repeated: number
  serverUs: number
  databaseUs: number
}

interface Storm {
  start(port?: number): Promise<Server>
  talkers: Talker[]
  perSecond: number
  onKill?(): Promise<void>
  databaseMs?(): number
}

/**
 * Kills the server while everyone is connected and some people write, restarts it, and waits until everyone has
 * reconnected.
 */
async function storm({ start, talkers, perSecond, onKill, databaseMs = () => 0 }: Storm): Promise<ReturnOfAll> {
  let server = await start()
  const { port } = server
  const parts = shares(talkers)
  const started = parts.map(() => startLoad())
  try {
    const each = { writers: Math.min(50, Math.ceil(talkers.length / loads)), perSecond: perSecond / loads }
    await Promise.all(started.map((load, n) => load.ask('outlive', { port, talkers: parts[n] ?? [], ...each })))
    await sleep(3000)
    await onKill?.()
    const returns = started.map((load) => load.ask('comeBack', {}))
    const since = performance.now()
    await server.stop('SIGKILL')
    server = await start(port)
    const readyS = (performance.now() - since) / 1000
    const spent = { server: server.cpuMs(), database: databaseMs() }
    const back = await Promise.all(returns)
    return {
      readyS,
      connectedS: Math.max(...back.map((one) => one.connectedS)),
      syncedS: Math.max(...back.map((one) => one.syncedS)),
      acknowledged: back.flatMap((one) => one.acknowledged),
      repeated: back.reduce((sum, one) => sum + one.repeated, 0),
      serverUs: ((server.cpuMs() - spent.server) * 1000) / talkers.length,
      databaseUs: ((databaseMs() - spent.database) * 1000) / talkers.length,
    }
  } finally {
    for (const load of started) load.stop()
    await server.stop('SIGKILL')
  }
}

export interface StormResult extends ReturnOfAll {
  lost: number
  /** A bare socket.io relay without storage or accounts, measured in the same run. */
  relay: ReturnOfAll
}

export async function measureStorm(world: World, talkers: Talker[], perSecond: number): Promise<StormResult> {
  const relay = await storm({ start: startRelay, talkers: withIdsAsTokens(talkers), perSecond })
  const back = await storm({
    start: (port) => startProduct(world, port === undefined ? {} : { port }),
    talkers,
    perSecond,
    onKill: world.age,
    databaseMs: world.cpuMs,
  })
  return { ...back, relay, lost: await world.missing(back.acknowledged) }
}
