import type { Server as HttpServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientToServerEvents, EventName, EventPayload, ServerToClientEvents } from '@duet/contract/realtime.ts'
import { Server } from 'socket.io'
import { atMostEvery } from './at-most-every.ts'
import { isSlow, watchSlowConsumers } from './back-pressure.ts'
import type { Clock } from './clock.ts'
import { dataSecurityPolicy } from './http.ts'
import type { Logger } from './logger.ts'
import type { Nodes } from './nodes.ts'
import { connectionRule, mayPass } from './policy.ts'
import type { Sessions, Viewer } from './session.ts'
import { createBudget, handshakesOfProcess } from './socket-budget.ts'
import {
  answerRequests,
  type Connection,
  type DuetSocket,
  type RequestHandlers,
  type SocketState,
} from './socket-requests.ts'
import { writeOnceATurn } from './socket-writes.ts'

export type { Connection, RequestHandler, RequestHandlers } from './socket-requests.ts'

interface Hooks {
  connected(connection: Connection): Promise<void> | void
  /** Somebody's last connection to this process is gone. */
  left(userId: string): void
  /** These have come online anywhere, or are offline everywhere. */
  moved(came: string[], went: string[]): void
  /** Another process told this with `announce`. */
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
  /** Whether somebody has a live connection, to whatever process. */
  isConnected(userId: string): boolean
  /** Whether somebody has a live connection to this process. */
  isConnectedHere(userId: string): boolean
  /** Tells every other process, which hears it as `told`. */
  announce(topic: string, payload: unknown): void
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
  cutOff: number
  dropped: number
  joined: boolean
}

interface Options {
  sessions: Sessions
  clock: Clock
  log: Logger
  nodes: Nodes
  /** Whether a page of this origin may connect; requests without an Origin are not a browser's. */
  allowsOrigin(origin: string): boolean
  /** Hears of every request that was refused. */
  onProblem?(code: string, userId: string, route: string): void
  /** Multiplies how often a connection may send and how many may connect. */
  scale: number
}

type Io = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketState>

/** One person's connections to one process. */
const mostConnections = 20
/** Whoever may have missed something asks again within this time, at a moment of their own. */
const resyncWithinMs = 10_000
/** Draining takes so long for each connection, and never longer than the second. */
const drainMs = { each: 2, longest: 5_000, slice: 50, answers: 3_000 }

const answerHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': dataSecurityPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const userRoom = (userId: string) => `user:${userId}`
const sessionPrefix = 'session:'
const sessionRoom = (sessionId: string) => sessionPrefix + sessionId

/** An event as socket.io writes it in the main namespace: without the walk through its payload in search of bytes. */
const eventPacket = (event: string, payload: unknown) => `2${JSON.stringify([event, payload])}`

function createIo(server: HttpServer, { nodes }: Options, isAllowed: (origin: string | undefined) => boolean): Io {
  return new Server(server, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: 10_000,
    ...(nodes.adapter && { adapter: nodes.adapter }),
    allowRequest: ({ headers }, decide) => decide(null, isAllowed(headers.origin)),
  })
}

