import type { OpenAck, SendAck } from '@duet/contract/conversations.ts'
import type { DuetSocket } from '../../platform/socket.ts'

const patience = 10_000

interface Questions {
  get_or_create_conversation: { payload: { withUser: string }; answer: OpenAck }
  send_message: {
    payload: Record<'id' | 'message' | 'timestamp' | 'senderId' | 'receiverId' | 'status', string>
    answer: SendAck
  }
}

interface Asking {
  emitWithAck: (name: string, payload: unknown) => Promise<unknown>
}

/** Sends an event and waits for its acknowledgement. Rejects when the line breaks or ten seconds pass. */
export function ask<Q extends keyof Questions>(
  socket: DuetSocket,
  name: Q,
  payload: Questions[Q]['payload'],
): Promise<Questions[Q]['answer']> {
  // socket.io's types know no optional acknowledgement; `Questions` ties the three together instead.
  const asking = socket.timeout(patience) as unknown as Asking
  return asking.emitWithAck(name, payload) as Promise<Questions[Q]['answer']>
}
