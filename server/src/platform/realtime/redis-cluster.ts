import { EventEmitter } from 'node:events'
import slotOf from 'cluster-key-slot'
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis'
import type { Logger } from '../logger.ts'
import { connectMember, openCluster } from './redis-address.ts'
import {
  type Connections,
  counting,
  end,
  hearing,
  immediate,
  type Publisher,
  type Subscriber,
} from './redis-connections.ts'
import { watch } from './redis-watch.ts'

const slotCount = 16_384
/** How often the cluster is asked which machine has which slots. */
const refreshMs = 2_000
/** What was refused is asked for again no sooner. */
const askAgainMs = 5_000
/** How often it is tried whether what could not be sent can be sent again. */
const tryMs = 500
/** So many channels tell whether it can. */
const triedChannels = 100
/** A subscriber with much to hear may be late with its answer. */
const hearingWatchMs = 15_000

/** What cannot be sent at once is refused: its machine is down, or no one has its slot. */
function optionsOf({ retryStrategy, ...redisOptions }: RedisOptions): ClusterOptions {
  return {
    redisOptions,
    clusterRetryStrategy: (attempt) => Number(retryStrategy?.(attempt)),
    enableOfflineQueue: false,
    // It would be refused itself where the cluster calls its machines by other names than the address does.
    enableReadyCheck: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // Each answer that a slot has moved asks for all slots: not for every push to a machine that is down.
    retryDelayOnMoved: 100,
    slotsRefreshInterval: refreshMs,
  }
}

/**
 * Connects to a Redis Cluster. Channels are sharded ones, so that a push goes by one of its machines. Never fails: what is
 * away is waited for.
 */
export function connectCluster(url: string, log: Logger): Connections {
  const publisher = openCluster(url, optionsOf(immediate))
  const counters = openCluster(url, optionsOf(counting))
  for (const cluster of [publisher, counters]) {
    for (const event of ['error', 'node error']) cluster.on(event, (err) => log.debug({ err }, 'Redis'))
    keepConnected(cluster)
  }
  const subscriber = subscriberOf(publisher, (member) => connectMember(url, member, hearing), log)
  const sending = publisherOf(publisher, subscriber)
  const stops = [
    watch(() => [...publisher.nodes('master'), ...counters.nodes('master')], log),
    watch(subscriber.lines, log, hearingWatchMs),
    sending.stop,
  ]
  return {
    subscriber,
    publisher: sending,
    counters,
    async close() {
      for (const stop of stops) stop()
      // Without the first there are no more lines.
      for (const cluster of [publisher, counters]) await end(cluster)
      for (const line of subscriber.lines()) await end(line)
    },
  }
}

const areReady = (clients: readonly Redis[]) => clients.length > 0 && clients.every(({ status }) => status === 'ready')

/** Connects to each machine at once: otherwise with the first command, and the next ones are refused until it is there. */
function keepConnected(cluster: Cluster): void {
  const members = new Set<Redis>()
  cluster.on('+node', (member: Redis) => {
    members.add(member)
    member.on('end', () => members.delete(member))
    // ioredis asks for this by itself, and leaves its refusal to no one.
    const asking = member.asking.bind(member)
    member.asking = (() => asking().catch(() => undefined)) as typeof member.asking
    member.connect().catch(() => undefined)
  })
  cluster.on('refresh', () => {
    const known = new Set(cluster.nodes())
    for (const member of members) {
      if (known.has(member)) continue
      members.delete(member)
      endKnown(cluster, member)
    }
  })
}

const addressOf = ({ options: { host, port } }: Redis) => `${host}:${port}`

/** Ends a connection that ioredis has taken out already: with its end it would take out the one that has its name by then. */
function endKnown(cluster: Cluster, member: Redis): void {
  const handlers = member.listeners('end')
  member.removeAllListeners('end')
  member.once('end', () => {
    const isTaken = cluster.nodes().some((other) => addressOf(other) === addressOf(member))
    // Where it was the last one, ioredis begins anew by its end.
    if (!isTaken) for (const handler of handlers) handler()
  })
  member.disconnect()
}

/** What the connections of a subscriber tell. */
interface Told {
  ready(): void
  close(reason: Error | undefined): void
  /** A channel is not where it was subscribed to. ioredis leaves the command without an answer. */
  moved(): void
  message(channel: string, text: string): void
}

/** The connections by which a node hears: one to each primary, for the channels in its slots. */
function createLines(open: (member: string) => Redis, told: Told, log: Logger) {
  const lines = new Map<string, Redis>()
  /** Which primary has each slot. */
  let owners: readonly (string | undefined)[] = []
  function add(member: string): void {
    const line = open(member)
    let reason: Error | undefined
    line.on('error', (err) => {
      reason = err
      log.debug({ err }, 'Redis')
    })
    line.on('ready', told.ready)
    // One that was given up for another is closed later.
    line.on('close', () => lines.get(member) === line && told.close(reason))
    line.on('moved', told.moved)
    line.on('smessage', told.message)
    lines.set(member, line)
  }
  return {
    all: () => [...lines.values()],
    of: (slot: number) => lines.get(owners[slot] ?? ''),
    /** Makes the lines anew from or to which slots have gone: Redis ends what was subscribed to in them. Whether there were any. */
    follow(now: readonly (string | undefined)[]): boolean {
      const moved = new Set(now.flatMap((owner, slot) => (owner === owners[slot] ? [] : [owner, owners[slot]])))
      owners = now
      const primaries = new Set(now)
      for (const [member, line] of lines) {
        if (!primaries.has(member)) lines.delete(member)
        if (moved.has(member)) line.disconnect(primaries.has(member))
      }
      for (const member of primaries) if (member && !lines.has(member)) add(member)
      return moved.size > 0
    },
  }
}