/** socket.io on the HTTP server: one room a person, one a session; every payload is checked against the contract. */
export function createRealtime(server: HttpServer, options: Options): Realtime {
  const { sessions, log, nodes, allowsOrigin, scale, clock } = options
  const figures = { refusedHandshakes: 0, cutOff: 0, dropped: 0 }
  const handshakes = createBudget(handshakesOfProcess, scale)
  let refusing = false
  const io = createIo(server, options, (origin) => {
    const allowed = origin === undefined || allowsOrigin(origin)
    if (allowed && (refusing || handshakes() > 0)) figures.refusedHandshakes += 1
    else return allowed
    return false
  })
  protectAnswers(server)
  writeOnceATurn(io)
  const stopWatching = watchSlowConsumers(io, (bytes) => {
    figures.cutOff += 1
    log.info({ bytes }, 'a connection that did not keep up was cut off')
  })
  const { rooms } = io.of('/').adapter
  const connectionsOf = (userId: string) => rooms.get(userRoom(userId))
  const isConnectedHere = (userId: string) => connectionsOf(userId) !== undefined

  /** A packet is the same text for every device: it is made once, and only when there is one. */
  function writeHere(userIds: readonly string[], event: string, payload: unknown, except?: Connection): void {
    let packet: string | undefined
    for (const userId of userIds) {
      for (const id of connectionsOf(userId) ?? []) {
        if (id === except?.id) continue
        packet ??= eventPacket(event, payload)
        io.of('/').sockets.get(id)?.conn.write(packet)
      }
    }
  }

  io.use(async (socket, next) => {
    const { token } = socket.handshake.auth as { token?: unknown }
    let viewer: Viewer | undefined
    try {
      viewer = typeof token === 'string' ? await sessions.find(token) : undefined
    } catch (err) {
      log.warn({ err }, 'a connection could not be checked')
      // Not a no: a device whose line is cut comes back by itself, one that was refused does not.
      return socket.conn.close()
    }
    if (!mayPass(connectionRule, viewer, clock.now())) return next(new Error(viewer ? 'suspended' : 'unauthenticated'))
    if ((connectionsOf(viewer.id)?.size ?? 0) >= mostConnections) return next(new Error('too_many_connections'))
    Object.assign(socket.data, { viewer, pending: 0, leaving: false } satisfies SocketState)
    next()
  })

  function volatileHere(userIds: readonly string[], event: string, payload: unknown): void {
    for (const id of userIds.flatMap((userId) => [...(connectionsOf(userId) ?? [])])) {
      const socket = io.of('/').sockets.get(id)
      if (!socket) continue
      if (isSlow(socket.conn)) figures.dropped += 1
      else socket.emit(event as never, ...([payload] as never))
    }
  }

  return {
    // One room at a time: a node passes over a packet for a single room of nobody there without reading it.
    publish: (userIds, event, payload, except) => {
      if (!nodes.adapter) return writeHere(userIds, event, payload, except)
      for (const userId of userIds) {
        const target = io.to(userRoom(userId))
        ;(except ? target.except(except.id) : target).emit(event, ...([payload] as never))
      }
    },
    publishHere: writeHere,
    publishVolatile: (userIds, event, payload) => {
      volatileHere(userIds, event, payload)
      nodes.relay(userIds, event, payload)
    },
    isConnected: (userId) => isConnectedHere(userId) || nodes.isElsewhere(userId),
    isConnectedHere,
    announce: nodes.tell,
    liveSessions: () =>
      [...rooms.keys()].flatMap((room) => (room.startsWith(sessionPrefix) ? [room.slice(sessionPrefix.length)] : [])),
    // Every process hears of the end by itself.
    endSession: (sessionId) => io.local.in(sessionRoom(sessionId)).disconnectSockets(true),
    figures: () => ({ ...figures, connections: io.engine.clientsCount, joined: nodes.isJoined() }),
    serve: (handlers, hooks) => {
      io.on('connection', (socket) => attach(socket, handlers, hooks, { ...options, isConnectedHere }))
      nodes.listen({
        moved: (came, went) => {
          const notHere = (userId: string) => !isConnectedHere(userId)
          hooks.moved(came.filter(notHere), went.filter(notHere))
        },
        relayed: volatileHere,
        told: hooks.told,
        missed: atMostEvery(1_000, () => {
          io.local.emit('resync', { withinMs: resyncWithinMs })
          hooks.missed()
        }),
      })
    },
    refuseNew: () => {
      refusing = true
    },
    drain: () => drain(io),
    close: async () => {
      stopWatching()
      io.engine.close()
      await io.close()
    },
  }
}

/** Answers of the socket's own, refusals too, pass by the HTTP server's hooks. */
function protectAnswers(server: HttpServer): void {
  server.prependListener('request', ({ url = '' }, response) => {
    if (!url.startsWith('/socket.io')) return
    for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value)
  })
}

interface Attaching extends Pick<Options, 'log' | 'scale' | 'nodes' | 'onProblem'> {
  isConnectedHere(userId: string): boolean
}

function attach(socket: DuetSocket, handlers: RequestHandlers, hooks: Hooks, options: Attaching): void {
  const { log, nodes, isConnectedHere } = options
  const { viewer } = socket.data
  // The first HTTP request is not needed any more: about 8 % of a connection's memory.
  ;(socket.conn as unknown as { request: unknown }).request = null
  const connection: Connection = {
    id: socket.id,
    viewer,
    send: (event, payload) => void socket.emit(event, ...([payload] as never)),
  }
  answerRequests(socket, handlers, connection, options)
  socket.on('disconnect', () => {
    if (isConnectedHere(viewer.id)) return
    nodes.went(viewer.id)
    hooks.left(viewer.id)
    if (!nodes.isElsewhere(viewer.id)) hooks.moved([], [viewer.id])
  })
  const isFirst = !isConnectedHere(viewer.id)
  void socket.join([userRoom(viewer.id), sessionRoom(viewer.sessionId)])
  if (isFirst) {
    nodes.came(viewer.id)
    if (!nodes.isElsewhere(viewer.id)) hooks.moved([viewer.id], [])
  }
  void Promise.resolve(hooks.connected(connection)).catch((err) => log.error({ err }, 'joining failed'))
}

/** Not `disconnect()`: that would be the one reason after which a client does not come back by itself. */
async function drain(io: Io): Promise<void> {
  const sockets = [...io.of('/').sockets.values()]
  const slices = Math.max(1, Math.ceil(Math.min(drainMs.longest, sockets.length * drainMs.each) / drainMs.slice))
  const size = Math.ceil(sockets.length / slices)
  const closing: Promise<void>[] = []
  for (let start = 0; start < sockets.length; start += size) {
    if (start > 0) await sleep(drainMs.slice)
    for (const socket of sockets.slice(start, start + size)) closing.push(closeAnswered(socket))
  }
  await Promise.all(closing)
}

async function closeAnswered(socket: DuetSocket): Promise<void> {
  socket.data.leaving = true
  const deadline = performance.now() + drainMs.answers
  while (socket.data.pending > 0 && performance.now() < deadline) await sleep(10)
  const closed = new Promise((resolve) => socket.conn.once('close', resolve))
  socket.conn.close()
  await Promise.race([closed, sleep(1_000, undefined, { ref: false })])
}
