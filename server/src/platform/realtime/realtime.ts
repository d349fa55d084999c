import type { Server as HttpServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName, EventPayload } from '@duet/contract/realtime.ts'
import { createFaultLines } from '../fault-lines.ts'
import type { RateLimits } from '../security/rate-limit.ts'
import { createBudgets, eventsOfKind, eventsOfPerson, refusalsOfPerson } from '../security/socket-budget.ts'
import type { Timings } from '../timings.ts'
import { atMostEvery } from './at-most-every.ts'
import { type CutReason, type Cuts, createCuts, isSlow, watchSlowConsumers } from './back-pressure.ts'
import { drain } from './drain.ts'
import { createHandshakes, type HandshakeOptions } from './handshakes.ts'
import type { NodeListener, Nodes } from './nodes.ts'
import { createRooms, type Rooms, sessionRoom, userRoom } from './rooms.ts'
import {
  answerRequests,
  type Connection,
  type DuetSocket,
  type PersonBudgets,
  type RequestHandlers,
} from './socket-requests.ts'
import { openSocketServer, type SocketServer } from './socket-server.ts'

export type { Connection, RequestHandler, RequestHandlers } from './socket-requests.ts'

interface Hooks {
  connected(connection: Connection): Promise<void> | void
  /** A person's last connection to this process is gone. */
  left(userId: string): void
  /** These have come online anywhere, or are offline everywhere. */
  moved(came: string[], went: string[]): void
  /** A process told this: another one with `announce`, or any with `announceToAll`. */
  told(topic: string, payload: unknown): void
  /** What other processes told may have been missed. */
  missed(): void
}

export interface Realtime {
  /** Sends to every device of `userIds`, but for the connection `except`. */
  publish<E extends EventName>(
    userIds: readonly string[],
    event: E,
    payload: EventPayload<E>,
    except?: Connection,
  ): void
  /** The same for the devices that are connected to this process. */
  publishHere<E extends EventName>(userIds: readonly string[], event: E, payload: EventPayload<E>): void
  /** Sends what is dropped for devices that are slow. */
  publishVolatile<E extends EventName>(userIds: readonly string[], event: E, payload: EventPayload<E>): void
  /** Whether a person has a live connection, to any process. */
  isConnected(userId: string): boolean
  /** Whether a person has a live connection to this process. */
  isConnectedHere(userId: string): boolean
  /** Whether a person looks at a device that is connected to any process, as far as the devices say. */
  isLooking(userId: string): boolean
  /** Counts as connected, too, the people that `isOnline` names: those who are played. */
  alsoOnline(isOnline: (userId: string) => boolean): void
  /** Tells every other process, which hears it as `told`. */
  announce(topic: string, payload: unknown): void
  /** Tells every process, this one too. */
  announceToAll(topic: string, payload: unknown): void
  /** The sessions that have a live connection here. */
  liveSessions(): string[]
  /** Closes the live connections of a session; the client may not use its token again. */
  endSession(sessionId: string): void
  figures(): RealtimeFigures
  /** Mounts the handlers; connections are taken from then on. */
  serve(handlers: RequestHandlers, hooks: Hooks): void
  /** Takes no connection from now on. */
  refuseNew(): void
  /** Answers what was asked and closes every connection, a few at a time, so that clients come back elsewhere. */
  drain(): Promise<void>
  close(): Promise<void>
}

export interface RealtimeFigures {
  connections: number
  refusedHandshakes: number
  /** Connections that were cut off since the start. */
  cutOff: Record<CutReason, number>
  dropped: number
  joined: boolean
  heard: number
}

interface Options extends HandshakeOptions {
  limits: RateLimits
  nodes: Nodes
  /** Hears of every request that was refused. */
  onProblem?(code: string, userId: string, route: string): void
  /** Hears how long every event took that was handled, in seconds. */
  onAnswered?: Timings['event']
}

/** Clients that may have missed something ask again within this time, each at a random moment. */
const resyncWithinMs = 10_000

const createPersonBudgets = (scale: number): PersonBudgets => ({
  events: createBudgets(eventsOfPerson, scale),
  kinds: createBudgets(eventsOfKind, scale),
  refusals: createBudgets(refusalsOfPerson, scale),
})

