import type { ClientToServerEvents, EventName, EventPayload, ServerToClientEvents } from '@duet/contract/realtime.ts'
import type { QueryClient } from '@tanstack/react-query'
import { io, type Socket } from 'socket.io-client'
import { useSession } from './session.ts'

export type DuetSocket = Socket<ServerToClientEvents, ClientToServerEvents>

/** What an event handler may use: the query cache, who is signed in, the live connection. */
export interface RealtimeContext {
  queryClient: QueryClient
  viewerId: string
  socket: DuetSocket
}
/** One handler for each event the server sends; a feature answers for the events of its noun. */
export type EventHandlers = { [E in EventName]: (context: RealtimeContext, payload: EventPayload<E>) => void }

let socket: DuetSocket | null = null

/** The live connection, or null before `connect` and after `disconnect`. */
export function getSocket(): DuetSocket | null {
  return socket
}

/** Opens the connection with the stored user's token; it comes back by itself without limit. */
export function connect(token: string): DuetSocket {
  disconnect()
  const { setSocketStatus } = useSession.getState()
  const opened: DuetSocket = io({
    path: '/socket.io',
    auth: { token },
    reconnection: true,
    reconnectionAttempts: Number.POSITIVE_INFINITY,
    reconnectionDelay: 1000,
    reconnectionDelayMax: 5000,
    randomizationFactor: 0.5,
    timeout: 20_000,
    transports: ['websocket', 'polling'],
  })
  socket = opened
  setSocketStatus('connecting')
  opened.on('connect', () => setSocketStatus('connected'))
  opened.on('disconnect', () => {
    if (socket === opened) setSocketStatus('reconnecting')
  })
  opened.on('connect_error', (error) => console.error('The chat connection failed.', error))
  return opened
}

/** Closes the connection for good. */
export function disconnect(): void {
  const open = socket
  socket = null
  open?.disconnect()
  useSession.getState().setSocketStatus('off')
}
