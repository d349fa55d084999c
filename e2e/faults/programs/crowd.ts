import { setTimeout as sleep } from 'node:timers/promises'
import { percentilesOf } from '../../../tools/percentiles.ts'
import type { Person } from '../device.ts'
import type { Member } from '../fleet.ts'
import { type IdleCrowd, startIdleCrowd } from '../idle.ts'
import { verdictOn } from '../invariants.ts'
import { type Program, type Stage, standstillMs, unless, until } from '../stage.ts'

const sizes = {
  short: { idle: 1_000, active: 40, perSecond: 50, seconds: 3 },
  long: { idle: 10_000, active: 200, perSecond: 100, seconds: 75 },
}
type Size = (typeof sizes)['short']

const sizeOf = (isLong: boolean): Size => (isLong ? sizes.long : sizes.short)
const devicesEach = 3

export const crowdOf = (isLong: boolean): number => Math.ceil(sizeOf(isLong).idle / devicesEach) + sizeOf(isLong).active

async function gather({ fleet }: Stage, people: readonly Person[]): Promise<Member[]> {
  const members: Member[] = []
  for (let start = 0; start < people.length; start += 20) {
    const some = people.slice(start, start + 20)
    const add = async (person: Person, place: number) => {
      const member = await fleet.add(person, { apart: true, kind: place % 4 === 3 ? 'plain' : 'app' })
      await member.device.open((some[place ^ 1] as Person).id)
      return member
    }
    members.push(...(await Promise.all(some.map(add))))
  }
  return members
}

/** Lets people write to their partners, and some of them read. Halfway through, a third of the connections break. */
async function talk({ chance }: Stage, members: Member[], { perSecond, seconds }: Size): Promise<string[]> {
  const ids: string[] = []
  const peerOf = (place: number) => (members[place ^ 1] as Member).device.person.id
  const timer = setInterval(() => {
    const place = chance.between(0, members.length - 1)
    const { device } = members[place] as Member
    if (chance.next() < 0.1) return device.read(peerOf(place))
    const id = device.write(peerOf(place), `one of many, ${ids.length}`)
    if (id) ids.push(id)
  }, 1000 / perSecond)
  try {
    await sleep(seconds * 500)
    for (const { line } of members.filter(() => chance.next() < 1 / 3)) line.cut()
    await sleep(seconds * 500)
  } finally {
    clearInterval(timer)
  }
  return ids
}

/** Events that idle devices may get: that no contact is online, or that the node may have missed events. */
const harmless = /^\["(user_online",\[\]|resync",)/

async function checkIdle(crowd: IdleCrowd, { idle }: Size): Promise<string[]> {
  const { connected, closed, heard, asked, answered } = await crowd.ask({ every: 50 })
  const foreign = Object.entries(heard).filter(([packet]) => !harmless.test(packet))
  return [
    ...unless(connected === idle && closed === 0, `of ${idle} silent connections ${closed} were closed`),
    ...unless(foreign.length === 0, `the silent ones heard ${JSON.stringify(foreign)}`),
    ...unless(asked > 0 && answered === asked, `of ${asked} silent ones ${asked - answered} are not answered`),
  ]
}

async function play(stage: Stage, crowd: IdleCrowd, size: Size): Promise<string[]> {
  const { world, fleet, ledger } = stage
  const silent = stage.strangers(Math.ceil(size.idle / devicesEach))
  const tokens = silent.flatMap((person) => person.tokens).slice(0, size.idle)
  const ports = world.nodes.map(({ port }) => port)
  const talkers = stage.strangers(size.active)
  const [members] = await Promise.all([gather(stage, talkers), crowd.ask({ tokens, ports })])
  const ids = new Set(await talk(stage, members, size))
  const devices = members.map(({ device }) => device)
  await until(() => devices.every((device) => device.waiting() === 0), standstillMs)
  const took = ledger.entries().flatMap(({ id, tookMs }) => (ids.has(id) && tookMs !== undefined ? [tookMs] : []))
  const { p50, p99 } = percentilesOf(took)
  const memory = world.nodes.map((node) => `${Math.round(node.memoryMb())} MB`).join(' and ')
  console.info(
    `         ${tokens.length} silent, ${members.length} active, ${ids.size} messages in ${size.seconds} s, acknowledged after ${p50.toFixed(0)} ms (p50), ${p99.toFixed(0)} ms (p99); nodes of ${memory}`,
  )
  const verdict = await verdictOn(world, devices, ledger, standstillMs)
  const idle = await checkIdle(crowd, size)
  for (const member of members) await fleet.remove(member)
  return [...unless(ids.size > 0, 'no one could write'), ...verdict.broken, ...idle]
}

export const crowded: Program = {
  id: 'T11',
  title: 'some talk, and lose their lines, beside many who are connected and silent',
  async run(stage) {
    const crowd = startIdleCrowd()
    try {
      return await play(stage, crowd, sizeOf(stage.isLong))
    } finally {
      crowd.stop()
    }
  },
}