type Lines = ReturnType<typeof createLines>

interface ClusterSubscriber extends Subscriber {
  lines(): Redis[]
  /** Slots have another primary. */
  onMoved(handler: () => void): void
}

function subscriberOf(cluster: Cluster, open: (member: string) => Redis, log: Logger): ClusterSubscriber {
  let isRefused = false
  let askedAt = 0
  const heard = new EventEmitter<{ ready: []; close: [Error | undefined]; message: [string, string]; moved: [] }>()
  const isReady = () => areReady(lines.all())
  const told: Told = {
    ready: () => {
      if (!isReady()) return
      isRefused = false
      askedAt = performance.now()
      heard.emit('ready')
    },
    moved: () => {
      isRefused = true
    },
    close: (reason) => heard.emit('close', reason),
    message: (channel, text) => heard.emit('message', channel, text),
  }
  const lines = createLines(open, told, log)
  cluster.on('refresh', () => {
    const hadLines = lines.all().length > 0
    const haveMoved = lines.follow(Array.from({ length: slotCount }, (_, slot) => cluster.slots[slot]?.[0]))
    if (haveMoved && hadLines) heard.emit('moved')
    // A new one is not there yet.
    if (haveMoved && hadLines && !isReady()) heard.emit('close', undefined)
    // What was refused in a cluster that stands still is asked for again.
    if (!haveMoved && isRefused && performance.now() - askedAt > askAgainMs) told.ready()
  })
  return {
    lines: lines.all,
    async subscribe(channels) {
      const isHeard = await subscribeAll(lines, channels, log)
      isRefused ||= !isHeard
      return isHeard
    },
    unsubscribe: (channel) =>
      void lines
        .of(slotOf(channel))
        ?.sunsubscribe(channel)
        .catch(() => undefined),
    isReady,
    onReady: (handler) => void heard.on('ready', handler),
    onClose: (handler) => void heard.on('close', handler),
    onMessage: (handler) => void heard.on('message', handler),
    onMoved: (handler) => void heard.on('moved', handler),
    renew: () => {
      for (const line of lines.all()) line.disconnect(true)
    },
  }
}

/** Whether Redis has said yes to each of `channels`. */
async function subscribeAll({ of }: Lines, channels: readonly string[], log: Logger): Promise<boolean> {
  try {
    const answers = await Promise.all(bySlot(channels).map(([slot, some]) => of(slot)?.ssubscribe(...some)))
    return answers.every((answer) => answer !== undefined)
  } catch (err) {
    const { name, message } = err as Error
    if (name === 'ReplyError' && !message.startsWith('CLUSTERDOWN'))
      log.warn({ err }, 'Redis does not let this node listen to others')
    return false
  }
}

/** A command to subscribe takes channels of one slot. */
function bySlot(channels: readonly string[]): [number, string[]][] {
  const slots = new Map<number, string[]>()
  for (const channel of channels) {
    const slot = slotOf(channel)
    const others = slots.get(slot)
    if (others) others.push(channel)
    else slots.set(slot, [channel])
  }
  return [...slots]
}

function publisherOf(cluster: Cluster, { onMoved }: Pick<ClusterSubscriber, 'onMoved'>): Publisher & { stop(): void } {
  const lost = new Set<string>()
  const handlers = new Set<() => void>()
  let isTrying = false
  // Whether the machines that have their slots by now answer: what is asked for does not matter.
  async function tryAgain(): Promise<void> {
    const tried = [...lost]
    await Promise.all(tried.map((channel) => cluster.exists(channel)))
    for (const channel of tried) lost.delete(channel)
    if (lost.size === 0) for (const handler of handlers) handler()
  }
  const timer = setInterval(() => {
    if (isTrying || lost.size === 0) return
    isTrying = true
    tryAgain()
      .catch(() => undefined)
      .finally(() => {
        isTrying = false
      })
  }, tryMs).unref()
  // A machine that others have given up takes what is sent to it until it notices, and no one hears it.
  onMoved(() => lost.add('slots'))
  return {
    publish: (channel, text) =>
      cluster.spublish(channel, text).catch((err) => {
        if (lost.size < triedChannels) lost.add(channel)
        throw err
      }),
    isReady: () => cluster.status === 'ready' && areReady(cluster.nodes('master')),
    onReady: (handler) => {
      cluster.on('ready', handler)
      cluster.on('+node', (member: Redis) => member.on('ready', handler))
    },
    onLost: (handler) => handlers.add(handler),
    stop: () => clearInterval(timer),
  }
}
