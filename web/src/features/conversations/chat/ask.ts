import type { conversationRequests, RequestAnswer, RequestPayload } from '@duet/contract/conversations.ts'
import type { DuetSocket } from '../../../platform/socket/socket.ts'

const patience = 10_000
/** A long list of conversations takes time on a slow connection. */
const patienceWithList = 60_000

/** Aborts after `milliseconds`: after a change of network, a request may hang for minutes. */
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

/** Sends an event and waits for its acknowledgement. Rejects on a lost connection or a timeout. */
export async function ask<Q extends keyof typeof conversationRequests>(
  socket: DuetSocket,
  name: Q,
  ...payload: undefined extends RequestPayload<Q> ? [payload?: RequestPayload<Q>] : [payload: RequestPayload<Q>]
): Promise<RequestAnswer<Q>> {
  // socket.io's types have no optional acknowledgement; the contract ties request, payload and answer together instead.
  const asking = socket.timeout(name === 'get_conversations' ? patienceWithList : patience) as unknown as Asking
  return (await asking.emitWithAck(name, ...payload.filter((part) => part !== undefined))) as RequestAnswer<Q>
}
