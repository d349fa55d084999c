import type { RequestSpec } from '@duet/contract/event.ts'
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
import { passingFault } from '../database/database-faults.ts'
import { AppError, overloaded } from '../errors.ts'
import type { createFaultLines } from '../fault-lines.ts'
import { toAppError } from '../http/problems.ts'
import type { Logger } from '../logger.ts'
import { type RateLimits, spendOnRequest } from '../security/rate-limit.ts'
import type { Viewer } from '../security/session.ts'
import { type Budgets, createBudget, eventsOfConnection } from '../security/socket-budget.ts'
import type { Timings } from '../timings.ts'
import { inSpan } from '../tracing.ts'
import type { Cuts } from './back-pressure.ts'

type Requests = typeof requests
type PayloadOf<R extends RequestName> = z.output<Requests[R]['payload']>
type AckOf<R extends RequestName> = Requests[R] extends { ack: infer A extends z.ZodType } ? z.input<A> : unknown

export interface Connection {
  id: string
  viewer: Viewer
  send<E extends EventName>(event: E, payload: EventPayload<E>): void
  keptUp(): Promise<void>
  setLooking(looking: boolean): void
}

export type RequestHandler<R extends RequestName> = (
  payload: PayloadOf<R>,
  connection: Connection,
) => Promise<AckOf<R>> | AckOf<R>
/** One handler per request in the contract: a missing one doesn't compile. */
export type RequestHandlers = { [R in RequestName]: RequestHandler<R> }

export interface SocketState {
  viewer: Viewer
  pending: number
  leaving: boolean
  /** Whether the app is visible on the device; true until the device reports otherwise. */
  looking?: boolean
  counted?: Promise<void>
}
export type DuetSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketState>

export interface PersonBudgets {
  events: Budgets
  kinds: Budgets
  refusals: Budgets
}

interface Answering {
  limits: RateLimits
  log: Logger
  budgets: PersonBudgets
  cuts: Cuts
  scale: number
  isWorthALine: ReturnType<typeof createFaultLines>
  onProblem?(code: string, userId: string, route: string): void
  onAnswered?: Timings['event']
}

/** Whether a further refusal exceeds the limit. Clients that wait as instructed aren't counted. */
function countRefusals(refusals: Budgets, userId: string): (waitMs: number) => boolean {
  let toldUntil = 0
  return (waitMs) => {
    const now = performance.now()
    const isEarly = now < toldUntil
    toldUntil = Math.max(toldUntil, now + waitMs)
    return isEarly && refusals.spend(userId) > 0
  }
}

export function answerRequests(
  socket: DuetSocket,
  handlers: RequestHandlers,
  connection: Connection,
  { limits, log, scale, budgets, cuts, isWorthALine, onProblem, onAnswered }: Answering,
): void {
  const own = createBudget(eventsOfConnection, scale)
  const isTooMany = countRefusals(budgets.refusals, socket.data.viewer.id)
  const state = socket.data
  const { id } = state.viewer
  socket.onAny((event: string, ...args: unknown[]) => {
    // No acknowledgement: the client repeats the request on its next connection.
    if (state.leaving) return
    const ack = args.at(-1)
    const answer = typeof ack === 'function' ? (ack as (value: unknown) => void) : () => undefined
    const isKnown = Object.hasOwn(requests, event)
    const wait = own.spend() || (isKnown && budgets.kinds.spend(`${id} ${event}`)) || budgets.events.spend(id)
    if (wait > 0) {
      onProblem?.('rate_limited', id, 'socket')
      // Cut the connection instead of refusing permanently: it may be one of our own clients with a bug, and those
      // reconnect.
      if (isTooMany(wait)) return cuts.cut(socket.conn, 'flood')
      return answer({ ok: false, code: 'rate_limited', retryAfterMs: wait })
    }
    if (!isKnown) return answer({ ok: false, code: 'unknown_event' })
    state.pending += 1
    const began = performance.now()
    const done = (value: unknown, outcome: 'ok' | 'refused' | 'failed') => {
      state.pending -= 1
      answer(value)
      onAnswered?.({ event, outcome }, (performance.now() - began) / 1000)
    }
    const work = () => handle(event as RequestName, args[0], connection, { handlers, limits, state })
    inSpan(event, {}, work).then(
      (value) => done(value, 'ok'),
      (error: unknown) => {
        // The connection stays open, so `retry` makes the same device ask again.
        const known = passingFault(error) ? overloaded(error) : toAppError(error)
        const fault = known.cause ?? error
        const isOurs = known.code !== 'retry' || known.cause !== undefined
        if (isOurs && isWorthALine(toAppError(fault))) log.error({ err: fault, event }, 'a socket request failed')
        onProblem?.(known.code, id, event)
        done(refusal(event as RequestName, known), known.status >= 500 ? 'failed' : 'refused')
      },
    )
  })
}

async function handle<R extends RequestName>(
  name: R,
  payload: unknown,
  connection: Connection,
  { handlers, limits, state }: { handlers: RequestHandlers; limits: RateLimits; state: SocketState },
) {
  const spec: RequestSpec = requests[name]
  const { success, data } = spec.payload.safeParse(typeof payload === 'function' ? undefined : payload)
  if (!success) throw new AppError('validation_failed', 'The payload is not valid.')
  if (spec.limit) await inTurn(state, spendOnRequest(limits, spec.limit, { viewer: connection.viewer }))
  const answer = await (handlers[name] as RequestHandler<R>)(data as PayloadOf<R>, connection)
  return spec.ack ? spec.ack.parse(answer) : { ok: true }
}

/** Keeps a connection's requests in order, even if checking the limits of one takes longer. */
async function inTurn(state: SocketState, counting: Promise<void>): Promise<void> {
  const before = state.counted
  const all = Promise.allSettled([before, counting]).then(() => {
    if (state.counted === all) delete state.counted
  })
  state.counted = all
  await Promise.all([counting, before])
}

function refusal(name: RequestName, { code, retryAfter }: AppError) {
  if (name === 'get_or_create_conversation') return { error: { code } }
  return { ok: false, code, ...(retryAfter && { retryAfterMs: retryAfter * 1000 }) }
}
