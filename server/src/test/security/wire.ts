import type { ClientToServerEvents, ServerToClientEvents } from '@duet/contract/realtime.ts'
import { io, type Socket } from 'socket.io-client'

type ClientSocket = Socket<ServerToClientEvents, ClientToServerEvents>

/** A live connection that keeps everything it hears. */
export interface Wire {
  heard: { event: string; payload: unknown }[]
  /** Sends anything and waits for the acknowledgement; undefined when none comes within `patienceMs`. */
  ask(event: string, payload?: unknown, patienceMs?: number): Promise<unknown>
  isOpen(): boolean
  close(): void
}

/** Opens a connection; throws what the server says when it will not have it. */
export async function openWire(url: string, token?: string): Promise<Wire> {
  const socket: ClientSocket = io(url, {
    ...(token !== undefined && { auth: { token } }),
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  const heard: Wire['heard'] = []
  socket.onAny((event: string, payload: unknown) => void heard.push({ event, payload }))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', (error) => {
      socket.disconnect()
      reject(error)
    })
  })
  return {
    heard,
    ask: (event, payload, patienceMs = 10_000) =>
      socket
        .timeout(patienceMs)
        .emitWithAck(event as never, ...((payload === undefined ? [] : [payload]) as never))
        .catch(() => undefined),
    isOpen: () => socket.connected,
    close: () => void socket.disconnect(),
  }
}
