import { io, type Socket } from 'socket.io-client'
import type { Person } from './device.ts'
import { standstillMs } from './until.ts'

export interface Ack {
  ok: boolean
  code?: string
  message?: { id: string; seq: number; timestamp: string }
}

/** A bare connection, for requests that no real client sends. */
export interface Bare {
  socket: Socket
  ask(event: string, payload: unknown): Promise<Ack>
  events(name: string): unknown[]
  close(): void
}

export async function openBare(port: number, person: Person, token = 0): Promise<Bare> {
  const socket = io(`http://127.0.0.1:${port}`, {
    auth: { token: person.tokens[token] },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  })
  const events: { name: string; payload: unknown }[] = []
  socket.onAny((name: string, payload: unknown) => void events.push({ name, payload }))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return {
    socket,
    ask: (event, payload) => socket.timeout(standstillMs).emitWithAck(event, payload),
    events: (wanted) => events.filter(({ name }) => name === wanted).map(({ payload }) => payload),
    close: () => void socket.disconnect(),
  }
}

export const outgoing = (from: Person, to: { id: string }, id: string, changes: Record<string, unknown> = {}) => ({
  id,
  message: `The message ${id}`,
  timestamp: new Date().toISOString(),
  senderId: from.id,
  receiverId: to.id,
  status: 'sent',
  ...changes,
})
