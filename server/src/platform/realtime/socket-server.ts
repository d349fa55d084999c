import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { ClientToServerEvents, ServerToClientEvents } from '@duet/contract/realtime.ts'
import { Server } from 'socket.io'
import { dataSecurityPolicy } from '../http/http.ts'
import { createBudget, packetsOfConnection } from '../security/socket-budget.ts'
import type { Cuts } from './back-pressure.ts'
import type { SocketState } from './socket-requests.ts'
import { writeOnceATurn } from './socket-writes.ts'

export type SocketServer = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketState>

const answerHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': dataSecurityPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export function openSocketServer(
  server: HttpServer,
  isAllowed: (request: IncomingMessage) => boolean,
  scale: number,
  cuts: Cuts,
): SocketServer {
  const io: SocketServer = new Server(server, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: 10_000,
    allowRequest: (request, decide) => decide(null, isAllowed(request)),
  })
  protectAnswers(server)
  writeOnceATurn(io)
  limitPackets(io, scale, cuts)
  return io
}

function limitPackets(io: SocketServer, scale: number, { cut }: Cuts): void {
  io.engine.on('connection', (conn: { on(event: 'packet', heard: () => void): void }) => {
    const budget = createBudget(packetsOfConnection, scale)
    conn.on('packet', () => {
      if (budget.spend() > 0) cut(conn, 'flood')
    })
  })
}

/** socket.io's own responses, including refusals, bypass the HTTP server's hooks. */
function protectAnswers(server: HttpServer): void {
  server.prependListener('request', ({ url = '' }, response) => {
    if (!url.startsWith('/socket.io')) return
    for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value)
  })
}
