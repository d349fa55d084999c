import type { ClientToServerEvents, ServerToClientEvents } from '@duet/contract/realtime.ts'
import { io, type Socket } from 'socket.io-client'
import { standstillMs } from '../standstill.ts'

type ClientSocket = Socket<ServerToClientEvents, ClientToServerEvents>

export interface Wire {
  heard: { event: string; payload: unknown }[]
  /** Sends any payload and waits for the acknowledgement; undefined if none arrives. */
  ask(event: string, payload?: unknown): Promise<unknown>
  isOpen(): boolean
  close(): void
}

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
      reject(error)
      socket.disconnect()
    })
    // Deferred, because the error of a refusal arrives together with the close and should be thrown instead.
    socket.io.once('close', (reason) => queueMicrotask(() => reject(new Error(reason))))
  })
  return {
    heard,
    ask: (event, payload) =>
      socket
        .timeout(standstillMs)
        .emitWithAck(event as never, ...((payload === undefined ? [] : [payload]) as never))
        .catch(() => undefined),
    isOpen: () => socket.connected,
    close: () => void socket.disconnect(),
  }
}
