import type { Server as HttpServer } from 'node:http'
import {
  type ClientToServerEvents,
  type EventName,
  type EventPayload,
  type RequestName,
  requests,
  type ServerToClientEvents,
} from '@duet/contract/realtime.ts'
import { Server, type Socket } from 'socket.io'
import type { z } from 'zod'
import { AppError } from './errors.ts'
import type { Logger } from './logger.ts'
import { toAppError } from './problems.ts'
import type { Sessions, Viewer } from './session.ts'
import { createBudget } from './socket-budget.ts'

type Requests = typeof requests
type PayloadOf<R extends RequestName> = z.output<Requests[R]['payload']>
type AckOf<R extends RequestName> = Requests[R] extends { ack: infer A extends z.ZodType } ? z.input<A> : unknown

/** One connection of a viewer. */
export interface Connection {
  id: string
  viewer: Viewer
  /** Sends to this connection alone. */
  send<E extends EventName>(event: E, payload: EventPayload<E>): void
}

export type RequestHandler<R extends RequestName> = (
  payload: PayloadOf<R>,
  connection: Connection,
) => Promise<AckOf<R>> | AckOf<R>
/** A handler for every request of the contract: one that is missing does not compile. */
export type RequestHandlers = { [R in RequestName]: RequestHandler<R> }

interface Hooks {
  connected(connection: Connection): Promise<void> | void
  disconnected(viewer: Viewer): Promise<void> | void
}

export interface Realtime {
  /** Sends to every device of `userIds`, but for the connection `except`. */
  publish<E extends EventName>(
    userIds: readonly string[],
    event: E,
    payload: EventPayload<E>,
    except?: Connection,
  ): void
  /** The same for what may be dropped when a device is slow. */
  publishVolatile<E extends EventName>(userIds: readonly string[], event: E, payload: EventPayload<E>): void
  isConnected(userId: string): boolean
  /** The sessions that have a live connection here. */
  liveSessions(): string[]
  /** Closes the live connections of a session; the client may not use its token again. */
  endSession(sessionId: string): void
  /** Mounts the handlers; connections are taken from then on. */
  serve(handlers: RequestHandlers, hooks: Hooks): void
  close(): Promise<void>
}

interface SocketData {
  viewer: Viewer
}
type DuetSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>

interface Options {
  sessions: Sessions
  log: Logger
  /** Whether a page of this origin may connect; requests without an Origin are not a browser's. */
  allowsOrigin(origin: string): boolean
  /** Multiplies the events a connection may send. */
  scale: number
}

const userRoom = (userId: string) => `user:${userId}`
const sessionPrefix = 'session:'
const sessionRoom = (sessionId: string) => sessionPrefix + sessionId

/** socket.io on the HTTP server: one room a person, one a session; every payload is checked against the contract. */
export function createRealtime(server: HttpServer, { sessions, log, allowsOrigin, scale }: Options): Realtime {
  const io = new Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>(server, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: 10_000,
    allowRequest: (request, decide) => {
      const { origin } = request.headers
      decide(null, origin === undefined || allowsOrigin(origin))
    },
  })

  io.use(async (socket, next) => {
    const { token } = socket.handshake.auth as { token?: unknown }
    const viewer = typeof token === 'string' ? await sessions.find(token).catch(() => undefined) : undefined
    if (!viewer) return next(new Error('unauthenticated'))
    socket.data.viewer = viewer
    next()
  })

  return {
    publish: (userIds, event, payload, except) => {
      if (userIds.length === 0) return
      const target = io.to(userIds.map(userRoom))
      const rest = except ? target.except(except.id) : target
      rest.emit(event, ...([payload] as never))
    },
    publishVolatile: (userIds, event, payload) => {
      const { rooms } = io.of('/').adapter
      const ids = userIds.flatMap((userId) => [...(rooms.get(userRoom(userId)) ?? [])])
      for (const id of ids) {
        const socket = io.of('/').sockets.get(id)
        if (socket) whenFree(socket, () => socket.volatile.emit(event, ...([payload] as never)))
      }
    },
    isConnected: (userId) => (io.of('/').adapter.rooms.get(userRoom(userId))?.size ?? 0) > 0,
    liveSessions: () =>
      [...io.of('/').adapter.rooms.keys()].flatMap((room) =>
        room.startsWith(sessionPrefix) ? [room.slice(sessionPrefix.length)] : [],
      ),
    endSession: (sessionId) => io.in(sessionRoom(sessionId)).disconnectSockets(true),
    serve: (handlers, hooks) => io.on('connection', (socket) => attach(socket, handlers, hooks, { log, scale })),
    close: async () => {
      io.engine.close()
      await io.close()
    },
  }
}

/** Runs `send` once the connection is not busy with another packet; one that stays busy gets it dropped. */
function whenFree(socket: DuetSocket, send: () => void, patience = 8): void {
  if (socket.conn.transport.writable || patience === 0) send()
  else setTimeout(() => whenFree(socket, send, patience - 1), 25).unref()
}

function attach(
  socket: DuetSocket,
  handlers: RequestHandlers,
  hooks: Hooks,
  { log, scale }: Pick<Options, 'log' | 'scale'>,
): void {
  const { viewer } = socket.data
  // The first HTTP request is not needed any more: about 8 % of a connection's memory.
  ;(socket.conn as unknown as { request: unknown }).request = null
  const connection: Connection = {
    id: socket.id,
    viewer,
    send: (event, payload) => void socket.emit(event, ...([payload] as never)),
  }
  const spend = createBudget(scale)
  socket.onAny((event: string, ...args: unknown[]) => {
    const ack = args.at(-1)
    const answer = typeof ack === 'function' ? (ack as (value: unknown) => void) : () => undefined
    const wait = spend()
    if (wait > 0) return answer({ ok: false, code: 'rate_limited', retryAfterMs: wait })
    if (!Object.hasOwn(requests, event)) return answer({ ok: false, code: 'unknown_event' })
    handle(event as RequestName, args[0], connection, handlers).then(answer, (error: unknown) => {
      const known = toAppError(error)
      if (known.status >= 500) log.error({ err: error, event }, 'a socket request failed')
      answer(refusal(event as RequestName, known))
    })
  })
  socket.on(
    'disconnect',
    () => void Promise.resolve(hooks.disconnected(viewer)).catch((err) => log.error({ err }, 'leaving failed')),
  )
  void socket.join([userRoom(viewer.id), sessionRoom(viewer.sessionId)])
  void Promise.resolve(hooks.connected(connection)).catch((err) => log.error({ err }, 'joining failed'))
}

async function handle<R extends RequestName>(
  name: R,
  payload: unknown,
  connection: Connection,
  handlers: RequestHandlers,
) {
  const spec: { payload: z.ZodType; ack?: z.ZodType } = requests[name]
  const { success, data } = spec.payload.safeParse(typeof payload === 'function' ? undefined : payload)
  if (!success) throw new AppError('validation_failed', 'The payload is not valid.')
  const answer = await (handlers[name] as RequestHandler<R>)(data as PayloadOf<R>, connection)
  return spec.ack ? spec.ack.parse(answer) : { ok: true }
}

/** How a failed request is acknowledged, in the shape its event documents. */
function refusal(name: RequestName, { code, retryAfter }: AppError) {
  if (name === 'get_or_create_conversation') return { error: { code } }
  return { ok: false, code, ...(retryAfter && { retryAfterMs: retryAfter * 1000 }) }
}
