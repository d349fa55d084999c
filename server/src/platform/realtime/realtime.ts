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
  left(userId: string): void
  /** People who came online on any node, or went offline on all. */
  moved(came: string[], went: string[]): void
  told(topic: string, payload: unknown): void
  missed(): void
}

export interface Realtime {
  publish<E extends EventName>(
    userIds: readonly string[],
    event: E,
    payload: EventPayload<E>,
    except?: Connection,
  ): void
  publishHere<E extends EventName>(userIds: readonly string[], event: E, payload: EventPayload<E>): void
  publishVolatile<E extends EventName>(userIds: readonly string[], event: E, payload: EventPayload<E>): void
  isConnected(userId: string): boolean
  isConnectedHere(userId: string): boolean
  isLooking(userId: string): boolean
  /** Also treats people for whom `isOnline` returns true as connected, such as the demo's characters. */
  alsoOnline(isOnline: (userId: string) => boolean): void
  announce(topic: string, payload: unknown): void
  announceToAll(topic: string, payload: unknown): void
  liveSessions(): string[]
  /** Called when the client may not use its token anymore. */
  endSession(sessionId: string): void
  figures(): RealtimeFigures
  serve(handlers: RequestHandlers, hooks: Hooks): void
  refuseNew(): void
  drain(): Promise<void>
  close(): Promise<void>
}

export interface RealtimeFigures {
  connections: number
  refusedHandshakes: number
  cutOff: Record<CutReason, number>
  dropped: number
  joined: boolean
  heard: number
}

interface Options extends HandshakeOptions {
  limits: RateLimits
  nodes: Nodes
  onProblem?(code: string, userId: string, route: string): void
  onAnswered?: Timings['event']
}

/** Clients that may have missed events resync at a random time within this many milliseconds, to spread the load. */
const resyncWithinMs = 10_000

const createPersonBudgets = (scale: number): PersonBudgets => ({
  events: createBudgets(eventsOfPerson, scale),
  kinds: createBudgets(eventsOfKind, scale),
  refusals: createBudgets(refusalsOfPerson, scale),
})

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

// Nodes share who has the app visible in the same way as who is connected, with this channel prefix.
const lookingPrefix = 'looking:'
const lookingOf = (userId: string) => lookingPrefix + userId

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

/** Frees the first HTTP request, about 8% of a connection's memory, and the token that came with it. */
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
    // A client can leave the namespace but keep its connection open; the end of its session wouldn't close such a
    // connection.
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
