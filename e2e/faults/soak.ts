import { setTimeout as sleep } from 'node:timers/promises'
import { type Stage, startTraffic } from './stage.ts'

type Fault = (stage: Stage) => Promise<void>

let turn: Promise<unknown> = Promise.resolve()
/**
 * Runs one restart at a time. Otherwise a fault could kill a process that another has just started, or flush a stopped
 * Redis.
 */
function inTurn(act: () => Promise<void>): Promise<void> {
  const mine = turn.then(act)
  turn = mine.catch(() => undefined)
  return mine
}

const some = ({ fleet, chance }: Stage) => fleet.members.filter(() => chance.next() < 0.5).map(({ line }) => line)
const aNode = ({ world, chance }: Stage) => chance.pick(world.nodes)

/** Temporary faults. Each undoes its own changes. */
const faults: Record<string, Fault> = {
  async kill(stage) {
    const node = aNode(stage)
    const pause = stage.chance.between(0, 800)
    await inTurn(async () => {
      await node.kill()
      await sleep(pause)
      await node.start()
    })
  },
  async 'kill all'({ world }) {
    await inTurn(async () => {
      await Promise.all(world.nodes.map((node) => node.kill()))
      await Promise.all(world.nodes.map((node) => node.start()))
    })
  },
  async restart(stage) {
    const node = aNode(stage)
    await inTurn(async () => {
      await node.stop()
      await node.start()
    })
  },
  async reset(stage) {
    for (const line of some(stage)) line.cut()
  },
  async freeze(stage) {
    const lines = some(stage)
    for (const line of lines) line.weather({ up: 'hold', down: 'hold' })
    await sleep(stage.chance.between(300, 4_000))
    for (const line of lines) line.clear()
  },
  async 'lose one direction'(stage) {
    const lines = some(stage)
    const way = stage.chance.pick(['up', 'down'] as const)
    for (const line of lines) line.weather({ [way]: 'vanish' })
    await sleep(stage.chance.between(200, 3_000))
    for (const line of lines) line.clear()
  },
  async delay(stage) {
    const lines = some(stage)
    for (const line of lines) line.weather({ delayMs: stage.chance.between(10, 900) })
    await sleep(2_000)
    for (const line of lines) line.clear()
  },
  async crawl(stage) {
    const lines = some(stage)
    for (const line of lines) line.weather({ bytesPerSecond: stage.chance.between(1_000, 20_000) })
    await sleep(2_000)
    for (const line of lines) line.clear()
  },
  async break(stage) {
    const lines = some(stage)
    for (const line of lines) line.weather({ cutAfter: stage.chance.between(50, 20_000) })
    await sleep(2_000)
    for (const line of lines) line.clear()
  },
  async 'crash the database'({ world }) {
    await world.crashDatabase()
  },
  async 'freeze the database'(stage) {
    const { database } = aNode(stage)
    database.weather({ up: 'hold', down: 'hold' })
    await sleep(stage.chance.between(300, 3_000))
    database.clear()
  },
  async 'lose answers of the database'(stage) {
    const { database } = aNode(stage)
    database.weather({ down: 'vanish' })
    await sleep(stage.chance.between(50, 800))
    database.clear()
  },
  async 'cut the database'(stage) {
    aNode(stage).database.cut()
  },
  async 'kill Redis'({ world, chance }) {
    const pause = chance.between(0, 2_000)
    await inTurn(async () => {
      await world.redis.kill()
      await sleep(pause)
      await world.redis.start()
    })
  },
  async 'empty Redis'({ world }) {
    await inTurn(() => world.redis.flush())
  },
  async 'freeze Redis'(stage) {
    const { redis } = aNode(stage)
    redis.weather({ up: 'hold', down: 'hold' })
    await sleep(stage.chance.between(300, 3_000))
    redis.clear()
  },
}

/** Runs random faults under traffic for `forMs`, sometimes two at the same time. Returns their names. */
export async function playRandomly(stage: Stage, forMs: number, perSecond: number): Promise<string[]> {
  const end = performance.now() + forMs
  const names = Object.keys(faults)
  const played: string[] = []
  const traffic = startTraffic(stage, perSecond)
  try {
    while (performance.now() < end) {
      const chosen = [stage.chance.pick(names), ...(stage.chance.next() < 0.25 ? [stage.chance.pick(names)] : [])]
      played.push(chosen.join(' and '))
      // Wait for all faults before reporting a failure: none may still run while the invariants are checked.
      const ends = await Promise.allSettled(chosen.map((name) => faults[name]?.(stage)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      await sleep(stage.chance.between(0, 700))
    }
  } finally {
    traffic.stop()
  }
  return played
}
