import type { conversationRequests, RequestAnswer, RequestPayload } from '@duet/contract/conversations.ts'
import type { DuetSocket } from '../../../platform/socket/socket.ts'

const patience = 10_000
/** A long list goes as fast as the line takes it. */
const patienceWithList = 60_000

/** Gives up on what takes longer than `milliseconds`: after a change of network, a request may hang for minutes. */
export async function within<T>(milliseconds: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), milliseconds)
  try {
    return await act(giveUp.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** The connection, unless it is broken. */
export function liveLine(socket: () => DuetSocket | null): DuetSocket | undefined {
  const line = socket()
  return line?.connected ? line : undefined
}

interface Asking {
  emitWithAck: (name: string, ...payload: unknown[]) => Promise<unknown>
}

/** Sends an event and waits for its acknowledgement. Rejects when the line breaks or it takes too long. */
export async function ask<Q extends keyof typeof conversationRequests>(
  socket: DuetSocket,
  name: Q,
  ...payload: undefined extends RequestPayload<Q> ? [payload?: RequestPayload<Q>] : [payload: RequestPayload<Q>]
): Promise<RequestAnswer<Q>> {
  // socket.io's types know no optional acknowledgement; the contract ties the three together instead.
  const asking = socket.timeout(name === 'get_conversations' ? patienceWithList : patience) as unknown as Asking
  return (await asking.emitWithAck(name, ...payload.filter((part) => part !== undefined))) as RequestAnswer<Q>
}
