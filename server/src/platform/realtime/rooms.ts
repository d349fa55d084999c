import { isSlow } from './back-pressure.ts'
import type { Nodes } from './nodes.ts'
import type { Connection } from './socket-requests.ts'
import type { SocketServer } from './socket-server.ts'

export const userRoom = (userId: string) => `user:${userId}`
const sessionPrefix = 'session:'
export const sessionRoom = (sessionId: string) => sessionPrefix + sessionId

/**
 * Encodes an event like socket.io does, but skips its search for binary data in the payload. All devices get the same
 * text, so it is built once, on first use.
 */
function packetOf(event: string, payload: unknown): () => string {
  let packet: string | undefined
  return () => {
    packet ??= `2${JSON.stringify([event, payload])}`
    return packet
  }
}

export function createRooms(io: SocketServer, nodes: Nodes) {
  const { rooms } = io.of('/').adapter
  const { sockets } = io.of('/')
  const connectionsOf = (userId: string) => rooms.get(userRoom(userId))
  let dropped = 0

  function writeHere(userIds: readonly string[], packet: () => string, except?: Connection): void {
    for (const userId of userIds)
      for (const id of connectionsOf(userId) ?? []) if (id !== except?.id) sockets.get(id)?.conn.write(packet())
  }
  function publishVolatileHere(userIds: readonly string[], event: string, payload: unknown): void {
    for (const id of userIds.flatMap((userId) => [...(connectionsOf(userId) ?? [])])) {
      const socket = sockets.get(id)
      if (!socket) continue
      if (isSlow(socket.conn)) dropped += 1
      else socket.emit(event as never, ...([payload] as never))
    }
  }

  return {
    publish: (userIds: readonly string[], event: string, payload: unknown, except?: Connection) => {
      const packet = packetOf(event, payload)
      writeHere(userIds, packet, except)
      nodes.push(userIds, packet)
    },
    publishHere: (userIds: readonly string[], event: string, payload: unknown) =>
      writeHere(userIds, packetOf(event, payload)),
    pushed: (userId: string, packet: string) => writeHere([userId], () => packet),
    publishVolatileHere,
    publishVolatile: (userIds: readonly string[], event: string, payload: unknown) => {
      publishVolatileHere(userIds, event, payload)
      nodes.relay(userIds, event, payload)
    },
    dropped: () => dropped,
    isConnectedHere: (userId: string) => connectionsOf(userId) !== undefined,
    isLookingHere: (userId: string) =>
      [...(connectionsOf(userId) ?? [])].some((id) => sockets.get(id)?.data.looking !== false),
    liveSessions: () =>
      [...rooms.keys()].flatMap((room) => (room.startsWith(sessionPrefix) ? [room.slice(sessionPrefix.length)] : [])),
    // Closes only local connections: every node learns on its own that the session has ended.
    endSession: (sessionId: string) => void io.local.in(sessionRoom(sessionId)).disconnectSockets(true),
  }
}

export type Rooms = ReturnType<typeof createRooms>
