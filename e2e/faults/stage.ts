import { setTimeout as sleep } from 'node:timers/promises'
import type { Device, Person } from './device.ts'
import type { Fleet } from './fleet.ts'
import type { Ledger } from './ledger.ts'
import type { Chance } from './random.ts'
import { unless } from './until.ts'
import type { World } from './world.ts'

export { standstillMs, unless, until } from './until.ts'

export interface Stage {
  world: World
  fleet: Fleet
  chance: Chance
  ledger: Ledger
  /** Whether to run programs that take minutes, and full-size crowds. */
  isLong: boolean
  /** Returns people who have no conversations. No two programs get the same people. */
  strangers(count: number): Person[]
}

/** One kind of fault. `run` returns the problems it found; the invariants are checked afterwards. */
export interface Program {
  id: string
  title: string
  isLong?: true
  run(stage: Stage): Promise<string[]>
}

export interface Traffic {
  stop(): void
  written(): number
}

/** Makes people write to each other, and sometimes read, until stopped. */
export function startTraffic({ fleet, chance }: Pick<Stage, 'fleet' | 'chance'>, perSecond: number): Traffic {
  let written = 0
  const others = (device: Device) =>
    [...new Set(fleet.devices().map(({ person }) => person.id))].filter((id) => id !== device.person.id)
  const timer = setInterval(() => {
    const device = chance.pick(fleet.devices())
    const peerId = chance.pick(others(device))
    if (chance.next() < 0.1) device.read(peerId)
    else if (device.write(peerId, `${written} of ${device.name}`)) written++
  }, 1000 / perSecond)
  return { stop: () => clearInterval(timer), written: () => written }
}

/** Runs `act` while people write, and lets them write a moment longer. */
export async function withTraffic(stage: Stage, perSecond: number, act: () => Promise<void>): Promise<string[]> {
  const traffic = startTraffic(stage, perSecond)
  try {
    await act()
    await sleep(300)
  } finally {
    traffic.stop()
  }
  return unless(traffic.written() > 0, 'no one could write')
}
