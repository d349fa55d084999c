import type { ClientToServerEvents, ServerToClientEvents } from '@duet/contract/realtime.ts'
import type { Socket } from 'socket.io-client'

export type DuetSocket = Socket<ServerToClientEvents, ClientToServerEvents>
