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

export interface RealtimeContext {
  queryClient: QueryClient
  viewerId: string
  socket: DuetSocket
}
export type EventHandlers = { [E in EventName]: (context: RealtimeContext, payload: EventPayload<E>) => void }

const delayMax = 5000
let socket: DuetSocket | null = null

export function getSocket(): DuetSocket | null {
  return socket
}

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
    // Sends the load balancer's cookie, which ties long polling to one node.
    withCredentials: true,
    // A getter, because the transports may change between attempts.
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
    console.error('Couldn’t connect to the chat server.', error)
    // If the server refused a revoked token, this call gets a 401, which signs the person out.
    if (!opened.active) void call('GET /api/user/myDetails').catch(() => undefined)
    comeBack(opened)
  })
  return opened
}

/** On localhost, socket.io would notice a lost network only when the next heartbeat fails. */
function closeLostLine(): void {
  if (socket?.connected) socket.io.engine.close()
}

// socket.io doesn't reconnect if the server itself closed or refused the connection.
function comeBack(opened: DuetSocket): void {
  if (opened.active) return
  const open = () => {
    if (socket === opened && !opened.active) opened.connect()
  }
  setTimeout(open, delayMax * (0.5 + Math.random()))
}

export function disconnect(): void {
  const open = socket
  socket = null
  window.removeEventListener('online', forgetWay)
  window.removeEventListener('offline', closeLostLine)
  open?.disconnect()
  useSession.getState().setSocketStatus('off')
}
