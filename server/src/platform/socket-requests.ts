import {
  type ClientToServerEvents,
  type EventName,
  type EventPayload,
  type RequestName,
  requests,
  type ServerToClientEvents,
} from '@duet/contract/realtime.ts'
import type { Socket } from 'socket.io'
import type { z } from 'zod'
import { AppError } from './errors.ts'
import type { Logger } from './logger.ts'
import { toAppError } from './problems.ts'
import type { Viewer } from './session.ts'
import { createBudget, eventsOfConnection, refusalsOfConnection } from './socket-budget.ts'

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

export interface SocketState {
  viewer: Viewer
  /** Requests that are not answered yet. */
  pending: number
  /** About to be closed: takes no more requests. */
  leaving: boolean
}
export type DuetSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketState>

interface Answering {
  log: Logger
  scale: number
  onProblem?(code: string, userId: string, route: string): void
}

/** Answers what comes by `socket`: its budget, the contract, the handler. */
export function answerRequests(
  socket: DuetSocket,
  handlers: RequestHandlers,
  connection: Connection,
  { log, scale, onProblem }: Answering,
): void {
  const spend = createBudget(eventsOfConnection, scale)
  const spendPatience = createBudget(refusalsOfConnection, scale)
  const state = socket.data
  socket.onAny((event: string, ...args: unknown[]) => {
    // Not answered, it is asked again on the next connection.
    if (state.leaving) return
    const ack = args.at(-1)
    const answer = typeof ack === 'function' ? (ack as (value: unknown) => void) : () => undefined
    const wait = spend()
    if (wait > 0) {
      // Closed, not refused: a client of ours that went astray comes back by itself.
      onProblem?.('rate_limited', state.viewer.id, 'socket')
      if (spendPatience() > 0) return void socket.conn.close()
      return answer({ ok: false, code: 'rate_limited', retryAfterMs: wait })
    }
    if (!Object.hasOwn(requests, event)) return answer({ ok: false, code: 'unknown_event' })
    state.pending += 1
    const done = (value: unknown) => {
      state.pending -= 1
      answer(value)
    }
    handle(event as RequestName, args[0], connection, handlers).then(done, (error: unknown) => {
      const known = toAppError(error)
      if (known.status >= 500 && known.code !== 'retry') log.error({ err: error, event }, 'a socket request failed')
      onProblem?.(known.code, state.viewer.id, event)
      done(refusal(event as RequestName, known))
    })
  })
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
