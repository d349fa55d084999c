import type { conversationRequests, OpenAck } from '@duet/contract/conversations.ts'
import type { z } from 'zod'
import type { DuetSocket } from '../../platform/socket.ts'

const patience = 10_000

type Requests = typeof conversationRequests
type PayloadOf<Q extends keyof Requests> = z.input<Requests[Q]['payload']>
type AnswerOf<Q extends keyof Requests> = Q extends 'get_or_create_conversation'
  ? OpenAck
  : z.output<Requests[Q]['ack']>

interface Asking {
  emitWithAck: (name: string, ...payload: unknown[]) => Promise<unknown>
}

/** Sends an event and waits for its acknowledgement. Rejects when the line breaks or ten seconds pass. */
export function ask<Q extends keyof Requests>(
  socket: DuetSocket,
  name: Q,
  ...payload: undefined extends PayloadOf<Q> ? [payload?: PayloadOf<Q>] : [payload: PayloadOf<Q>]
): Promise<AnswerOf<Q>> {
  // socket.io's types know no optional acknowledgement; the contract ties the three together instead.
  const asking = socket.timeout(patience) as unknown as Asking
  return asking.emitWithAck(name, ...payload.filter((part) => part !== undefined)) as Promise<AnswerOf<Q>>
}