/** Everything live: one room a person, one a session; every payload is checked against the contract. */
export function createRealtime(server: HttpServer, options: Options): Realtime {
  const { log, nodes, scale } = options
  const handshakes = createHandshakes(options)
  const cuts = createCuts()
  const io = openSocketServer(server, handshakes.allows, scale, cuts)
  const rooms = createRooms(io, nodes)
  io.use(handshakes.admit)
  const slow = watchSlowConsumers(io, log, cuts)
  const { publish, publishHere, publishVolatile, isConnectedHere, isLookingHere } = rooms
  const shared = { budgets: createPersonBudgets(scale), cuts, isWorthALine: createFaultLines() }
  let told: Hooks['told'] | undefined
  let isPlayed = (_userId: string) => false

  return {
    publish,
    publishHere,
    publishVolatile,
    isConnectedHere,
    isConnected: (userId) => isConnectedHere(userId) || nodes.isElsewhere(userId) || isPlayed(userId),
    isLooking: (userId) => isLookingHere(userId) || nodes.isElsewhere(lookingOf(userId)) || isPlayed(userId),
    alsoOnline: (isOnline) => {
      isPlayed = isOnline
    },
    announce: nodes.tell,
    announceToAll: (topic, payload) => {
      nodes.tell(topic, payload)
      told?.(topic, payload)
    },
    liveSessions: rooms.liveSessions,
    endSession: rooms.endSession,
    figures: () => ({
      connections: io.engine.clientsCount,
      refusedHandshakes: handshakes.refused(),
      cutOff: cuts.counts(),
      dropped: rooms.dropped(),
      joined: nodes.isJoined(),
      heard: nodes.heard(),
    }),
    serve: (handlers, hooks) => {
      told = hooks.told
      io.on('connection', (socket) => attach(socket, handlers, hooks, { ...options, ...rooms, ...shared }))
      nodes.listen(listenerOf(hooks, io, rooms))
    },
    refuseNew: handshakes.refuseNew,
    drain: () => drain(io),
    close: async () => {
      slow.stop()
      io.engine.close()
      await io.close()
    },
  }
}

/** What other nodes tell, as those connected here should hear it. */
function listenerOf(
  hooks: Hooks,
  io: SocketServer,
  { isConnectedHere, publishHere, publishVolatileHere, pushed }: Rooms,
): NodeListener {
  const isNotHere = (id: string) => !id.startsWith(lookingPrefix) && !isConnectedHere(id)
  return {
    moved: (came, went) => hooks.moved(came.filter(isNotHere), went.filter(isNotHere)),
    relayed: publishVolatileHere,
    pushed,
    told: hooks.told,
    late: (userId) => publishHere([userId], 'resync', { withinMs: 0 }),
    missed: atMostEvery(1_000, () => {
      io.local.emit('resync', { withinMs: resyncWithinMs })
      hooks.missed()
    }),
  }
}

// Nodes tell each other who looks at a device as they tell who is connected: under a name of its own.
const lookingPrefix = 'looking:'
const lookingOf = (userId: string) => lookingPrefix + userId

/** Does what may change whether a person looks at a device here, and tells the other nodes if it has. */
function changeLooking(
  userId: string,
  { nodes, isLookingHere }: Pick<Attaching, 'nodes' | 'isLookingHere'>,
  change: () => void,
) {
  const before = isLookingHere(userId)
  change()
  const after = isLookingHere(userId)
  if (after && !before) nodes.came(lookingOf(userId))
  if (before && !after) nodes.went(lookingOf(userId))
}

/** The first HTTP request is not needed any more (about 8 % of a connection's memory), nor the token that came with it. */
function forgetHandshake(socket: DuetSocket): void {
  const held = socket as unknown as { conn: { request: unknown }; handshake: unknown }
  held.conn.request = null
  held.handshake = null
}

interface Attaching extends Pick<Options, 'limits' | 'log' | 'scale' | 'nodes' | 'onProblem' | 'onAnswered'> {
  budgets: PersonBudgets
  cuts: Cuts
  isWorthALine: ReturnType<typeof createFaultLines>
  isConnectedHere(userId: string): boolean
  isLookingHere(userId: string): boolean
}

function attach(socket: DuetSocket, handlers: RequestHandlers, hooks: Hooks, options: Attaching): void {
  const { log, nodes, isConnectedHere, isLookingHere } = options
  const { viewer } = socket.data
  forgetHandshake(socket)
  const connection: Connection = {
    id: socket.id,
    viewer,
    send: (event, payload) => void socket.emit(event, ...([payload] as never)),
    keptUp: async () => {
      while (socket.connected && isSlow(socket.conn)) await sleep(20)
    },
    setLooking: (looking) => {
      changeLooking(viewer.id, options, () => {
        socket.data.looking = looking
      })
    },
  }
  answerRequests(socket, handlers, connection, options)
  socket.on('disconnect', () => {
    // A client can leave and keep its line open, where no session that ends would find it.
    socket.conn.close()
    if (socket.data.looking !== false && !isLookingHere(viewer.id)) nodes.went(lookingOf(viewer.id))
    if (isConnectedHere(viewer.id)) return
    nodes.went(viewer.id)
    hooks.left(viewer.id)
    if (!nodes.isElsewhere(viewer.id)) hooks.moved([], [viewer.id])
  })
  const isFirst = !isConnectedHere(viewer.id)
  // biome-ignore lint/plugin/void: the adapter keeps rooms in memory, so joining is synchronous.
  changeLooking(viewer.id, options, () => void socket.join([userRoom(viewer.id), sessionRoom(viewer.sessionId)]))
  if (isFirst) {
    nodes.came(viewer.id)
    if (!nodes.isElsewhere(viewer.id)) hooks.moved([viewer.id], [])
  }
  void Promise.resolve(hooks.connected(connection)).catch((err) => log.error({ err }, 'joining failed'))
}
