import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from '../nodes.ts'
import { type Program, type Stage, unless, withTraffic } from '../stage.ts'

const perSecond = 20
/** The longest that client and server take to notice a dead connection. */
const noticedMs = 46_000
const longestMs = 60_000
/** How long a load balancer still uses a node that fails its health checks. */
const checkedMs = 5_000
const memoryLimitMb = 150

export const frozenNode: Program = {
  id: 'T5',
  title: 'a node stands still for the better part of a minute, and goes on',
  isLong: true,
  run: (stage) => {
    const { world, fleet, chance } = stage
    const frozen = chance.pick(world.nodes)
    const other = world.nodes.find((node) => node !== frozen) as Node
    let left: string[] = []
    const act = async () => {
      frozen.freeze()
      await sleep(checkedMs)
      for (const member of fleet.members) member.lead(other)
      await sleep(chance.between(noticedMs, longestMs) - checkedMs)
      left = fleet.devices().flatMap((device) => (device.isConnected() ? [] : [device.name]))
      frozen.thaw()
    }
    return withTraffic(stage, perSecond, act).then((silent) => [
      ...silent,
      ...unless(left.length === 0, `the other node has not got ${left.join(', ')}`),
      ...unless(frozen.isUp(), `the node did not survive: ${frozen.output().slice(-2_000)}`),
    ])
  },
}

export const frozenDatabase: Program = {
  id: 'T5',
  title: 'the database stands still for half a minute or more, and goes on',
  isLong: true,
  async run(stage) {
    const { world, chance } = stage
    const before = world.nodes.map((node) => node.memoryMb())
    const silent = await withTraffic(stage, perSecond, async () => {
      world.freezeDatabase()
      await sleep(chance.between(30_000, longestMs))
      world.thawDatabase()
    })
    const down = world.nodes.filter((node) => !node.isUp())
    const grown = world.nodes.filter(
      (node) => node.isUp() && node.memoryMb() - (before[world.nodes.indexOf(node)] ?? 0) > memoryLimitMb,
    )
    return [
      ...silent,
      ...down.map((node) => `a node did not survive: ${node.output().slice(-2_000)}`),
      ...unless(grown.length === 0, `${grown.length} nodes grew by more than ${memoryLimitMb} MB`),
    ]
  },
}

/** Drops one direction of some connections. Returns the devices that didn't notice. */
async function loseDirection({ fleet, chance }: Stage, way: 'up' | 'down'): Promise<string[]> {
  const deaf = fleet.members.filter(({ device }) => device.isConnected() && chance.next() < 0.5)
  const drops = deaf.map(({ device }) => device.drops())
  for (const { line } of deaf) line.weather({ [way]: 'vanish' })
  await sleep(chance.between(noticedMs, longestMs))
  const unaware = deaf.filter(({ device }, place) => device.drops() === drops[place])
  for (const { line } of deaf) line.clear()
  return unaware.map(({ device }) => device.name)
}

export const deafLines: Program = {
  id: 'T5',
  title: 'one direction of some lines is lost for the better part of a minute',
  isLong: true,
  async run(stage) {
    let unaware: string[] = []
    const silent = await withTraffic(stage, perSecond, async () => {
      unaware = await loseDirection(stage, stage.chance.pick(['up', 'down'] as const))
    })
    return [...silent, ...unless(unaware.length === 0, `not noticed after 45 s by ${unaware.join(', ')}`)]
  },
}
