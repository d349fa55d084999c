import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from '../device.ts'
import type { Node } from '../nodes.ts'
import { type Bare, openBare, outgoing } from '../socket.ts'
import { type Program, type Stage, standstillMs, unless, until } from '../stage.ts'

const bursts = 12
const inBurst = 100
const memoryLimitMb = 120

async function flood(from: Bare, sender: Person, to: Person): Promise<number> {
  let taken = 0
  for (let burst = 0; burst < bursts; burst++) {
    const long = 'x'.repeat(1_900)
    const acks = await Promise.all(
      Array.from({ length: inBurst }, () =>
        from.ask('send_message', outgoing(sender, to, randomUUID(), { message: long })),
      ),
    )
    taken += acks.filter(({ ok }) => ok).length
  }
  return taken
}

export const slowReader: Program = {
  id: 'T13',
  title: 'someone stops reading their connection while much is sent to them',
  async run(stage) {
    const { world, fleet, strangers } = stage
    const [ana, ben] = strangers(2) as [Person, Person]
    const [one] = world.nodes as [Node]
    const reader = await fleet.add(ben, { apart: true })
    reader.lead(one)
    reader.line.cut()
    const writer = await openBare(one.port, ana)
    await reader.device.open(ana.id)
    const before = one.memoryMb()
    reader.line.weather({ down: 'hold' })
    const taken = await flood(writer, ana, ben)
    const grown = one.memoryMb() - before
    writer.close()
    reader.line.clear()
    const [row] = await world.query<{ rows: number }>(
      'select count(*)::int as rows from messages where sender_id = $1',
      [ana.id],
    )
    const whole = await until(() => reader.device.thread(ana.id)?.at(-1)?.seq === bursts * inBurst, standstillMs)
    await fleet.remove(reader)
    return [
      ...unless(taken === bursts * inBurst && row?.rows === taken, `${taken} were taken, ${row?.rows} are kept`),
      ...unless(whole, 'the slow reader does not get to the end'),
      ...unless(grown < memoryLimitMb, `the node grew by ${Math.round(grown)} MB`),
    ]
  },
}

/** Sends requests that must never succeed. Each must be refused, or its connection closed. */
async function tryIt(stage: Stage, node: Node): Promise<string[]> {
  const [eve, ana, ben] = stage.strangers(3) as [Person, Person, Person]
  const bare = await openBare(node.port, eve)
  const forged = await bare.ask('send_message', outgoing(ana, ben, randomUUID()))
  const unknown = await bare.ask('send_message', outgoing(eve, { id: randomUUID() }, randomUUID()))
  const long = await bare.ask('send_message', outgoing(eve, ana, randomUUID(), { message: 'x'.repeat(2_001) }))
  const strange = await bare.ask('no_such_event', {})
  const wrong = await bare.ask('send_message', { id: 7, message: ['x'] })
  bare.socket.emit('send_message', outgoing(eve, ana, randomUUID(), { message: 'x'.repeat(1_000_000) }))
  const closed = await until(() => !bare.socket.connected, standstillMs)
  const rows = await stage.world.query('select from messages where sender_id = any($1)', [[eve.id, ana.id]])
  bare.close()
  const passed = Object.entries({ forged, unknown, long, strange, wrong }).filter(([, ack]) => ack.ok !== false)
  return [
    ...unless(passed.length === 0, `not refused: ${passed.map(([name]) => name).join(', ')}`),
    ...unless(closed, 'a megabyte did not close the connection'),
    ...unless(rows.length === 0, `${rows.length} messages got through`),
  ]
}

async function overdo(stage: Stage, node: Node): Promise<string[]> {
  const [eve, ana, ben] = stage.strangers(3) as [Person, Person, Person]
  const [bad, good] = [await openBare(node.port, eve), await openBare(node.port, ben)]
  // The server first tells the client to slow down, and then disconnects it.
  const unanswered = () => undefined
  const many = Array.from({ length: 300 }, () =>
    bad.ask('send_message', outgoing(eve, ana, randomUUID())).catch(unanswered),
  )
  const single = await good.ask('send_message', outgoing(ben, ana, randomUUID()))
  const acks = (await Promise.all(many)).filter((ack) => ack !== undefined)
  bad.close()
  good.close()
  const limited = acks.filter(({ code }) => code === 'rate_limited').length
  return [
    ...unless(limited > 0 && acks.every(({ ok, code }) => ok || code === 'rate_limited'), 'a flood is not limited'),
    ...unless(single.ok, 'a flood of one person shuts out another'),
  ]
}

export const abuse: Program = {
  id: 'T14',
  title: 'forged senders, floods, a megabyte, malformed payloads',
  async run(stage) {
    const node = await stage.world.addNode('strict', { RATE_LIMIT_SCALE: '1' })
    try {
      await node.start()
      const refused = await tryIt(stage, stage.world.nodes[0] as Node)
      const limited = await overdo(stage, node)
      await sleep(50)
      return [...refused, ...limited]
    } finally {
      await node.kill()
    }
  },
}
