import { type Load, type Stretch, startLoad, type Talker } from './load.ts'
import { type Server, startProduct, startQueries, startRelay } from './servers.ts'
import type { World } from './world.ts'

export interface Effort {
  rounds: number
  closedS: number
  openS: number
  openPerSecond: number
}

interface Contender {
  server: Server
  load: Load
  /** Counts the messages in the server's database. Undefined if it stores none. */
  kept: (() => Promise<number>) | undefined
  acknowledged: number
  before: number
}

export type Name = 'relay' | 'naive' | 'product'

/** A measured period, and the CPU time of the server and the database per message, in microseconds. */
export interface Measured extends Stretch {
  serverUs: number
  databaseUs: number
}
export interface Throughput {
  closed: Record<Name, Measured[]>
  open: Record<'naive' | 'product', Stretch[]>
}

/** Uses the ids as tokens, because the floor servers have no accounts. */
export const withIdsAsTokens = (talkers: Talker[]) => talkers.map((talker) => ({ ...talker, token: talker.id }))

async function enter(server: Server, talkers: Talker[], kept?: () => Promise<number>): Promise<Contender> {
  const load = startLoad()
  await load.ask('connect', { port: server.port, talkers, atOnce: 20 })
  const contender = { server, load, kept, acknowledged: 0, before: (await kept?.()) ?? 0 }
  contender.acknowledged += (await load.ask('open', {})).acknowledged
  return contender
}

function note(contender: Contender, stretch: Stretch): Stretch {
  if (stretch.refused > 0) throw new Error(`${stretch.refused} messages were refused`)
  if (stretch.arrived !== stretch.acknowledged)
    throw new Error(`${stretch.acknowledged} messages were acknowledged, ${stretch.arrived} arrived`)
  contender.acknowledged += stretch.acknowledged
  return stretch
}

/** Throws unless the number of new messages in the database equals the number of acknowledgements. */
async function verify(name: Name, { kept, acknowledged, before }: Contender): Promise<void> {
  if (!kept) return
  const rows = (await kept()) - before
  if (rows !== acknowledged) throw new Error(`${name}: ${acknowledged} acknowledged, ${rows} in the database`)
  console.log(`  ${name}: ${acknowledged} acknowledged, as many in the database`)
}

async function costed(world: World, contender: Contender, seconds: number): Promise<Measured> {
  const [server, database] = [contender.server.cpuMs(), world.cpuMs()]
  const stretch = note(contender, await contender.load.ask('closedLoop', { seconds }))
  const us = (after: number, before: number) => ((after - before) * 1000) / stretch.acknowledged
  return { ...stretch, serverUs: us(contender.server.cpuMs(), server), databaseUs: us(world.cpuMs(), database) }
}

const rate = ({ acknowledged, seconds, p50, p99 }: Stretch) =>
  `${Math.round(acknowledged / seconds)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

/**
 * Measures the three servers in turns, while everyone stays connected to all of them. `onStart` gets a function to stop
 * each server.
 */
export async function measureThroughput(
  world: World,
  talkers: Talker[],
  effort: Effort,
  onStart: (stop: () => void) => void,
): Promise<Throughput> {
  const entered: Contender[] = []
  const start = async (server: Server, who: Talker[], kept?: () => Promise<number>) => {
    onStart(() => void server.stop('SIGKILL'))
    const contender = await enter(server, who, kept)
    entered.push(contender)
    return contender
  }
  const known = withIdsAsTokens(talkers)
  try {
    const contenders: Record<Name, Contender> = {
      relay: await start(await startRelay(), known),
      naive: await start(await startQueries(world), known, world.naiveMessages),
      product: await start(await startProduct(world), talkers, world.messages),
    }
    return await takeTurns(world, contenders, effort)
  } finally {
    for (const { load } of entered) load.stop()
    await Promise.all(entered.map(({ server }) => server.stop()))
  }
}

async function takeTurns(world: World, contenders: Record<Name, Contender>, effort: Effort): Promise<Throughput> {
  const result: Throughput = {
    closed: { relay: [], naive: [], product: [] },
    open: { naive: [], product: [] },
  }
  for (const contender of Object.values(contenders))
    note(contender, await contender.load.ask('closedLoop', { seconds: Math.min(3, effort.closedS) }))
  for (let round = 1; round <= effort.rounds; round++) {
    for (const name of ['relay', 'naive', 'product'] as const) {
      const contender = contenders[name]
      const stretch = await costed(world, contender, effort.closedS)
      result.closed[name].push(stretch)
      const cost = `CPU a message: server ${Math.round(stretch.serverUs)} us, database ${Math.round(stretch.databaseUs)} us`
      console.log(`  closed loop ${round}, ${name}: ${rate(stretch)}; ${cost}`)
    }
    for (const name of ['naive', 'product'] as const) {
      const contender = contenders[name]
      const asked = { perSecond: effort.openPerSecond, seconds: effort.openS }
      const stretch = note(contender, await contender.load.ask('openLoop', asked))
      result.open[name].push(stretch)
      console.log(`  ${effort.openPerSecond} a second ${round}, ${name}: ${rate(stretch)}`)
    }
  }
  for (const name of ['naive', 'product'] as const) await verify(name, contenders[name])
  return result
}
