import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Device, Person } from '../device.ts'
import { verdictOn } from '../invariants.ts'
import type { Node } from '../nodes.ts'
import { openBare, outgoing } from '../socket.ts'
import { type Program, type Stage, standstillMs, unless, until } from '../stage.ts'

async function check({ world, ledger }: Stage, devices: Device[], patienceMs = standstillMs): Promise<string[]> {
  return (await verdictOn(world, devices, ledger, patienceMs)).broken
}

export const tabs: Program = {
  id: 'T8',
  title: 'two tabs and another device: one is closed with a message under way, all agree on what is read',
  async run(stage) {
    const { fleet, strangers } = stage
    const [ana, ben] = strangers(2) as [Person, Person]
    const storage = `tabs ${ana.id}`
    const first = await fleet.add(ana, { storage, apart: true })
    const second = await fleet.add(ana, { storage, apart: true })
    const phone = await fleet.add(ana, { token: 1, apart: true })
    const other = await fleet.add(ben, { apart: true })
    const all = [first, second, phone, other]
    for (const { device } of all) await device.open(device.person === ana ? ben.id : ana.id)
    first.line.weather({ up: 'vanish' })
    const written = first.device.write(ben.id, 'from a tab that is closed')
    await sleep(200)
    await fleet.remove(first)
    for (let n = 0; n < 5; n++) other.device.write(ana.id, `unread ${n}`)
    const rest = [second.device, phone.device, other.device]
    const before = await check(stage, rest)
    phone.device.read(ben.id)
    const cleared = await until(() => [second, phone].every(({ device }) => device.unread(ben.id) === 0), standstillMs)
    const after = await check(stage, rest)
    for (const member of [second, phone, other]) await fleet.remove(member)
    return [
      ...unless(written !== undefined, 'the tab could not write'),
      ...before,
      ...after,
      ...unless(cleared, 'what was read on one device stays unread on another'),
    ]
  },
}

const missed = 150

export const away: Program = {
  id: 'T16',
  title: `a device is away while ${missed} messages come, and was closed while its own were under way`,
  async run(stage) {
    const { fleet, strangers } = stage
    const [ana, ben] = strangers(2) as [Person, Person]
    const storage = `away ${ana.id}`
    const [gone, other] = [await fleet.add(ana, { storage, apart: true }), await fleet.add(ben, { apart: true })]
    await gone.device.open(ben.id)
    await other.device.open(ana.id)
    gone.line.weather({ up: 'vanish' })
    const own = Array.from({ length: 20 }, (_, n) => gone.device.write(ben.id, `queued ${n}`))
    await sleep(200)
    await fleet.remove(gone)
    for (let n = 0; n < missed; n++) other.device.write(ana.id, `missed ${n}`)
    await until(() => other.device.waiting() === 0, standstillMs)
    const back = await fleet.add(ana, { storage, apart: true })
    const taken = await until(() => back.device.isConnected(), standstillMs)
    await back.device.open(ben.id)
    const broken = await check(stage, [back.device, other.device])
    const order = other.device.thread(ana.id)?.filter(({ id }) => own.includes(id)) ?? []
    for (const member of [back, other]) await fleet.remove(member)
    return [
      ...unless(taken, 'it does not come back'),
      ...broken,
      ...unless(
        order.map(({ id }) => id).join() === own.join(),
        `of ${own.length} queued ${order.length} arrived, or in another order`,
      ),
    ]
  },
}

async function revoked({ world, strangers }: Stage): Promise<string[]> {
  const [ana, ben] = strangers(2) as [Person, Person]
  const [one, two] = world.nodes as [Node, Node]
  const bare = await openBare(two.port, ana)
  const signOut = `http://127.0.0.1:${one.port}/api/user/signOut`
  const answer = await fetch(signOut, { method: 'POST', headers: { authorization: `Bearer ${ana.tokens[0]}` } })
  const closed = await until(() => !bare.socket.connected, standstillMs)
  const late = bare.socket.connected && (await bare.ask('send_message', outgoing(ana, ben, randomUUID()))).ok
  const again = await openBare(one.port, ana).catch(() => undefined)
  again?.close()
  bare.close()
  return [
    ...unless(answer.ok, `signing out answered ${answer.status}`),
    ...unless(closed, 'a connection outlived its session by two seconds'),
    ...unless(!late, 'a message was taken after the session ended'),
    ...unless(again === undefined, 'an ended session was let in again'),
  ]
}

async function blocked({ world, strangers }: Stage): Promise<string[]> {
  const [ana, ben] = strangers(2) as [Person, Person]
  const [one, two] = world.nodes as [Node, Node]
  const [mine, theirs] = [await openBare(one.port, ana), await openBare(two.port, ben)]
  const before = await mine.ask('send_message', outgoing(ana, ben, randomUUID()))
  // The event comes through the other node, so it may arrive after the response.
  const heardFirst = await until(() => theirs.events('private message').length === 1, standstillMs)
  const answer = await fetch(`http://127.0.0.1:${two.port}/api/blocks/${ana.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ben.tokens[0]}` },
  })
  const after = await mine.ask('send_message', outgoing(ana, ben, randomUUID()))
  await sleep(300)
  const leaked = theirs.events('private message').length - 1
  mine.close()
  theirs.close()
  return [
    ...unless(before.ok, `a first message was refused: ${before.code}`),
    ...unless(heardFirst, 'a first message did not arrive'),
    ...unless(answer.ok, `blocking answered ${answer.status}`),
    ...unless(!after.ok && leaked === 0, 'a blocked person could write'),
  ]
}

export const shutOut: Program = {
  id: 'T10',
  title: 'a session ends, and someone is blocked, on another node than theirs',
  run: async (stage) => [...(await revoked(stage)), ...(await blocked(stage))],
}
