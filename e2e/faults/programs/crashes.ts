import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from '../nodes.ts'
import { type Program, type Stage, standstillMs, unless, until, withTraffic } from '../stage.ts'

async function killAndRestart(node: Node): Promise<void> {
  await node.kill()
  await node.start()
}

export const killed: Program = {
  id: 'T1',
  title: 'a node is killed in the middle of a burst, again and again',
  run: (stage) =>
    withTraffic(stage, 60, async () => {
      for (let round = 0; round < (stage.isLong ? 6 : 2); round++) {
        await sleep(stage.chance.between(100, 600))
        await killAndRestart(stage.chance.pick(stage.world.nodes))
      }
    }),
}

async function kept({ world }: Stage, ids: string[]): Promise<number> {
  const [row] = await world.query<{ kept: number }>(
    'select count(*)::int as kept from messages where client_id = any($1)',
    [ids],
  )
  return row?.kept ?? 0
}

async function moveTo({ fleet }: Stage, node: Node): Promise<boolean> {
  const drops = fleet.devices().map((device) => (device.isConnected() ? device.drops() : -1))
  for (const member of fleet.members) {
    member.lead(node)
    member.line.cut()
  }
  const isBack = () =>
    fleet.devices().every((device, place) => device.isConnected() && device.drops() > (drops[place] ?? 0))
  const all = await until(isBack, standstillMs)
  // Wait for the requests that follow a connection.
  await sleep(500)
  return all
}

// Drops the database's responses after a commit, and then kills the node or its database connections.
async function loseAnswers(stage: Stage, end: (node: Node) => Promise<void>): Promise<string[]> {
  const { world, fleet, chance } = stage
  const node = chance.pick(world.nodes)
  const ready = await moveTo(stage, node)
  const [writer, reader] = [fleet.devices()[0], fleet.devices().at(-1)]
  // These two contacts have no pending request, and their database connection is already open. Otherwise the lost
  // response could be that of another statement, or of the connection's setup.
  reader?.write(writer?.person.id ?? '', 'answers')
  await until(() => reader?.waiting() === 0, standstillMs)
  writer?.write(reader?.person.id ?? '', 'committed and answered')
  await until(() => writer?.waiting() === 0, standstillMs)
  node.database.weather({ down: 'vanish' })
  const ids: string[] = []
  for (let n = 1; n <= 3; n++) {
    const id = writer?.write(reader?.person.id ?? '', `committed, not answered, ${n}`)
    if (id) ids.push(id)
  }
  // Only one message is in flight at a time; the others wait for its response.
  const committed = await until(async () => (await kept(stage, ids)) > 0, standstillMs)
  const falsely = stage.ledger.entries().filter(({ id, acknowledged }) => ids.includes(id) && acknowledged)
  await end(node)
  node.database.clear()
  await node.start()
  for (const member of fleet.members) member.lead()
  return [
    ...unless(ready, 'not everybody could connect to one node'),
    ...unless(committed, `of ${ids.length} written none was committed while its answer vanished: nothing was tried`),
    ...unless(falsely.length === 0, `${falsely.length} were acknowledged before the node knew of the commit`),
  ]
}

export const betweenCommitAndAck: Program = {
  id: 'T2',
  title: 'a node dies, or loses its database, between commit and acknowledgement',
  async run(stage) {
    const died = await loseAnswers(stage, (node) => node.kill())
    const cut = await loseAnswers(stage, async (node) => node.database.cut())
    return [...died, ...cut]
  },
}

export const rollingRestart: Program = {
  id: 'T15',
  title: 'all nodes are restarted one after the other, as by a deploy',
  async run(stage) {
    const slow = await withTraffic(stage, 60, async () => {
      for (const node of stage.world.nodes) {
        await node.stop()
        await node.start()
        await sleep(300)
      }
    })
    const failed = stage.fleet
      .devices()
      .flatMap((device) =>
        stage.fleet.devices().flatMap(({ person }) => device.thread(person.id)?.filter(({ failed }) => failed) ?? []),
      )
    return [...slow, ...unless(failed.length === 0, `${failed.length} messages show as failed`)]
  },
}
