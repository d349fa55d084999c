import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Program, type Stage, unless, withTraffic } from '../stage.ts'
import type { World } from '../world.ts'

// A node counts as crashed if the harness had to restart it.
async function survivors(stage: Stage, perSecond: number, act: () => Promise<void>): Promise<string[]> {
  const silent = await withTraffic(stage, perSecond, act)
  const down = stage.world.nodes.filter((node) => !node.isUp())
  return [...silent, ...down.map((node) => `a node did not survive: ${node.output().slice(-2_000)}`)]
}

export const databaseLost: Program = {
  id: 'T3',
  title: 'the database crashes, then does not answer',
  run: (stage) =>
    survivors(stage, 40, async () => {
      const { nodes, crashDatabase } = stage.world
      await sleep(300)
      await crashDatabase()
      await sleep(500)
      for (const { database } of nodes) database.weather({ up: 'hold', down: 'hold' })
      await sleep(stage.chance.between(1_500, 2_500))
      for (const { database } of nodes) database.clear()
    }),
}

/** Opens connections until the database has none left. */
async function takeConnections({ connect }: World): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  for (;;) {
    const client = await connect().catch(() => undefined)
    if (!client) return taken
    taken.push(client)
  }
}

export const hardStart: Program = {
  id: 'T3',
  title: 'a node starts while the database crashes, and while it has no connection free',
  async run(stage) {
    const { world, chance } = stage
    const node = chance.pick(world.nodes)
    let taken: pg.Client[] = []
    const silent = await withTraffic(stage, 40, async () => {
      await node.kill()
      const crash = sleep(chance.between(0, 400)).then(world.crashDatabase)
      await Promise.all([node.start(), crash])
      await node.kill()
      taken = await takeConnections(world)
      const starting = Promise.allSettled([node.start()])
      await sleep(1_500)
      for (const client of taken) await client.end()
      const [start] = await starting
      if (start.status === 'rejected') throw start.reason
    })
    return [...silent, ...unless(taken.length > 0, 'the database had no connection to take')]
  },
}

export const redisLost: Program = {
  id: 'T4',
  title: 'Redis is killed and comes back, is emptied, and does not answer',
  run: (stage) =>
    survivors(stage, 40, async () => {
      const { redis, nodes } = stage.world
      await sleep(200)
      await redis.kill()
      await sleep(stage.chance.between(500, 1_200))
      await redis.start()
      await sleep(300)
      await redis.flush()
      for (const node of nodes) node.redis.weather({ down: 'hold' })
      await sleep(1_000)
      for (const node of nodes) node.redis.clear()
    }),
}

const conversation = `select id from conversations where user_lo = least($1::uuid, $2) and user_hi = greatest($1::uuid, $2)`

export const slowCommit: Program = {
  id: 'T18',
  title: 'messages commit while devices ask for what they missed',
  async run(stage) {
    const { world, fleet } = stage
    const [writer, reader] = [fleet.members[0], fleet.members.at(-1)]
    if (!writer || !reader) return ['there are too few devices']
    const pair = [writer.device.person.id, reader.device.person.id]
    const [row] = await world.query<{ id: string }>(conversation, pair)
    const holder = await world.connect()
    try {
      await holder.query('begin')
      await holder.query('select from conversations where id = $1 for update', [row?.id])
      writer.device.write(reader.device.person.id, 'held up')
      const others = await withTraffic(stage, 40, async () => {
        await sleep(300)
        reader.line.cut()
        await sleep(1_000)
        await holder.query('commit')
      })
      return [...unless(row !== undefined, 'there is no conversation to lock'), ...others]
    } finally {
      await holder.end()
    }
  },
}
