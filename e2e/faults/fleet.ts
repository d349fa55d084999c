import { openAppDevice } from './app-device.ts'
import type { Device, Person } from './device.ts'
import type { Ledger } from './ledger.ts'
import type { Node } from './nodes.ts'
import { openPlainDevice } from './plain-device.ts'
import { type Line, startProxy } from './proxy.ts'
import type { Chance } from './random.ts'
import type { Site } from './world.ts'

/** A device and its connection to one of the running nodes. A load balancer would choose the node in the same way. */
export interface Member {
  device: Device
  line: Line
  /** Sends new connections to one node, or without `node` to any running node. */
  lead(node?: Node): void
}

export interface Fleet {
  members: Member[]
  devices(): Device[]
  /** Adds a device for a person. The kind `plain` is a client that speaks the first version of the protocol. */
  add(person: Person, options?: Partial<Options>): Promise<Member>
  /** Closes a device. Its proxy stays open for the next device. */
  remove(member: Member): Promise<void>
  close(): Promise<void>
}

interface Options {
  kind: 'app' | 'plain'
  token: number
  storage: string
  apart: boolean
}

/** Creates people's devices, each with its own proxy. */
export function createFleet(site: Pick<Site, 'nodes'>, chance: Chance, ledger: Ledger): Fleet {
  const members: Member[] = []
  const apart: Member[] = []
  let made = 0

  async function add(person: Person, options: Partial<Options> = {}): Promise<Member> {
    const { kind = 'app', token = 0, apart: isApart = false } = options
    let led: Node | undefined
    const line = await startProxy(() => {
      const running = led ? [led] : site.nodes.filter((node) => node.isUp())
      return running.length > 0 ? { host: '127.0.0.1', port: chance.pick(running).port } : undefined
    })
    const name = `${person.name}'s ${kind} device ${++made}`
    const storage = options.storage ?? `duet-outbox ${made}`
    const parts = { person, token: person.tokens[token] ?? '', name, url: `http://127.0.0.1:${line.port}`, ledger }
    const device = kind === 'app' ? openAppDevice({ ...parts, storage }) : openPlainDevice(parts)
    const lead = (node?: Node) => {
      led = node
    }
    const member = { device, line, lead }
    ;(isApart ? apart : members).push(member)
    return member
  }

  async function remove(member: Member): Promise<void> {
    await member.device.close()
    member.line.close()
    for (const list of [members, apart]) if (list.includes(member)) list.splice(list.indexOf(member), 1)
  }

  return {
    members,
    devices: () => members.map(({ device }) => device),
    add,
    remove,
    close: async () => {
      for (const member of [...members, ...apart]) await remove(member)
    },
  }
}
