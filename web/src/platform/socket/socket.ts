import type { EventName, EventPayload } from '@duet/contract/realtime.ts'
import type { QueryClient } from '@tanstack/react-query'
import { io } from 'socket.io-client'
import { call } from '../call.ts'
import { reloadLostImages } from '../lost-images.ts'
import { useSession } from '../session.ts'
import { forgetWay } from './kept-way.ts'
import type { DuetSocket } from './line.ts'
import { followWay, wayNow } from './way.ts'

export type { DuetSocket }

/** What an event handler may use: the query cache, who is signed in, the live connection. */
export interface RealtimeContext {
  queryClient: QueryClient
  viewerId: string
  socket: DuetSocket
}
/** One handler for each event the server sends; a feature answers for the events of its noun. */
export type EventHandlers = { [E in EventName]: (context: RealtimeContext, payload: EventPayload<E>) => void }

const delayMax = 5000
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
    reconnectionDelayMax: delayMax,
    randomizationFactor: 0.5,
    timeout: 20_000,
    // Sends the load balancer's cookie, which keeps long polling on one node.
    withCredentials: true,
    // A getter, because the transports may differ for each attempt.
    get transports() {
      return wayNow()
    },
  })
  socket = opened
  followWay(opened)
  window.addEventListener('online', forgetWay)
  window.addEventListener('offline', closeLostLine)
  setSocketStatus('connecting')
  opened.on('connect', () => {
    setSocketStatus('connected')
    reloadLostImages()
  })
  opened.on('disconnect', () => {
    if (socket !== opened) return
    setSocketStatus('reconnecting')
    comeBack(opened)
  })
  opened.on('connect_error', (error) => {
    console.error('The chat connection failed.', error)
    // A token that was revoked is refused here, too: its holder is signed out.
    if (!opened.active) void call('GET /api/user/myDetails').catch(() => undefined)
    comeBack(opened)
  })
  return opened
}

/**
 * A device that has lost its network has lost the connection, whatever is still open: it closes, and comes back by
 * itself. (On localhost the library would not notice before the next heartbeat fails.)
 */
function closeLostLine(): void {
  if (socket?.connected) socket.io.engine.close()
}

// What the server closed or refused on purpose socket.io does not open again by itself.
function comeBack(opened: DuetSocket): void {
  if (opened.active) return
  const open = () => {
    if (socket === opened && !opened.active) opened.connect()
  }
  setTimeout(open, delayMax * (0.5 + Math.random()))
}

/** Closes the connection for good. */
export function disconnect(): void {
  const open = socket
  socket = null
  window.removeEventListener('online', forgetWay)
  window.removeEventListener('offline', closeLostLine)
  open?.disconnect()
  useSession.getState().setSocketStatus('off')
}
