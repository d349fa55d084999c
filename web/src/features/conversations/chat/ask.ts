import type { conversationRequests, RequestAnswer, RequestPayload } from '@duet/contract/conversations.ts'
import type { DuetSocket } from '../../../platform/socket/socket.ts'

const patience = 10_000
/** In milliseconds. The list of conversations may be long, so it gets more time. */
const patienceWithList = 60_000

/** Aborts after `milliseconds`, because a request may hang for minutes when the network changes. */
export async function within<T>(milliseconds: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), milliseconds)
  try {
    return await act(giveUp.signal)
  } finally {
    clearTimeout(timer)
  }
}

export function liveLine(socket: () => DuetSocket | null): DuetSocket | undefined {
  const line = socket()
  return line?.connected ? line : undefined
}

interface Asking {
  emitWithAck: (name: string, ...payload: unknown[]) => Promise<unknown>
}

/** Rejects on timeout or if the connection is lost. */
export async function ask<Q extends keyof typeof conversationRequests>(
  socket: DuetSocket,
  name: Q,
  ...payload: undefined extends RequestPayload<Q> ? [payload?: RequestPayload<Q>] : [payload: RequestPayload<Q>]
): Promise<RequestAnswer<Q>> {
  // socket.io can't type an optional acknowledgement, so the types of request, payload and response come from the
  // contract.
  const asking = socket.timeout(name === 'get_conversations' ? patienceWithList : patience) as unknown as Asking
  return (await asking.emitWithAck(name, ...payload.filter((part) => part !== undefined))) as RequestAnswer<Q>
}
