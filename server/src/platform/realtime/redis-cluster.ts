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
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
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
    // Otherwise each is connected to when it is needed first, and what is needed meanwhile is refused.
    cluster.on('+node', (member: Redis) => member.connect().catch(() => undefined))
  }
  const subscriber = subscriberOf(publisher, (member) => connectMember(url, member, hearing), log)
  const sending = publisherOf(publisher)
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
      for (const client of [...subscriber.lines(), publisher, counters]) await end(client)
    },
  }
}

/** What the connections of a subscriber tell. */
interface Told {
  ready(): void
  close(reason: Error | undefined): void
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
    line.on('close', () => told.close(reason))
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

function subscriberOf(
  cluster: Cluster,
  open: (member: string) => Redis,
  log: Logger,
): Subscriber & { lines(): Redis[] } {
  const heard = new EventEmitter<{ ready: []; close: [Error | undefined]; message: [string, string] }>()
  const isReady = () => lines.all().length > 0 && lines.all().every(({ status }) => status === 'ready')
  const told: Told = {
    ready: () => isReady() && heard.emit('ready'),
    close: (reason) => heard.emit('close', reason),
    message: (channel, text) => heard.emit('message', channel, text),
  }
  const lines = createLines(open, told, log)
  let isRefused = false
  cluster.on('refresh', () => {
    const haveMoved = lines.follow(Array.from({ length: slotCount }, (_, slot) => cluster.slots[slot]?.[0]))
    // What was refused in a cluster that stands still is asked for again.
    if (haveMoved || !isRefused) return
    isRefused = false
    told.ready()
  })
  return {
    lines: lines.all,
    async subscribe(channels) {
      const answers = await Promise.all(
        bySlot(channels).map(([slot, some]) => lines.of(slot)?.ssubscribe(...some)),
      ).catch((err) => log.debug({ err }, 'Redis'))
      const isHeard = answers?.every((answer) => answer !== undefined) === true
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
    renew: () => lines.all().forEach((line) => void line.disconnect(true)),
  }
}

/** A command to subscribe takes channels of one slot. */
function bySlot(channels: readonly string[]): [number, string[]][] {
  const slots = new Map<number, string[]>()
  for (const channel of channels) {
    const [slot, others] = [slotOf(channel), slots.get(slotOf(channel))]
    if (others) others.push(channel)
    else slots.set(slot, [channel])
  }
  return [...slots]
}

function publisherOf(cluster: Cluster): Publisher & { stop(): void } {
  const lost = new Set<string>()
  const handlers = new Set<() => void>()
  // Whether the machines that have their slots by now answer: what is asked for does not matter.
  async function tryAgain(): Promise<void> {
    const tried = [...lost]
    if (tried.length === 0) return
    await Promise.all(tried.map((channel) => cluster.exists(channel)))
    for (const channel of tried) lost.delete(channel)
    if (lost.size === 0) for (const handler of handlers) handler()
  }
  const timer = setInterval(() => void tryAgain().catch(() => undefined), tryMs).unref()
  return {
    publish: (channel, text) =>
      cluster.spublish(channel, text).catch((err) => {
        if (lost.size < triedChannels) lost.add(channel)
        throw err
      }),
    isReady: () => cluster.status === 'ready' && cluster.nodes('master').every(({ status }) => status === 'ready'),
    onReady: (handler) => {
      cluster.on('ready', handler)
      cluster.on('+node', (member: Redis) => member.on('ready', handler))
    },
    onLost: (handler) => void handlers.add(handler),
    stop: () => clearInterval(timer),
  }
}
