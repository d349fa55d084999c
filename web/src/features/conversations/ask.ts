import type { conversationRequests, RequestAnswer, RequestPayload } from '@duet/contract/conversations.ts'
import type { DuetSocket } from '../../platform/socket.ts'

const patience = 10_000

interface Asking {
  emitWithAck: (name: string, ...payload: unknown[]) => Promise<unknown>
}

/** Sends an event and waits for its acknowledgement. Rejects when the line breaks or ten seconds pass. */
export function ask<Q extends keyof typeof conversationRequests>(
  socket: DuetSocket,
  name: Q,
  ...payload: undefined extends RequestPayload<Q> ? [payload?: RequestPayload<Q>] : [payload: RequestPayload<Q>]
): Promise<RequestAnswer<Q>> {
  // socket.io's types know no optional acknowledgement; the contract ties the three together instead.
  const asking = socket.timeout(patience) as unknown as Asking
  return asking.emitWithAck(name, ...payload.filter((part) => part !== undefined)) as Promise<RequestAnswer<Q>>
}
