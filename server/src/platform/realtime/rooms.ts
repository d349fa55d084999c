import { isSlow } from './back-pressure.ts'
import type { Nodes } from './nodes.ts'
import type { Connection } from './socket-requests.ts'
import type { SocketServer } from './socket-server.ts'

export const userRoom = (userId: string) => `user:${userId}`
const sessionPrefix = 'session:'
export const sessionRoom = (sessionId: string) => sessionPrefix + sessionId

/**
 * An event as socket.io writes it in the main namespace: without the walk through its payload in search of bytes. It is the
 * same text for every device: made once, and only when there is one.
 */
function packetOf(event: string, payload: unknown): () => string {
  let packet: string | undefined
  return () => {
    packet ??= `2${JSON.stringify([event, payload])}`
    return packet
  }
}

/** The connections to this process by person and by session, and what is sent to them. */
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
    /** What another node pushed to someone. */
    pushed: (userId: string, packet: string) => writeHere([userId], () => packet),
    publishVolatileHere,
    publishVolatile: (userIds: readonly string[], event: string, payload: unknown) => {
      publishVolatileHere(userIds, event, payload)
      nodes.relay(userIds, event, payload)
    },
    /** How many events were dropped for devices that are slow. */
    dropped: () => dropped,
    isConnectedHere: (userId: string) => connectionsOf(userId) !== undefined,
    /** Whether a person looks at a device that is connected here. */
    isLookingHere: (userId: string) =>
      [...(connectionsOf(userId) ?? [])].some((id) => sockets.get(id)?.data.looking !== false),
    liveSessions: () =>
      [...rooms.keys()].flatMap((room) => (room.startsWith(sessionPrefix) ? [room.slice(sessionPrefix.length)] : [])),
    // Every process hears of the end by itself.
    endSession: (sessionId: string) => void io.local.in(sessionRoom(sessionId)).disconnectSockets(true),
  }
}

export type Rooms = ReturnType<typeof createRooms>
