import { atMostEvery } from './at-most-every.ts'
import type { NodeListener, Nodes } from './nodes.ts'
import type { Bus, RedisConnections } from './redis.ts'
import { createRoster, type Moves, type RosterMessage } from './roster.ts'

/** How often a node sends a heartbeat, and after how long without one its people count as offline (milliseconds). */
export interface NodeTimes {
  refreshMs: number
  leaseMs: number
}
const defaultTimes: NodeTimes = { refreshMs: 15_000, leaseMs: 45_000 }

/** People connecting and disconnecting are batched, so that a reconnect storm takes only a few messages. */
const gatherMs = 50
const askAgainMs = 1_000

type NodeMessage =
  | RosterMessage
  | { kind: 'ask'; from: string }
  | { kind: 'relay'; from: string; userIds: string[]; event: string; payload: unknown }
  | { kind: 'push'; from: string; userId: string; packet: string }
  | { kind: 'tell'; from: string; topic: string; payload: unknown }
  | { kind: 'missed'; from: string }

type Joined = Pick<RedisConnections, 'bus' | 'close'>

function createOwn(bus: Bus, from: string) {
  const users = new Set<string>()
  const pending = new Map<string, boolean>()
  let version = 0
  let timer: NodeJS.Timeout | undefined
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const of = (here: boolean) => [...pending].flatMap(([userId, value]) => (value === here ? [userId] : []))
    version += 1
    bus.toAll({ kind: 'changed', from, version, came: of(true), went: of(false) } satisfies NodeMessage)
    pending.clear()
  }
  function move(userId: string, here: boolean): void {
    if (here) users.add(userId)
    else users.delete(userId)
    pending.set(userId, here)
    timer ??= setTimeout(flush, gatherMs).unref()
  }
  return {
    move,
    alive() {
      flush()
      bus.toAll({ kind: 'alive', from, version } satisfies NodeMessage)
    },
    listTo(id: string) {
      flush()
      bus.toNode(id, { kind: 'list', from, version, users: [...users] } satisfies NodeMessage)
    },
    stop: () => clearTimeout(timer),
  }
}

function createOthers(bus: Bus, id: string, { leaseMs }: NodeTimes, moved: (moves: Moves) => void) {
  const roster = createRoster(leaseMs)
  const asked = new Map<string, () => void>()
  // The node may not be listening yet; ask again when its next message arrives.
  function ask(node: string): void {
    const known = asked.get(node)
    const act =
      known ?? atMostEvery(askAgainMs, () => bus.toNode(node, { kind: 'ask', from: id } satisfies NodeMessage))
    asked.set(node, act)
    act()
  }
  const expiry = setInterval(() => moved(roster.expire()), Math.max(50, leaseMs / 20)).unref()
  return {
    has: roster.has,
    nodesOf: roster.nodesOf,
    hear(message: RosterMessage): void {
      const { ask: isBehind, ...moves } = roster.hear(message)
      if (message.kind === 'gone' || message.kind === 'list') asked.delete(message.from)
      moved(moves)
      if (isBehind) ask(message.from)
    },
    stop: () => clearInterval(expiry),
  }
}

type Others = ReturnType<typeof createOthers>

function createSending(bus: Bus, from: string, nodesOf: Others['nodesOf']): Pick<Nodes, 'push' | 'relay' | 'tell'> {
  return {
    push: (userIds, packetOf) => {
      for (const userId of userIds)
        bus.toPerson(userId, { kind: 'push', from, userId, packet: packetOf() } satisfies NodeMessage)
    },
    relay: (userIds, event, payload) => {
      for (const [node, there] of nodesOf(userIds))
        bus.toNode(node, { kind: 'relay', from, userIds: there, event, payload } satisfies NodeMessage)
    },
    tell: (topic, payload) => bus.toAll({ kind: 'tell', from, topic, payload } satisfies NodeMessage),
  }
}

function catchUp(bus: Bus, id: string, own: { alive(): void }, missed: () => void): void {
  bus.onListening(() => {
    bus.toAll({ kind: 'ask', from: id } satisfies NodeMessage)
    own.alive()
    missed()
  })
  bus.onLost(() => {
    own.alive()
    bus.toAll({ kind: 'missed', from: id } satisfies NodeMessage)
  })
}

export function joinNodes(redis: Joined, id: string, times: NodeTimes = defaultTimes): Nodes {
  const { bus } = redis
  let listener: NodeListener | undefined
  let heard = 0
  const own = createOwn(bus, id)
  const others = createOthers(bus, id, times, ({ came, went }) => {
    if (came.length > 0 || went.length > 0) listener?.moved(came, went)
  })
  const { beat, heardMyself } = createPulse(bus, times, own.alive)

  function hear(message: NodeMessage): void {
    if (message.kind === 'push') heard += 1
    if (message.from === id) heardMyself()
    else if (message.kind === 'ask') own.listTo(message.from)
    else if (message.kind === 'relay') listener?.relayed(message.userIds, message.event, message.payload)
    else if (message.kind === 'push') listener?.pushed(message.userId, message.packet)
    else if (message.kind === 'tell') listener?.told(message.topic, message.payload)
    else if (message.kind === 'missed') listener?.missed()
    else others.hear(message)
  }
  bus.onMessage((message) => hear(message as NodeMessage))
  bus.onLate((userId) => listener?.late(userId))
  catchUp(bus, id, own, () => listener?.missed())

  return {
    listen: (heard) => {
      listener = heard
    },
    ...{ hear: bus.hear, ignore: bus.ignore },
    ...createSending(bus, id, others.nodesOf),
    came: (userId) => own.move(userId, true),
    went: (userId) => own.move(userId, false),
    isElsewhere: others.has,
    isJoined: bus.isListening,
    heard: () => heard,
    async leave() {
      clearInterval(beat)
      others.stop()
      own.stop()
      bus.toAll({ kind: 'gone', from: id } satisfies NodeMessage)
      await redis.close()
    },
  }
}

/** Sends heartbeats. A node that doesn't receive its own has a dead connection and resubscribes. */
function createPulse(bus: Bus, { refreshMs }: NodeTimes, alive: () => void) {
  let unheard = 0
  const beat = setInterval(() => {
    unheard = bus.isListening() ? unheard + 1 : 0
    if (unheard > 2) {
      unheard = 0
      bus.relisten()
    }
    alive()
  }, refreshMs).unref()
  const heardMyself = () => {
    unheard = 0
  }
  return { beat, heardMyself }
}
