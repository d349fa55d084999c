import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from '../../tools/percentiles.ts'
import { type Figure, report } from '../../tools/report.ts'
import { canPin, stayOnLoadCore } from './chat/cores.ts'
import { measureIdle, measureStorm, type StormResult } from './chat/crowds.ts'
import { type Stretch, startLoad } from './chat/load.ts'
import { topOf } from './chat/profile.ts'
import { startProduct } from './chat/servers.ts'
import { type Measured, measureThroughput, type Throughput } from './chat/throughput.ts'
import { openWorld, type World } from './chat/world.ts'

/*
 * P1-P4: the real chat (built server, real sockets, durable database), a socket.io relay that stores nothing, and a
 * chat that runs its queries one after another. They are measured in turns within one run. The server under test has a
 * core to itself; the database and the load share the other one.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    only: { type: 'string', default: 'throughput,idle,storm' },
  },
})
const parts = values.only.split(',')
const size = values.quick
  ? { connections: 40, many: 400, rounds: 1, closedS: 1, openS: 2, openPerSecond: 100, restS: 2, idleRounds: 1 }
  : { connections: 400, many: 10_000, rounds: 5, closedS: 4, openS: 20, openPerSecond: 500, restS: 30, idleRounds: 3 }
const stormPerSecond = 200

const stops: (() => void | Promise<void>)[] = []
async function tidy(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void tidy().finally(() => process.exit(130)))

const rounded = (value: number, digits = 2) => Number(value.toFixed(digits))
const perSecond = ({ acknowledged, seconds }: Stretch) => acknowledged / seconds

const serverCpu = ({ serverUs }: Measured) => serverUs

/** The median over all rounds of `of` for one server divided by `of` for the other in the same round. */
const ratio = (over: Measured[], under: Measured[], of: (stretch: Measured) => number = perSecond): number =>
  median(over.map((stretch, round) => of(stretch) / of(under[round] as Measured)))

const pinned = canPin ? 'server on one core, database and load on the other' : 'not pinned to cores'

function speedFigures({ closed, open }: Throughput): Figure[] {
  const speed = (name: keyof typeof closed) => Math.round(median(closed[name].map(perSecond)))
  const loop = `closed loop, ${size.connections} connections, medians of ${size.rounds} rounds in turns, ${pinned}`
  const cost = (name: keyof typeof closed) => Math.round(median(closed[name].map((one) => one.serverUs)))
  const cpu = `CPU of the server a message ${cost('relay')}, ${cost('naive')}, ${cost('product')} us`
  const note = `${loop}; relay ${speed('relay')}/s, query per step ${speed('naive')}/s, product ${speed('product')}/s; ${cpu}`
  const [p50, p99] = (['p50', 'p99'] as const).map((of) => rounded(median(open.product.map((one) => one[of]))))
  const naive = rounded(median(open.naive.map((one) => one.p99)))
  const naiveP50 = rounded(median(open.naive.map((one) => one.p50)))
  const pace = `${size.openPerSecond} messages/s for ${size.openS} s, medians of ${size.rounds} rounds in turns, ${pinned}`
  return [
    { id: 'P1.relay_ratio', value: rounded(ratio(closed.product, closed.relay), 3), target: '>= 0.55', note },
    { id: 'P1.naive_ratio', value: rounded(ratio(closed.product, closed.naive)), target: '>= 4.5', note },
    {
      id: 'P1.cpu_ratio',
      value: rounded(ratio(closed.product, closed.relay, serverCpu)),
      target: '<= 1.25',
      note: "CPU of the server a message, over the relay's, in the same rounds",
    },
    { id: 'P1.messages_per_s', value: speed('product'), target: 'told, not set', note },
    { id: 'P2.p50_ms', value: p50 as number, target: '<= 5', note: `${pace}; query per step ${naiveP50}` },
    { id: 'P2.p99_ms', value: p99 as number, target: `<= ${naive} (the query per step) and <= 60`, note: pace },
    { id: 'P2.naive_p99_ms', value: naive, target: 'the peer', note: pace },
  ]
}

async function measureSpeed(world: World): Promise<Figure[]> {
  const talkers = world.talkers.slice(0, size.connections)
  return speedFigures(await measureThroughput(world, talkers, size, (stop) => stops.push(stop)))
}

async function measureMemory(world: World): Promise<Figure[]> {
  const { relayKb, productKb } = await measureIdle(world, world.talkers, size)
  const most = rounded(Math.min(25, 1.6 * relayKb), 1)
  const note = `RSS at ${size.many} idle connections, median of ${size.idleRounds}; bare socket.io ${rounded(relayKb, 1)} KB in the same rounds`
  const target = `<= ${most} (1.6 x bare socket.io, never above 25)`
  return [{ id: 'P3.kb_per_connection', value: rounded(productKb, 1), target, note }]
}

function stormFigures(storm: StormResult): Figure[] {
  const { relay } = storm
  const floor = `relay: ready after ${rounded(relay.readyS)} s, connected ${rounded(relay.connectedS)} s`
  const cost = `CPU a connection: relay ${Math.round(relay.serverUs)} us, product ${Math.round(storm.serverUs)} us and database ${Math.round(storm.databaseUs)} us`
  const many = `${size.many} connections, ${stormPerSecond} messages/s, kill -9, restart ready after ${rounded(storm.readyS)} s`
  const note = `${many}; ${storm.acknowledged.length} acknowledged, ${storm.repeated} sent again; ${floor}; ${cost}; ${pinned}`
  console.log(`  storm: ${note}`)
  return [
    { id: 'P4.connected_s', value: rounded(storm.connectedS), target: '<= 15', note },
    { id: 'P4.synced_s', value: rounded(storm.syncedS), target: '<= 30', note },
    { id: 'P4.lost', value: storm.lost, target: '0', note },
  ]
}

async function profile(world: World): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-profile-'))
  const server = await startProduct(world, { profileIn: folder })
  const load = startLoad()
  try {
    const talkers = world.talkers.slice(0, size.connections)
    await load.ask('connect', { port: server.port, talkers, atOnce: 20 })
    await load.ask('open', {})
    const stretch = await load.ask('closedLoop', { seconds: 15 })
    await load.ask('close', {})
    console.log(`${Math.round(perSecond(stretch))} messages/s under the profiler`)
    // Stop the load first, because it would count connections closed by the stopping server as errors.
    load.stop()
    await server.stop()
    for (const line of topOf(folder)) console.log(line)
  } finally {
    load.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

stayOnLoadCore()
const world = await openWorld(values.profile ? size.connections : size.many)
stops.push(world.stop)
try {
  if (values.profile) await profile(world)
  else {
    const figures: Figure[] = []
    if (parts.includes('throughput')) figures.push(...(await measureSpeed(world)))
    if (parts.includes('idle')) figures.push(...(await measureMemory(world)))
    if (parts.includes('storm')) figures.push(...stormFigures(await measureStorm(world, world.talkers, stormPerSecond)))
    report(values.quick ? 'chat-quick' : 'chat', figures)
  }
} finally {
  await tidy()
}
process.exit(0)
